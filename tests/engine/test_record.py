"""Text records: a written record reads back equal, the reader checks everything, and every error names its line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.engine.game import TextError
from gonfalon.engine.records.lines import fit_line
from gonfalon.engine.records.record import FORMAT, MOST_CHARACTERS, Record, Step, read_record

WORDS = st.from_regex(r"[a-z0-9][a-z0-9-]{0,12}", fullmatch=True)
NAMES = st.text(max_size=20).map(fit_line)
SWITCHES = st.dictionaries(
    st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True),
    st.booleans() | st.integers(-999_999_999, 999_999_999),
    max_size=4,
)
RESULTS = st.sampled_from(["", "red wins (flag)", "draw (max-turns)", "no result", "unfinished"])
STEPS = st.builds(Step, WORDS, st.text(min_size=1, max_size=20).map(fit_line).filter(bool)) | st.sampled_from(
    [Step("", "draw agreed"), Step("", "no result")]
)
AIDS = st.dictionaries(st.sampled_from(["take-backs", "hints"]), st.integers(1, 999_999_999))
RECORDS = st.builds(
    Record, WORDS, SWITCHES, st.dictionaries(WORDS, NAMES, max_size=4), NAMES, AIDS, RESULTS, st.lists(STEPS).map(tuple)
)


@given(RECORDS)
def test_written_records_are_read_again(record: Record) -> None:
    assert read_record(record.write()) == record


@given(st.text())
def test_any_text_is_a_record_or_refused(text: str) -> None:
    _read_or_refuse(text)


@given(st.lists(st.sampled_from(
    ["rules: 1", "rules: 2", "variant: classic", "variant:", "switches: a=1 b", "player red: x", "player : y", "date:",
     "result: maybe", "aids: hints=1", "aids: luck=1", "aids: hints=0",
     "", "# note", "red: d3-d4", "red:", ": x", "draw agreed", "chance: deploy x", "\r", "\u2028"]
)))  # fmt: skip
def test_any_lines_are_a_record_or_refused(lines: list[str]) -> None:
    _read_or_refuse("\n".join([FORMAT, *lines]))


def _read_or_refuse(text: str) -> None:
    reason = ""
    try:
        record = read_record(text)
        assert read_record(record.write()) == record
    except TextError as error:
        reason = str(error)
    assert not reason or reason.startswith("line ")


def test_line_ends_and_notes_do_not_matter() -> None:
    text = "\ufeffGonfalon record 1\r\n# a note\r\nvariant: classic\r\n\r\n\r\n# another\r\nred: d3-d4\r\n"
    assert read_record(text) == Record("classic", steps=(Step("red", "d3-d4"),))


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000", "\t", "\x0b"])
def test_every_white_space_is_read_as_a_space(space: str) -> None:
    """Word processors and chat programs put no-break spaces into copied text."""
    record = Record("duel", {"two_square_limit": 3}, {"red": "Ada L"}, "2026-11-28", steps=(Step("red", "a1-a2", 1),))
    assert read_record(record.write().replace(" ", space)) == record


@pytest.mark.parametrize(
    "name",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a non-joiner
        "\u0d9a\u0dca\u200d\u0dbb",  # Sinhala, with a joiner after a virama
        "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut with a skin tone
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # a flag
    ],
)
def test_joiners_stay_where_a_script_uses_them(name: str) -> None:
    assert fit_line(name) == name
    record = Record("duel", {}, {"red": name})
    assert read_record(record.write()).names == {"red": name}


@pytest.mark.parametrize("name", ["A\u200dda", "\u200dAda", "Ada\u200c", "\u0645\u200c\u200c\u062e"])
def test_stray_joiners_are_no_part_of_a_name(name: str) -> None:
    assert not set(fit_line(name)) & {"\u200c", "\u200d"}


def test_names_become_one_line() -> None:
    text = Record("classic", names={"red": "A\nda\u2028 \x07L."}).write()
    assert read_record(text).names == {"red": "A da L."}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a record starts with"),
        ("Gonfalon record 2\nvariant: classic\n", "line 1: a record starts with"),
        (f"{FORMAT}\n\nred: d3-d4", "line 1: the header names no variant"),
        (f"{FORMAT}\nvariant: classic\nvariant: duel", "line 3: 'variant' stands twice; first in line 2"),
        (f"{FORMAT}\nvariant: ../x", "line 2: not a variant's name"),
        (f"{FORMAT}\nrules: 99\nvariant: classic", "line 2: rules version 99 is unknown here; known is up to 1"),
        (f"{FORMAT}\nrules: one", "line 2: the rules version is a number"),
        (f"{FORMAT}\nvariant: classic\nswitches: rescue", "line 3: not a switch: 'rescue'"),
        (f"{FORMAT}\nvariant: classic\nswitches: a=1 a=2", "line 3: switch 'a' stands twice"),
        (f"{FORMAT}\nvariant: classic\nresult: everybody wins", "line 3: not a result"),
        (f"{FORMAT}\nvariant: classic\ncolour: red", "line 3: unknown header 'colour'"),
        (f"{FORMAT}\nvariant: classic\nred d3-d4", "line 3: not a header line"),
        (f"{FORMAT}\nvariant: classic\n\nred d3-d4", "line 4: not a step"),
        (f"{FORMAT}\nvariant: classic\n\nred:", "line 4: not a step"),
        ("x" * (MOST_CHARACTERS + 1), "longer than"),
    ],
)
def test_mistakes_name_their_line(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message.replace("(", r"\(")) as mistake:
        read_record(text)
    assert mistake.value.why.code != "text.other", "every mistake has a message in all languages"


# ---- times -----------------------------------------------------------------------------------------------------------


TWO = (Step("red", "a1-a2"), Step("blue", "b8-b7"))


def test_clock_and_times_are_optional() -> None:
    record = Record("duel", clock="turn turn=60 deployment=300", times=(12_000, 0), steps=TWO)
    text = record.write()
    assert "clock: turn turn=60 deployment=300\ntimes: 12000 0\n" in text
    assert read_record(text) == record
    assert "clock" not in Record("duel", steps=TWO).write()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("times: 1 2 3", "line 4: there are 3 times for 2 steps"),
        ("times: 1 -2", "line 4: not times: '1 -2'"),
        ("times: 1 nan", "line 4: not times: '1 nan'"),
        ("clock: bank bank=5.5", "line 4: not a time control: 'bank bank=5.5'"),
        ("clock: turn", ""),
    ],
)
def test_wrong_times_are_refused_with_their_line(line: str, reason: str) -> None:
    head, steps = Record("duel", steps=TWO).write().split("\n\n")
    text = f"{head}\n{line}\n\n{steps}"
    if not reason:
        assert read_record(text).clock == "turn"
        return
    with pytest.raises(TextError, match=f"^{re.escape(reason)}"):
        read_record(text)
