"""The command line: every command, mistakes that end with one line and status 2, and no unneeded imports."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import gonfalon
from cli.terminal import fails, run, typed
from gonfalon.cli import main
from gonfalon.cli.language.words import Words, read_own
from gonfalon.cli.listing import select_sections, split_diagrams
from gonfalon.games.words import languages

VARIANTS = tuple(gonfalon.variants())
SOURCE = Path(gonfalon.__file__).parents[1]


# ---- help and listings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["--help"], ["play", "--help"], ["map", "--help"], ["games"], ["games", "--json"]]
)
def test_help_and_listings_import_nothing_heavy(arguments: list[str]) -> None:
    """The test checks imports instead of time: these modules take far longer to import than all other modules."""
    script = (
        "import sys, atexit\n"
        "atexit.register(lambda: print({'numba', 'numpy', 'litestar', 'rich', 'sqlalchemy'} & set(sys.modules),"
        " file=sys.stderr))\n"
        f"from gonfalon.cli import main\nsys.exit(main({arguments!r}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True, timeout=60
    )
    assert done.stdout
    assert done.stderr.strip() == "set()"


@pytest.mark.parametrize("language", languages())
def test_help_is_in_the_language_of_its_reader(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    """The help contains every message of the catalogue for help, in the reader's language."""
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    said = []
    for command in ([], ["serve"], ["games"], ["rules"], ["play"], ["replay"], ["arena"]):
        with pytest.raises(SystemExit):
            main([*command, "--help"])
        said.append(capsys.readouterr().out)
    text = "\n".join(said)
    for key, message in read_own(language).items():
        if key.startswith("help."):
            assert all(part in text for part in message.split("%(default)s")), key


def test_a_language_is_chosen_for_the_help_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "nl")
    for arguments in (["play", "--help", "--language", "de"], ["--help", "--language=de"]):
        with pytest.raises(SystemExit):
            main(arguments)
        assert capsys.readouterr().out.startswith("Aufruf: gonfalon")
    code, _, err = run(capsys, "rules", "duel", "--language", "xx")
    assert (code, "no language 'xx'" in err) == (2, True)


def test_as_a_module() -> None:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-m", "gonfalon", "--version"], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == f"gonfalon {gonfalon.__version__}"


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games")
    assert code == 0
    assert all(f"  {variant} " in out for variant in VARIANTS)


