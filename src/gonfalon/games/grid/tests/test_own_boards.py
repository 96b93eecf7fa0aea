"""Variants of one's own: files in any folder, texts in records, and rulesets made by hand. One check refuses the
mistakes of all three.
"""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import gonfalon
from gonfalon import games
from gonfalon.engine.game import Game, TextError
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import game_of, make_record, play_record
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError, Written
from gonfalon.engine.rulesets.titles import MOST_LETTERS, choose_text, name_variant
from gonfalon.games.grid import state as g
from gonfalon.games.grid import validation
from gonfalon.games.grid.game import GridGame
from gonfalon.games.grid.ruleset import SWITCHES
from gonfalon.games.grid.tests.test_small_boards import SMALL
from texts import edit

MINI = """
inherits = "classic"
deploy_rows = 2

[board]
columns = 5
rows = 7
blocked = ["c4"]

[army]
marshal = 1
spy = 1
miner = 1
scout = 2
bomb = 1
flag = 1

[switches]
max_turns = 300
"""


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """A complete file of one's own."""
    path = tmp_path / "mini.toml"
    path.write_text(MINI, encoding="utf-8")
    return path


def by_hand(variant: str = "mine", **data: Any) -> Ruleset:
    """A ruleset made by hand from Duel's, with other data."""
    ruleset = games.ruleset("duel")
    return msgspec.structs.replace(ruleset, variant=variant, data={**ruleset.data, **data})


# ---- files -------------------------------------------------------------------------------------------------------


def test_a_file_says_the_board_the_army_the_rows_and_the_switches(mini: Path) -> None:
    game = gonfalon.make(str(mini), rescue=True)
    ruleset = game.info.ruleset
    assert (ruleset.variant, ruleset.family, ruleset.own) == ("mini", "grid", True)
    assert (ruleset.facts.columns, ruleset.facts.rows, ruleset.facts.pieces) == (5, 7, 7)
    assert ruleset.facts.boxes == ()
    assert ruleset.values["max_turns"] == 300
    assert ruleset.values["chase_rule"] is False, "inherited from Classic"
    assert ruleset.changed == {"rescue": True}
    assert gonfalon.make(mini).info.ruleset.changed == {}
    assert "mini" not in games.variants(unlisted=True)


def test_names_are_files_beside_it_or_shipped_ones(tmp_path: Path, mini: Path) -> None:
    (tmp_path / "field.toml").write_text("columns = 6\nrows = 6\nblocked = []\n")
    (tmp_path / "guards.toml").write_text("captain = 3\nflag = 1\n")
    (tmp_path / "child.toml").write_text('inherits = "mini"\nboard = "field"\narmy = "guards"\n')
    (tmp_path / "wide.toml").write_text('inherits = "mini"\nboard = "10x8"\narmy = "duel"\n')
    child, wide = games.ruleset(tmp_path / "child.toml"), games.ruleset(tmp_path / "wide.toml")
    assert (child.data["board"]["name"], child.facts.columns, child.facts.pieces) == ("field", 6, 4)
    assert child.values["max_turns"] == 300, "inherited from the file beside it"
    assert (wide.facts.columns, wide.facts.rows, wide.facts.pieces) == (10, 8, 10)


