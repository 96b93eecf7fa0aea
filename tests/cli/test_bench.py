"""`gonfalon bench engine` and `gonfalon bench library`: which parts they measure, and how they print them."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from cli.terminal import fails, run
from gonfalon.cli.measure import library, speed


def test_the_engine_measures_only_the_variant() -> None:
    names = [name for name, _ in speed.list_parts("duel")]
    assert names == ["yardstick", "duel: random play", "duel: calls", "duel: starts"]
    assert {name.partition(":")[0] for name, _ in speed.list_parts("classic")} == {"yardstick", "classic"}
    everything = [name for name, _ in speed.list_parts()]
    assert len(everything) > 20
    assert {"original: evaluator rules", "conquest: starts", "cardgame: random play"} <= set(everything)


def test_rows_of_the_engine_are_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"name": "random play", "variant": "tiny", "value": 1234.0, "unit": "moves/s", "spread": 0.25}
    asked = []

    def list_parts(variant: str) -> list[speed.Part]:
        asked.append(variant)
        return [("one", lambda: [row]), ("two", lambda: [row])]

    monkeypatch.setattr(speed, "list_parts", list_parts)
    assert run(capsys, "bench", "engine", "--variant", "tiny")[1].count("random play tiny") == 2
    assert json.loads(run(capsys, "bench", "engine", "--json")[1]) == [row, row]
    assert asked == ["tiny", ""]


def test_a_part_of_the_engine_has_rows_of_its_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "CALLS", 50)
    parts = dict(speed.list_parts("tiny"))
    rows = parts["tiny: calls"]()
    assert [row["variant"] for row in rows] == ["tiny"] * 3
    assert all(row["value"] > 0 for row in rows)


def test_the_library_beside_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(library, "RUN", 0.01)
    ours = [each for each in library.CONTENDERS if each.library in ("gonfalon", "OpenSpiel")]
    none = library.Contender("a game", "Nowhere", ("no_such_module",), library.prepare_loop)
    monkeypatch.setattr(library, "CONTENDERS", (*ours, none))
    plot = tmp_path / "rates.svg"
    code, out, _ = run(capsys, "bench", "library", "--variant", "tiny", "--json", "--plot", str(plot))
    assert code == 0
    told = json.loads(out)
    assert told["variant"] == "tiny"
    rows = {f"{row['library']}: {row['name']}": row for row in told["rows"]}
    assert rows.pop("Nowhere: a game")["missing"] == "no_such_module"
    if find_spec("pyspiel") is None:
        assert rows.pop("OpenSpiel: dark chess")["missing"] == "pyspiel"
    assert len(rows) >= 5
    for row in rows.values():
        assert not row["missing"]
        assert row["cpu"] > 0
        assert 0 <= row["spread"] < 1
        assert row["ratio"] == pytest.approx(row["cpu"] / rows["gonfalon: single steps"]["cpu"])
    assert "gonfalon: single steps" in plot.read_text(encoding="utf-8")


def test_the_table_names_what_is_not_installed() -> None:
    lines = list(library.write_table([library.Result("a game", "Nowhere", "no_such_module")]))
    assert lines[-1].split() == ["Nowhere:", "a", "game", "not", "installed:", "no_such_module"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bench", "library", "--variant", "chess"], "no game 'chess'"),
        (["bench", "engine", "--variant", "chess"], "no game 'chess'"),
        (["bench", "library", "--plot", "rates.txt"], "--plot takes a .png, .svg or .pdf"),
        (["bench", "engine", "--plot", "rates.png"], "--plot is for bench library"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in fails(capsys, *arguments)
