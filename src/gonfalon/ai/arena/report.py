"""Reports of an arena's rows: as text for people, as structs for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from gonfalon.ai.arena.folder import Row
from gonfalon.ai.arena.plan import Plan
from gonfalon.ai.arena.scores import Score, SequentialTest, Verdict, find_elo


class Pairing(msgspec.Struct, frozen=True):
    """Results of two entrants, from the view of the first one. With more than two players the first had one seat and
    the second all other seats.
    """

    first: str
    second: str
    matches: int
    won: int
    drawn: int
    lost: int
    share: float
    interval: tuple[float, float]
    even: float
    """The share that each of equally strong players would get."""
    elo: tuple[float | None, float | None, float | None]
    """The Elo difference and both ends of its interval. None if it is infinite, or with more than two players."""
    reasons: dict[str, int]
    """Number of matches by reason of their end."""
    late: tuple[int, int]
    """Number of decisions that took more than 1.2 times their time: of the first entrant, and of the worst seat of the
    second.
    """
    slowest: tuple[float, float]
    """Slowest decision of each, in seconds."""
    turns: float
    """Mean number of turns."""
    failed: dict[str, dict[str, int]]
    """For each entrant that failed: the number of failures of each kind."""
    faults: dict[str, str]
    """For each entrant that failed: its first failure in full."""
    verdict: Verdict | None = None


def summarize(plan: Plan, players: int, rows: Sequence[Row], test: SequentialTest | None = None) -> list[Pairing]:
    """Return the pairings that have been played, in the plan's order."""
    found = []
    for first, second in plan.meetings:
        played = [row for row in rows if (row.first, row.second) == (first, second)]
        if played:
            found.append(_pair(plan.labels, players, played, test))
    return found


def _pair(labels: Sequence[str], players: int, rows: Sequence[Row], test: SequentialTest | None) -> Pairing:
    score = Score(tuple(row.points for row in rows))
    failed: dict[str, Counter[str]] = {}
    faults: dict[str, str] = {}
    for row in rows:
        for entrant, fault in row.failed.items():
            failed.setdefault(labels[entrant], Counter())[fault.partition(":")[0]] += 1
            faults.setdefault(labels[entrant], fault)
    low, high = score.interval
    return Pairing(
        first=labels[rows[0].first],
        second=labels[rows[0].second],
        matches=score.matches,
        won=score.won,
        drawn=score.drawn,
        lost=score.lost,
        share=score.share,
        interval=(low, high),
        even=1 / players,
        elo=(_elo(score.share, players), _elo(low, players), _elo(high, players)),
        reasons=dict(Counter(row.reason for row in rows).most_common()),
        late=(sum(row.late[0] for row in rows), sum(row.late[1] for row in rows)),
        slowest=(max(row.slowest[0] for row in rows), max(row.slowest[1] for row in rows)),
        turns=sum(row.turns for row in rows) / len(rows),
        failed={label: dict(counts) for label, counts in failed.items()},
        faults=faults,
        verdict=test.judge(list(list_rounds(rows, players))) if test else None,
    )


def _elo(share: float, players: int) -> float | None:
    found = find_elo(share)
    return found if players == 2 and math.isfinite(found) else None


def list_rounds(rows: Sequence[Row], players: int) -> Iterator[float]:
    """Yield the first entrant's mean points in each round, in the order of the plan, up to the first incomplete round.
    So the result of a sequential test does not depend on the number of processes. Only whole rounds are independent
    results, because the matches of a round share a deal.
    """
    ordered = groupby(sorted(rows, key=lambda row: row.number), key=lambda row: row.round)
    for expected, (number, played) in enumerate(ordered):
        points = [row.points for row in played]
        if number != expected or len(points) < players:
            return
        yield sum(points) / players


# ---- words ---------------------------------------------------------------------------------------------------------


def word_pairing(pairing: Pairing) -> str:
    """Return a pairing as text of a few lines."""
    low, high = pairing.interval
    lines = [
        f"{pairing.first} against {pairing.second}: {pairing.won} won, {pairing.drawn} drawn, {pairing.lost} lost",
        f"  {pairing.share:.1%} of {pairing.matches} matches ({low:.1%} to {high:.1%}; even is {pairing.even:.0%})",
        f"  {word_elo(pairing)}{_list(pairing.reasons)}; {pairing.turns:.0f} turns a match",
        f"  slowest decision {_milliseconds(pairing.slowest)} ms; {pairing.late[0]} and {pairing.late[1]} late",
    ]
    lines += [
        f"  {label} FAILED: {_list(counts)}; first {pairing.faults[label]}" for label, counts in pairing.failed.items()
    ]
    if pairing.verdict is not None:
        taken = f"takes {pairing.verdict.taken}" if pairing.verdict.taken else "is undecided"
        lines.append(
            f"  the sequential test {taken} after {pairing.verdict.results} rounds "
            f"(log likelihood ratio {pairing.verdict.ratio:.2f})"
        )
    return "\n".join(lines)


def _milliseconds(seconds: tuple[float, float]) -> str:
    return " and ".join(f"{each * 1000:.0f}" for each in seconds)


def word_elo(pairing: Pairing) -> str:
    """Return the Elo difference with its interval as text; empty with more than two players."""
    if pairing.even != 0.5:
        return ""
    found, low, high = (_signed(elo, side) for elo, side in zip(pairing.elo, (0, -1, 1), strict=True))
    return f"Elo {found} ({low} to {high}); "


def _signed(elo: float | None, side: int) -> str:
    return f"{elo:+.0f}" if elo is not None else ("-" if side < 0 else "+" if side > 0 else "") + "infinite"


def _list(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def write_cross(plan: Plan, pairings: Sequence[Pairing]) -> str:
    """Return a Markdown table: the entrant of each row against the entrant of each column, in percent of the points,
    with half the width of the interval. With two players, the cells on the other side of the diagonal show the same
    results for the other entrant.
    """
    shares: dict[tuple[str, str], str] = {}
    for pairing in pairings:
        half = (pairing.interval[1] - pairing.interval[0]) / 2
        shares[pairing.first, pairing.second] = f"{pairing.share:.0%} ± {half * 100:.0f}"
        if pairing.even == 0.5:
            shares[pairing.second, pairing.first] = f"{1 - pairing.share:.0%} ± {half * 100:.0f}"
    labels = plan.labels
    rows = [[label, *(shares.get((label, other), "") for other in labels)] for label in labels]
    return "\n".join(f"| {' | '.join(row)} |" for row in [["", *labels], ["---"] * (len(labels) + 1), *rows])


def write_results(pairings: Sequence[Pairing]) -> str:
    """Return a Markdown table with one row per pairing."""
    head = ["against", "won", "drawn", "lost", "share (95 %)", "Elo", "ended by", "turns", "late", "failed"]
    rows = []
    for pairing in pairings:
        low, high = pairing.interval
        failed = "; ".join(f"{label}: {_list(faults)}" for label, faults in pairing.failed.items())
        rows.append(
            [
                f"{pairing.first} - {pairing.second}",
                *(str(count) for count in (pairing.won, pairing.drawn, pairing.lost)),
                f"{pairing.share:.1%} ({low:.1%} to {high:.1%})",
                word_elo(pairing).removeprefix("Elo ").removesuffix("; "),
                _list(pairing.reasons),
                f"{pairing.turns:.0f}",
                f"{pairing.late[0]}, {pairing.late[1]}",
                failed,
            ]
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