MISTAKES = [
    ('inherits = "classic"', "", "key 'inherits' is missing"),
    ('inherits = "classic"', 'inherits = "nobody"', "inherits: no variant 'nobody'"),
    ('inherits = "classic"', 'inherits = "mini"', "inherits"),
    ('inherits = "classic"', "inherits = 3", "inherits: a name has small letters"),
    ('inherits = "classic"', 'inherits = "../classic"', "inherits: a name has small letters"),
    ('inherits = "classic"', 'inherits = "conquest"', "inherits: the family conquest has no variants"),
    ("deploy_rows = 2", "deploy_rows = 2\nlakes = 2", "unknown key 'lakes'"),
    ("deploy_rows = 2", "deploy_rows = 2\norder = 3", "unknown key 'order'"),
    ("deploy_rows = 2", "deploy_rows = 4", "deploy_rows: the board has no 4 rows for each side"),
    ("deploy_rows = 2", "deploy_rows = 1", "army: 7 pieces do not fit on 5 squares"),
    ("deploy_rows = 2", 'deploy_rows = "2"', "deploy_rows must be a whole number"),
    ("deploy_rows = 2", "deploy_rows = 0", "deploy_rows must be a whole number of at least 1"),
    ("deploy_rows = 2", "powers = 1", "powers must be true or false"),
    ("columns = 5", "columns = 2", "board: columns must be a whole number of at least 3"),
    ("columns = 5", "columns = 11", "board: columns must be at most 10"),
    ("columns = 5", "columns = 5.0", "board: columns must be a whole number"),
    ("columns = 5", "", "board: key 'columns' is missing"),
    ("columns = 5", "columns = 5\nwidth = 5", "board: unknown key 'width'"),
    ("rows = 7", "rows = 11", "board: rows must be at most 10"),
    ("rows = 7", "rows = true", "board: rows must be a whole number"),
    ('["c4"]', '["f4"]', "board: blocked: no square 'f4' (a1 to e7)"),
    ('["c4"]', '["c8"]', "board: blocked: no square 'c8'"),
    ('["c4"]', '["c4", "c4"]', "board: blocked: a square appears twice"),
    ('["c4"]', '"c4"', "board: blocked must be a list of squares"),
    ('["c4"]', '["c2"]', "deploy_rows: the blocked square c2 lies in a side's own 2 rows"),
    ('["c4"]', '["e6"]', "deploy_rows: the blocked square e6 lies in a side's own 2 rows"),
    ('["c4"]', '["a4", "b4", "c4", "d4", "e4"]', "board: blocked: no way leads from one side's rows"),
    ('["c4"]', '["a3", "b3", "c3", "d4", "e5", "c4", "d3"]', "board: blocked: no way leads"),
    ("flag = 1", "", "army: flag must be 1, not 0"),
    ("flag = 1", "flag = 2", "army: flag must be 1, not 2"),
    ("scout = 2", "scout = -1", "army: scout must be a whole number of at least 0"),
    ("scout = 2", "scouts = 2", "army: unknown key 'scouts'"),
    ("marshal = 1\nspy = 1\nminer = 1\nscout = 2\n", "", "army: there must be a piece that moves"),
    ("max_turns = 300", "max_turns = 1", "max_turns must be from 2 to 2000"),
    ("max_turns = 300", "max_turn = 300", "switches.max_turn is unknown"),
    ("max_turns = 300", "apple_bomb_stays = true", "switches.apple_bomb_stays needs powers"),
    ("max_turns = 300", "chase_rule = true\nmax_quiet_turns = 256", "max_quiet_turns must be at most 255"),
    ("deploy_rows = 2", "deploy_rows = 2\ntitle = 3", "title must be a text, or a table of texts by language, not 3"),
    ("deploy_rows = 2", 'deploy_rows = 2\ntitle = ""', "title must be a text, or a table of texts by language, not ''"),
    ("deploy_rows = 2", f'deploy_rows = 2\ntitle = "{"m" * 41}"', "title: at most 40 characters, not 41"),
    ("deploy_rows = 2", 'deploy_rows = 2\ntitle = "a\\nb"', "title: one line with single spaces"),
    ("deploy_rows = 2", 'deploy_rows = 2\ntitle = "a\\u202eb"', "title: one line with single spaces"),
    ("deploy_rows = 2", 'deploy_rows = 2\ntitle = " "', "title: one line with single spaces"),
    ("deploy_rows = 2", "deploy_rows = 2\ntitle = { en = 3 }", "title.en must be a text, not 3"),
    ("deploy_rows = 2", 'deploy_rows = 2\ntitle = { "" = "x" }', "title: '' is no code of a language"),
    ("deploy_rows = 2", 'deploy_rows = 2\ndescription = { English = "x" }', "description: 'English' is no code of a"),
    (
        "deploy_rows = 2",
        f'deploy_rows = 2\ndescription = {{ de = "{"m" * 201}" }}',
        "description.de: at most 200 characters",
    ),
    ("[board]", "[[board]]", "board must be a name"),
    ("[army]", "[army", "mini.toml"),
]


@pytest.mark.parametrize(("old", "new", "reason"), MISTAKES)
def test_a_mistake_is_refused_with_file_key_and_reason(mini: Path, old: str, new: str, reason: str) -> None:
    edit(mini, old, new)
    with pytest.raises(RulesetError) as caught:
        gonfalon.make(mini)
    assert "mini" in str(caught.value)
    assert reason in str(caught.value)


