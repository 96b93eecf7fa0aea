"""The command `gonfalon map`, which belongs to one family."""

from __future__ import annotations

from pathlib import Path

import pytest

import gonfalon
from cli.terminal import run

MAPS = Path(gonfalon.__file__).parent / "games" / "conquest" / "data" / "maps"


def test_help_lists_what_families_bring(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    assert "\n    map  " in out


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("isle", "24 territories, 72 zones, 8 cities, 148 borders, 36 ridged borders"),
        ("narrows", "12 territories, 36 zones, 4 cities, 70 borders, 14 ridged borders"),
    ],
)
def test_map_check(name: str, fact: str, capsys: pytest.CaptureFixture[str]) -> None:
    for named in (name, str(MAPS / f"{name}.toml")):
        code, out, err = run(capsys, "map", "check", named)
        assert (code, err) == (0, "")
        assert out.endswith(f": {fact}\n")


def broken(folder: Path) -> Path:
    """Write the map for two players with a wrong count of cities, which can still be drawn; return its path."""
    path = folder / "broken.toml"
    text = (MAPS / "narrows.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("cities = 4", "cities = 5"), encoding="utf-8")
    return path


def test_map_check_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "map", "check", str(broken(tmp_path))) == (1, "broken.toml: cities: there are 4, not 5\n", "")


def test_map_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "map", "draw", "narrows") == (0, "narrows.svg\n", "")
    picture = (tmp_path / "narrows.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert run(capsys, "map", "draw", "narrows", "-o", "-") == (0, picture, "")


def test_map_draw_shows_a_map_with_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.svg"
    code, told, err = run(capsys, "map", "draw", str(broken(tmp_path)), "--output", str(out))
    assert (code, told, err) == (1, f"{out}\n", "broken.toml: cities: there are 4, not 5\n")
    assert out.read_text(encoding="utf-8").startswith("<svg ")


def test_map_draw_of_what_is_no_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.toml"
    path.write_text("title = 1\n", encoding="utf-8")
    code, out, err = run(capsys, "map", "draw", str(path))
    assert (code, out) == (1, "")
    assert "none.toml: key 'points' is missing" in err
