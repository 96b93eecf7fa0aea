"""`gonfalon arena` and `gonfalon ladder`: agents and programs against each other."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from gonfalon.ai import agents
from gonfalon.ai.arena import plot, report
from gonfalon.ai.arena.entrants import COMMAND, EntrantError, check_game, hash_entrant
from gonfalon.ai.arena.folder import Folder, find_code, find_folder
from gonfalon.ai.arena.plan import Fixture, Plan, PlanError, list_fixtures
from gonfalon.ai.arena.scores import SequentialTest
from gonfalon.ai.arena.staff import Match, StaffError, play_all
from gonfalon.cli.choosing import make_game, make_protocol_game
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import require
from gonfalon.cli.measure.machine import describe_commit, describe_machine
from gonfalon.cli.progress import show_progress
from gonfalon.engine.game import Game

ANCHOR = "greedy"
"""The agent with which all results are compared. It never changes."""
PARENT = Path("gonfalon-arena")
"""Folder that holds the folders of all arenas."""


def arena(arguments: argparse.Namespace) -> int:
    """Play the plan's missing matches and print the results. Raises `CommandError`. Status 1: an entrant failed."""
    with reporting():
        return Arena(arguments).run()


def ladder(arguments: argparse.Namespace) -> int:
    """Play an arena of the named agents, or of `list_rungs` if none is named. Write the results to a page."""
    if not arguments.entrants:
        arguments.entrants, arguments.pairs = list_rungs()
    check_place("--output", arguments.output)
    with reporting():
        contest = Arena(arguments)
        status = contest.run()
        write_section(Path(arguments.output), contest)
    print(f"Written to {arguments.output}")
    return status