def test_a_title_is_kept_with_the_rules_and_changes_none(mini: Path) -> None:
    plain = games.ruleset(mini)
    edit(
        mini,
        "deploy_rows = 2",
        'deploy_rows = 2\ntitle = "Kleines Feld"\ndescription = { en = "Small.", de = "Klein." }',
    )
    titled = games.ruleset(mini)
    assert (titled.title, titled.description) == ({"": "Kleines Feld"}, {"en": "Small.", "de": "Klein."})
    assert games.ruleset(titled.source) == titled, "the text that matches and records store has the title"
    assert titled.mark == plain.mark, "a title is no rule"
    (mini.parent / "child.toml").write_text('inherits = "mini"\n')
    assert games.ruleset(mini.parent / "child.toml").title == {}, "another variant has another title"


@pytest.mark.parametrize("language", ["", "en", "de", "fr"])
def test_the_title_of_a_language_or_the_nearest(language: str) -> None:
    assert choose_text({"": "Kleines Feld"}, language) == "Kleines Feld"
    both = {"de": "Klein", "en": "Small"}
    assert choose_text(both, language) == both.get(language, "Small")
    assert choose_text({"da": "Lille"}, language) == "Lille"
    assert name_variant("small-board", {}, language) == "Small board"


@pytest.mark.parametrize("title", [{"": "a\tb"}, {"en": "m" * 41}, {"en": 3}, "Small"])
def test_a_title_by_hand_passes_the_same_check(title: Any) -> None:
    with pytest.raises(RulesetError, match="mine: title"):
        gonfalon.make(msgspec.structs.replace(by_hand(), title=title))


def test_a_title_in_a_text_of_somebody_else_is_checked(mini: Path) -> None:
    edit(mini, "deploy_rows = 2", 'deploy_rows = 2\ntitle = "Small"')
    written = games.ruleset(mini).source
    assert isinstance(written, Written)
    with pytest.raises(RulesetError, match="title: one line"):
        games.ruleset(written._replace(text=written.text.replace('"Small"', '"Sm\\u0007all"')))


@pytest.mark.parametrize("name", ["../mini", "/etc/passwd", "a/b", "..", ".", "", "Mini", "a\\b", "mini.toml", "c\0d"])
@pytest.mark.parametrize("key", ["board", "army", "inherits"])
def test_names_reach_no_file_outside_the_folder(tmp_path: Path, key: str, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "mini.toml").write_text(MINI)
    table = {"inherits": "classic", key: name}
    text = "\n".join(f"{each} = {msgspec.json.encode(value).decode()}" for each, value in table.items())
    (folder / "mine.toml").write_text(text)
    with pytest.raises(RulesetError, match=rf"mine.toml: {key}: a name has small letters"):
        gonfalon.make(folder / "mine.toml")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "field.toml").write_text("columns = 6\nrows = 8\nblocked = []\n")
    (folder / "field.toml").symlink_to(tmp_path / "field.toml")
    (folder / "mine.toml").write_text('inherits = "duel"\nboard = "field"\n')
    with pytest.raises(RulesetError, match=r"mine.toml: board: field.toml is a link out of its folder"):
        gonfalon.make(folder / "mine.toml")


@pytest.mark.parametrize("name", ["duel", "tiny", "conquest", "grid-3x3"])
def test_the_name_of_a_shipped_variant_is_refused(mini: Path, name: str) -> None:
    path = mini.rename(mini.with_name(f"{name}.toml"))
    with pytest.raises(RulesetError, match=rf"{name}.toml: '{name}' is the name of a shipped variant"):
        gonfalon.make(path)


@pytest.mark.parametrize("name", ["Mini.toml", "mini board.toml", f"{'m' * 41}.toml", "mini.dev.toml"])
def test_a_file_is_named_like_a_variant(mini: Path, name: str) -> None:
    with pytest.raises(RulesetError, match="a name has small letters, digits and hyphens, at most 40"):
        gonfalon.make(mini.rename(mini.with_name(name)))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"nowhere\.toml: .*No such file"):
        gonfalon.make(tmp_path / "nowhere.toml")


def test_a_board_beside_it_that_has_a_shipped_name_is_refused(tmp_path: Path, mini: Path) -> None:
    (tmp_path / "10x8.toml").write_text("columns = 6\nrows = 6\nblocked = []\n")
    (tmp_path / "child.toml").write_text('inherits = "mini"\nboard = "10x8"\n')
    with pytest.raises(RulesetError, match=r"child.toml: board: '10x8' names the file beside this one and a shipped"):
        gonfalon.make(tmp_path / "child.toml")