def test_games_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    titles = 'inherits = "duel"\ntitle = { en = "Tiny field", de = "Kleines Feld" }\ndescription = "With a lake."\n'
    (tmp_path / "small.toml").write_text(titles, encoding="utf-8")
    (tmp_path / "plain-field.toml").write_text('inherits = "duel"\n', encoding="utf-8")
    code, out, _ = run(capsys, "games", str(tmp_path / "small.toml"), "--language", "de")
    assert code == 0
    assert "Eigene Bretter" in out
    assert "  small  Kleines Feld. With a lake." in out
    assert "barrage" not in out
    code, out, _ = run(capsys, "games", "--json", "--variants", str(tmp_path))
    cards = {card["variant"]: (card["title"], card["text"]) for card in json.loads(out)}
    assert set(VARIANTS) < set(cards)
    assert cards["small"] == ("Tiny field", "With a lake.")
    assert cards["plain-field"] == ("Plain field", "")
    (tmp_path / "small.toml").write_text(titles.replace("a lake", "a\\tlake"), encoding="utf-8")
    assert "small.toml: description: one line" in fails(capsys, "games", str(tmp_path / "small.toml"))


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games", "--json")
    cards = json.loads(out)
    assert code == 0
    assert [card["variant"] for card in cards] == list(VARIANTS)
    assert all(card["title"] and card["switches"] for card in cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rules(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", variant)
    assert code == 0
    assert Words().say(f"game.{variant}.title") in out
    assert "<!--" not in out


def test_rules_show_what_applies() -> None:
    page = "# A\nall\n## B\n<!-- variants: x y-2 -->\nsome\n### C\nbelow\n## D\n```\n# no heading\n```\nrest\n"
    assert "below" in select_sections(page, "x")
    assert "some" in select_sections(page, "y-2")
    assert select_sections(page, "z") == "# A\nall\n## D\n```\n# no heading\n```\nrest\n"


def test_boards_stand_as_they_are() -> None:
    assert split_diagrams("a\n```board\n  . ~\n```\nb\n") == [(False, "a\n"), (True, "  . ~\n"), (False, "\nb\n")]
    assert split_diagrams("```cards Both lines\nb?\n```\n") == [(False, ""), (True, "Both lines\nb?\n"), (False, "\n")]


# ---- mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules", "chess"], "no game 'chess'"),
        (["play", "chess"], "no game 'chess'"),
        (["play", "classic", "--agent", "genius"], "no computer player 'genius'"),
        (["play", "classic", "--side", "green"], "no side 'green'"),
        (["play", "classic", "--set", "rescue"], "NAME=VALUE"),
        (["play", "classic", "--set", "rescue=maybe"], "neither true, false nor"),
        (["play", "classic", "--set", "resque=true"], "no switch 'resque'"),
        (["play", "classic", "--set", "max_turns=0"], "max_turns must be from"),
        (["perft", "classic", "-1"], "DEPTH: takes a whole number from 0, not '-1'"),
        (["perft", "classic", "1", "--position", ""], "--position: "),
        (["play", "classic", "--time", "0"], "--time: takes a whole number from 1, not '0'"),
        (["play", "classic", "--seed", "-1"], "--seed: takes a whole number from 0, not '-1'"),
        (["engine", "--game", "original", "--time", "-5"], "--time: takes a whole number from 1"),
        (["positions", "greedy", "--tries", "0"], "--tries: takes a whole number from 1"),
        (["perft", "classic", "1", "--position", "nonsense"], "--position: "),
        (["perft", "chess", "1"], "no game 'chess'"),
        (["perft", "nowhere.toml", "1"], "nowhere.toml: No such file"),
        (["arena", "greedy", "random", "--game", "nowhere.toml"], "nowhere.toml: No such file"),
        (["warm", "nowhere.toml"], "no game 'nowhere.toml'"),
        (["replay", "/nowhere/at-all"], "No such file"),
        (["warm", "chess"], "no game 'chess'"),
        (["bench", "server", "--computer", "genius"], "no computer player 'genius'"),
        (["bench", "server", "--computer", "level-4", "--matches", "0"], "--matches: takes"),
        (["bench", "belief", "--matches", "-3"], "--matches: takes a whole number from 1"),
        (["bench", "soak", "--minutes", "nan"], "--minutes: takes a number above 0"),
        (["bench", "kills", "--variant", "chess"], "no game 'chess'"),
        (["bench", "server", "--computer", "level-4", "--variant", "chess"], "no game 'chess'"),
        (["map", "check", "nowhere.toml"], "no file 'nowhere.toml', and no map of that name"),
        (["map", "draw", "nowhere.toml"], "no file 'nowhere.toml', and no map of that name"),
        (["map", "draw", "narrows", "-o", "/nowhere/at-all.svg"], "No such file"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in fails(capsys, *arguments)


@pytest.mark.parametrize("arguments", [[], ["fly"], ["play"], ["perft", "classic", "deep"], ["bench", "page"], ["map"]])
def test_usage_mistakes(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--help" in fails(capsys, *arguments)


# ---- studying -----------------------------------------------------------------------------------------------------


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "perft", "classic", "1")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [["0", "1"], ["1", "12"]]


def test_a_board_of_ones_own_is_played_kept_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The terminal draws the squares of the board and nothing else."""
    board = "[board]\ncolumns = 4\nrows = 5\nblocked = ['b3']\n[army]\nspy = 1\nflag = 1\n"
    (tmp_path / "small.toml").write_text(f'inherits = "classic"\ndeploy_rows = 1\n{board}')
    path, record = str(tmp_path / "small.toml"), str(tmp_path / "record.txt")
    assert "1  3  " in run(capsys, "perft", path, "1")[1]
    typed(monkeypatch, "SF..")
    code, out, _ = run(capsys, "play", path, "--agent", "random", "--record", record)
    assert code == 0
    assert out.startswith("small. You are Red.")
    (tmp_path / "small.toml").unlink()
    told = run(capsys, "replay", record)[1]
    assert told.startswith("small. person (red) against random (blue).")
    assert "\n  3   .  ~~~  .   .\n" in told
    assert "\n  1  rS  rF   .   .\n      a   b   c   d\n" in told


def test_replay_names_the_line_of_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "bad.txt"
    record.write_text("Gonfalon record 1\nvariant: classic\n\nred: d3-d4\n", encoding="utf-8")
    assert f"{record}: line 4: " in fails(capsys, "replay", str(record))


def test_replay_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "Gonfalon record 1", "variant: classic", "", "red: resigns")
    code, out, _ = run(capsys, "replay", "-")
    assert code == 0
    assert "Result: blue wins (resigned)" in out


def test_warm(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "warm", "barrage")
    assert code == 0
    assert out.startswith("barrage: ")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("matches", "no URL"),
        ("strange://someone:secret@host/name", "no URL"),
        ("postgresql+nothing://someone:secret@host/name", "no URL"),
        ("sqlite:////nowhere/at/all/secret.db", "unable to open"),
    ],
)
def test_a_database_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, url: str, reason: str
) -> None:
    """The error is one line without the database's address, which may contain a password."""
    monkeypatch.setattr("pathlib.Path.is_file", lambda _: True)  # the page is built
    told = fails(capsys, "serve", "--port", "0", "--database", url)
    assert reason in told
    assert "secret" not in told


def test_a_source_that_is_no_web_address(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathlib.Path.is_file", lambda _: True)  # the page is built
    told = fails(capsys, "serve", "--port", "0", "--source", "ftp://code.example")
    assert "--source: the source needs a URL with http or https, not 'ftp://code.example'" in told


def test_matches_are_kept_where_they_always_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gonfalon.server.config.STATIC", tmp_path)
    (tmp_path / "index.html").touch()  # the page is built
    monkeypatch.setattr("gonfalon.server.app.serve", lambda *_: None)
    assert run(capsys, "serve", "--port", "0")[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "gonfalon-data"}
    assert (tmp_path / "gonfalon-data" / "matches.db").is_file()
    assert run(capsys, "matches", "list") == (0, "", "")


# ---- what surrounds a command -------------------------------------------------------------------------------------


def run_outside(*arguments: str, stdout: int = subprocess.PIPE, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with more variables in its environment."""
    command = [sys.executable, "-m", "gonfalon", *arguments]
    variables = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run(
        command, check=False, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", env=variables, timeout=60
    )


def test_an_output_that_cannot_hold_a_character_is_named(tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    record.write_text("Gonfalon record 1\nvariant: duel\nplayer red: \U0001f600\n", encoding="utf-8")
    for encoding, arguments in (("ascii", ("rules", "special")), ("cp1252", ("replay", str(record)))):
        done = run_outside(*arguments, stdout=subprocess.DEVNULL, PYTHONIOENCODING=encoding)
        assert done.returncode == 1
        assert done.stderr.startswith(f"gonfalon: the output's encoding, {encoding}, has no U+")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_an_output_that_cannot_be_written_is_named() -> None:
    with Path("/dev/full").open("w") as full:
        done = run_outside("games", stdout=full.fileno())
    assert (done.returncode, done.stderr) == (
        1,
        "gonfalon: the output cannot be written: No space left on device\n",
    )


def test_data_that_are_no_folder_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr("pathlib.Path.is_file", lambda _: True)  # the page is built
    assert f"--data: {file} is a file" in fails(capsys, "serve", "--port", "0", "--data", str(file))
    assert "cannot be made" in fails(capsys, "serve", "--port", "0", "--data", str(file / "below"))


def test_a_database_of_a_newer_version_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gonfalon.server.config.STATIC", tmp_path)
    (tmp_path / "index.html").touch()  # the page is built
    monkeypatch.setattr("gonfalon.server.app.serve", lambda *_: None)
    data = str(tmp_path / "data")
    assert run(capsys, "serve", "--port", "0", "--data", data)[0] == 0
    with sqlite3.connect(tmp_path / "data" / "matches.db") as database:
        database.execute("UPDATE alembic_version SET version_num = 'later'")
    assert "of a newer version of Gonfalon" in fails(capsys, "serve", "--port", "0", "--data", data)