def list_rungs() -> tuple[list[str], tuple[tuple[int, int], ...]]:
    """Return the entrants and their pairs. The entrants are the levels, highest first, then `random` and `greedy`. Each
    level plays the entrant after it. The highest and the middle level also play `greedy`.
    """
    levels = sorted((name for name in agents() if name.startswith("level-")), reverse=True)
    entrants = [*levels, "random", ANCHOR]
    rungs = [(k, k + 1) for k in range(len(levels))]
    return entrants, (*rungs, (0, len(levels) + 1), (len(levels) // 2, len(levels) + 1))


@contextmanager
def reporting() -> Iterator[None]:
    """Turn errors of plans into `CommandError`s."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (PlanError, EntrantError, StaffError, OSError) as error:
        raise CommandError(str(error)) from error


class Arena:
    """One arena: its plan, its folder, its sequential test."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.game, self.plan = make_plan(arguments)
        self.test = make_test(arguments.sprt)
        if self.test is not None and len(self.plan.entrants) > 2:
            raise CommandError("--sprt compares two agents")
        if arguments.plot:
            check_plot(arguments.plot)
        self.folder = Folder(Path(arguments.folder or find_folder(PARENT, self.plan)), self.plan)

    def play_all(self) -> bool:
        """Play all missing matches. Return whether an entrant failed."""
        fixtures = list(list_fixtures(self.plan.meetings, self.game.info.players, self.arguments.games))
        try:
            with self.folder.hold():
                self._play(fixtures)
        except KeyboardInterrupt:
            print(f"Interrupted. The same command goes on; what was played is in {self.folder.path}", file=sys.stderr)
            raise
        return any(pairing.failed for pairing in self.summarize())

    def run(self) -> int:
        """Play and print. Return 1 if an entrant failed, else 0."""
        failed, pairings = self.play_all(), self.summarize()
        if self.arguments.json:
            print(json.dumps(self._describe(pairings), indent=2))
        else:
            self._print(pairings)
        if self.arguments.plot:
            title = f"{self.plan.variant}, {self.plan.milliseconds} ms"
            plot.draw(pairings, title, Path(self.arguments.plot))
        return int(failed)

    def summarize(self) -> list[report.Pairing]:
        """Return the results of all matches in the folder."""
        return report.summarize(self.plan, self.game.info.players, self.folder.rows, self.test)

    def _play(self, fixtures: list[Fixture]) -> None:
        waiting = [fixture for fixture in fixtures if self.folder.lacks(fixture)]
        if not waiting or is_decided(self.summarize()):
            return
        with show_progress(self.plan.variant, len(fixtures), len(fixtures) - len(waiting)) as progress:
            for row, record in self._play_waiting(iter(waiting)):
                self.folder.add(row, record)
                pairings = self.summarize()
                told = ", ".join(f"{each.first} {each.share:.0%}" for each in pairings[:3])
                progress.advance(f"{self.plan.variant}: {told}")
                if is_decided(pairings):
                    return

    def _play_waiting(self, waiting: Iterator[Fixture]) -> Iterator[Match]:
        """Yield each match when it is over; this machine or a cluster plays."""
        if not self.arguments.ray:
            return play_all(self.plan, waiting, self.arguments.processes or 1)
        require("--ray", "ray")
        from gonfalon.ai.arena.cluster import play_on_cluster

        return play_on_cluster(self.plan, waiting, self.arguments.ray, self.arguments.processes)

    def _describe(self, pairings: list[report.Pairing]) -> dict[str, object]:
        return {
            "plan": msgspec.to_builtins(self.plan),
            "folder": str(self.folder.path),
            "code": sorted({row.code for row in self.folder.rows}),
            "test": msgspec.to_builtins(self.test),
            "pairings": msgspec.to_builtins(pairings),
        }

    def _print(self, pairings: list[report.Pairing]) -> None:
        for pairing in pairings:
            print(report.word_pairing(pairing))
        if self.test is not None:
            lower, upper = self.test.bounds
            print(f"  H0: {self.test.low:.1%}, taken at {lower:.2f}; H1: {self.test.high:.1%}, taken at {upper:.2f}")
        if len(self.plan.entrants) > 2:
            print(report.write_cross(self.plan, pairings))
        older = sum(row.code != find_code() for row in self.folder.rows)
        if older:
            print(f"{older} of the matches were played by other versions of this program", file=sys.stderr)
        print(f"Records are in {self.folder.path / 'records'}")


def is_decided(pairings: list[report.Pairing]) -> bool:
    """Return whether the sequential test has ended."""
    return any(pairing.verdict is not None and pairing.verdict.taken for pairing in pairings)


def make_plan(arguments: argparse.Namespace) -> tuple[Game, Plan]:
    """Return the game and the plan. Raises `CommandError`, `PlanError`, `EntrantError`."""
    programs = any(entrant.startswith(COMMAND) for entrant in arguments.entrants)
    game = (make_protocol_game if programs else make_game)(arguments.game, arguments.set)
    plan = Plan(
        variant=game.info.variant,
        ruleset=game.info.ruleset.text,
        changed=dict(game.info.ruleset.changed),
        entrants=tuple(arguments.entrants),
        milliseconds=arguments.time,
        seed=arguments.seed,
        deal=arguments.deal,
        patience=max(30.0, arguments.time / 100) if arguments.patience is None else arguments.patience,
        pairs=arguments.pairs,
        processor_time=arguments.processor_time,
        cores=arguments.cores,
    )
    plan.check()
    for entrant in plan.entrants:
        check_game(entrant, game)
    files = {entrant: mark for entrant in plan.entrants if (mark := hash_entrant(entrant))}
    plan = msgspec.structs.replace(plan, files=files)
    return game, plan


def check_plot(name: str) -> None:
    """Check before the matches that the plot can be drawn. Raises `CommandError`."""
    if not name.endswith((".png", ".svg", ".pdf")):
        raise CommandError("--plot takes a .png, .svg or .pdf")
    require("--plot", "matplotlib")
    check_place("--plot", name)


def check_place(option: str, name: str) -> None:
    """Check that the folder of a file named by an option exists. Raises `CommandError`."""
    if not Path(name).parent.is_dir():
        raise CommandError(f"{option}: there is no folder {str(Path(name).parent)!r} for {name}")


def make_test(hypotheses: list[float] | None) -> SequentialTest | None:
    """Return the sequential test of two shares in percent; None if there are none. Raises `CommandError`."""
    if hypotheses is None:
        return None
    low, high = hypotheses
    if not 0 < low < high < 100:
        raise CommandError("--sprt takes two shares in percent, the lower one first, as 50 55")
    return SequentialTest(low / 100, high / 100)


def word_staff(arguments: argparse.Namespace) -> str:
    """Return the number of simultaneous matches as text, and whether a cluster plays."""
    if arguments.ray:
        return f"{arguments.processes or 'as many as it has processors'} at a time on a cluster"
    return f"{arguments.processes or 1} at a time"


def word_timing(plan: Plan) -> str:
    """Return as text how the decisions are timed."""
    told = f"timed by {'the processor' if plan.processor_time else 'the clock'}"
    return told if plan.cores == 1 else f"{told}, up to {plan.cores} cores an agent"


def write_section(path: Path, contest: Arena) -> None:
    """Write an arena's results into a page. They replace earlier results of the same game, agents and time."""
    plan, pairings = contest.plan, contest.summarize()
    who = "the levels" if plan.pairs else " and ".join(plan.labels)
    heading = f"## {plan.variant}: {who}, {plan.milliseconds} ms a decision"
    rules = " ".join(f"{name}={str(value).lower()}" for name, value in plan.changed.items())
    section = [
        heading,
        "",
        f"Commit `{describe_commit()}` on {datetime.now(tz=UTC).date()}: {describe_machine()}.",
        f"{word_staff(contest.arguments)}, {word_timing(plan)}.",
        f"Deployments: {plan.deal}; house rules: {rules or 'as the box has them'}.",
        "",
        *([report.write_cross(plan, pairings), ""] if not plan.pairs and len(plan.entrants) > 2 else []),
        report.write_results(pairings),
        "",
    ]
    page = path.read_text(encoding="utf-8") if path.exists() else "# Strength\n\nMade by `gonfalon ladder`.\n\n"
    parts = re.split(r"(?m)^(?=## )", page)
    sections = [part.rstrip("\n") + "\n\n" for part in parts if not part.startswith(f"{heading}\n")]
    path.write_text("".join([*sections, "\n".join(section), "\n"]).rstrip("\n") + "\n", encoding="utf-8")