def test_inheriting_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('inherits = "two"\n')
    (tmp_path / "two.toml").write_text('inherits = "one"\n')
    with pytest.raises(RulesetError, match=r"inherits: one.toml inherits from itself"):
        gonfalon.make(tmp_path / "one.toml")


# ---- the manual ----------------------------------------------------------------------------------------------------

MANUAL = Path(__file__).parents[5] / "docs" / "boards.md"


def test_the_example_of_the_manual_is_complete(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "small.toml").write_text(example)
    facts = gonfalon.make(tmp_path / "small.toml").info.ruleset.facts
    assert (facts.columns, facts.rows, facts.pieces) == (5, 7, 8)


def test_the_manual_lists_all_keys_and_switches() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    listed = {key for row in rows for key in re.findall(r"`([^`]*)`", row)}
    keys = {"inherits", "switches", *MOST_LETTERS, *validation.KEYS - {"order", "boxes"}, "army.<type>"}
    assert listed == keys | {f"board.{key}" for key in validation.BOARD_KEYS} | {s.name for s in SWITCHES} | set(SMALL)
    assert all(f"`{kind}`" in text for kind in validation.TYPES[1:])


# ---- rulesets made by hand -----------------------------------------------------------------------------------------


def test_six_columns_by_hand_are_six_columns() -> None:
    """No piece comes to stand beyond the sixth column, and the facts follow the data."""
    ruleset = by_hand(board={"columns": 6, "rows": 8, "blocked": []})
    assert ruleset.facts.columns == 10
    game = gonfalon.make(ruleset)
    assert game.info.ruleset.facts.columns == 6
    state, rng = game.initial_state(), np.random.default_rng(1)
    for side in range(2):
        for action in game.random_deployment(game.view(state, side), rng):
            state = game.apply(state, side, int(action))
    places = np.flatnonzero(state["board"][0, : g.SQUARES] & g.ANY_SIDE)
    assert len(places) == 20
    assert (places % g.COLUMNS < 6).all()


HANDMADE: list[tuple[dict[str, Any], str]] = [
    ({"board": {"columns": 10, "rows": 8, "blocked": ["c2"]}}, "deploy_rows: the blocked square c2"),
    ({"board": {"columns": 12, "rows": 8, "blocked": []}}, "board: columns must be at most 10"),
    ({"board": "10x8"}, "board must be a table"),
    ({"army": {"marshal": 2}}, "army: flag must be 1"),
    ({"army": {"scout": 40, "flag": 1}}, "army: 41 pieces do not fit on 30 squares"),
    ({"deploy_rows": 5}, "deploy_rows: the board has no 5 rows"),
    ({"lakes": 1}, "unknown key 'lakes'"),
    ({"powers": True}, "switches.apple_bomb_stays is missing"),
    ({"powers": True, "army": {"spy": 5, "flag": 1}}, "army: spy must be at most 4 with powers, not 5"),
]


@pytest.mark.parametrize(("data", "reason"), HANDMADE)
def test_a_bad_ruleset_by_hand_is_refused(data: dict[str, Any], reason: str) -> None:
    for make in (gonfalon.make, GridGame):
        with pytest.raises(RulesetError) as caught:
            make(by_hand(**data))
        assert str(caught.value).startswith("mine")
        assert reason in str(caught.value)


def test_more_own_squares_than_the_records_hold_are_refused() -> None:
    board = {"columns": 10, "rows": 10, "blocked": []}
    with pytest.raises(RulesetError, match="5 rows of 10 are more than 40 squares for a side"):
        gonfalon.make(by_hand(board=board, deploy_rows=5))


def test_bad_values_by_hand_are_refused() -> None:
    ruleset = by_hand()
    for values, reason in (
        ({**ruleset.values, "max_turns": 5000}, "max_turns must be from 2 to 2000"),
        ({"max_turns": 5}, r"switches\.\w+ is missing"),
        ({**ruleset.values, "chess": 1}, "switches.chess is unknown"),
    ):
        with pytest.raises(RulesetError, match=reason):
            gonfalon.make(msgspec.structs.replace(ruleset, values=values))
    wider = tuple(msgspec.structs.replace(s, high=9999) if s.name == "max_turns" else s for s in ruleset.switches)
    with pytest.raises(RulesetError, match=r"switches\.max_turns has another range"):
        gonfalon.make(msgspec.structs.replace(ruleset, switches=wider))


def test_a_ruleset_by_hand_cannot_take_the_name_of_a_shipped_one() -> None:
    with pytest.raises(RulesetError, match="duel: variant: a shipped variant has this name and other rules"):
        gonfalon.make(by_hand("duel", deploy_rows=2))
    assert gonfalon.make(by_hand("duel")).info.ruleset == games.ruleset("duel")


def test_a_ruleset_by_hand_cannot_take_the_name_of_another_familys_variant() -> None:
    with pytest.raises(RulesetError, match="tiny: 'tiny' is the name of a shipped variant"):
        gonfalon.make(by_hand("tiny"))


def test_a_ruleset_by_hand_is_written_with_its_facts() -> None:
    ruleset = games.ruleset(by_hand(board={"columns": 6, "rows": 8, "blocked": []}), rescue=True)
    assert (ruleset.facts.columns, ruleset.own, ruleset.changed) == (6, True, {"rescue": True})
    assert ruleset.source == gonfalon.make(ruleset).info.ruleset.source


def test_rulesets_of_one_name_are_told_apart(mini: Path) -> None:
    """Views, forms and stored batches are compared by the ruleset's name."""
    one = gonfalon.make(mini)
    edit(mini, "rows = 7", "rows = 8")
    other = gonfalon.make(mini)
    view = other.view(other.initial_state(), 0)
    with pytest.raises(ValueError, match="this is a view of mini#"):
        one.scene(view)


# ---- texts -------------------------------------------------------------------------------------------------------


def play_randomly(game: Game, seed: int) -> list[tuple[int, int]]:
    """Return the steps of a random match."""
    state, rng, steps = game.initial_state(), np.random.default_rng(seed), list[tuple[int, int]]()
    while able := game.to_act(state):
        player = int(rng.choice(able))
        action = int(rng.choice(game.legal_actions(state, player)))
        state = game.apply(state, player, action)
        steps.append((player, action))
    return steps


def test_a_record_holds_the_whole_ruleset(mini: Path) -> None:
    """It is read and replayed without the file."""
    game = gonfalon.make(mini, max_turns=60, rescue=True)
    text = make_record(game, play_randomly(game, 1)).write()
    mini.unlink()
    record = read_record(text)
    again = game_of(record, gonfalon.make)
    assert again.info.ruleset == game.info.ruleset
    assert list(play_record(again, record))
    assert record.write() == text
    assert "ruleset" not in make_record(gonfalon.make("duel"), []).write()


def edit_record(old: str, new: str) -> str:
    """The text of a record of a board of one's own, changed."""
    text = make_record(gonfalon.make(by_hand(deploy_rows=2)), []).write()
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"deploy_rows":2', '"deploy_rows":4', r"line 4: mine: deploy_rows: the blocked square"),
        ('"deploy_rows":2,', "", r"line 4: ruleset of mine: key 'deploy_rows' is missing"),
        ('"family":"grid"', '"family":"tiny"', r"line 4: family: the family tiny has no variants of one's own"),
        ('"family":"grid"', '"family":"../grid"', r"line 4: family: "),
        ('"family":"grid"', '"family":3', r"line 4: ruleset of mine: key 'family' must be a name"),
        ('"family"', "family", r"line 4: ruleset of mine: JSON is malformed"),
        ("variant: mine", "variant: duel", r"line 4: variant: 'duel' is the name of a shipped variant"),
        ("ruleset: {", "ruleset: [{", r"line 4: not a ruleset"),
        ('"board":{', '"board":"10x8","army":{', r"line 4: .*board must be a table"),
    ],
)
def test_a_bad_ruleset_in_a_record_is_refused_with_its_line(old: str, new: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        game_of(read_record(edit_record(old, new)), gonfalon.make)


def test_games_of_ones_own_can_be_copied_and_written(mini: Path) -> None:
    game = gonfalon.make(mini)
    assert pickle.loads(pickle.dumps(game)).info.ruleset == game.info.ruleset
    written = game.info.ruleset.source
    assert isinstance(written, Written)
    assert gonfalon.make(written).info.ruleset == game.info.ruleset
    assert repr(game).startswith("<gonfalon game mini#")
