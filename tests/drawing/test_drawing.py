"""Pictures of views: well-formed, of what the viewer knows, and with the shares of worlds on request."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import gonfalon
from cli.terminal import fails, run
from gonfalon.engine.chance import draw as draw_chance
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, State
from gonfalon.engine.search import Mind

SVG = "{http://www.w3.org/2000/svg}"
VARIANTS = tuple(gonfalon.variants(unlisted=True))


def play(game: Game, steps: int, seed: int = 5) -> State:
    """Return a state some random steps after the deployments."""
    rng = np.random.default_rng(seed)
    state = gonfalon.deploy_all(game, rng)
    for _ in range(steps):
        if not (actors := game.to_act(state)):
            break
        player = actors[0]
        legal = game.legal_actions(state, player) if player != CHANCE else ()
        state = game.apply(state, player, int(rng.choice(legal)) if player != CHANCE else draw_chance(game, state, rng))
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_picture_shows_each_piece_and_nothing_that_is_hidden(variant: str) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(1)
    state = play(game, 30)
    for observer in (0, 1, PUBLIC):
        view = game.view(state, observer)
        root = ElementTree.fromstring(gonfalon.draw(game, view).svg)
        title = root.find(f"{SVG}title")
        assert title is not None
        assert title.text is not None
        scene = game.scene(view)
        told = re.split(r"[,;:.] ?", title.text)
        for token in scene.tokens:
            assert (f"{token.face} {token.place}" in [each.strip() for each in told]) == bool(token.face)
        if observer != PUBLIC:
            world = game.resample(view, rng)
            assert gonfalon.draw(game, game.view(world, observer)).svg == gonfalon.draw(game, view).svg


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_notebook_shows_a_view_as_its_picture(variant: str) -> None:
    game = gonfalon.make(variant)
    state = play(game, 10)
    for observer in (0, PUBLIC, EVERYTHING):
        view = game.view(state, observer)
        assert view._repr_svg_() == gonfalon.draw(game, view).svg
    assert game.view(state, EVERYTHING)._repr_svg_() == gonfalon.draw(game, state).svg


def test_a_notebook_shows_views_of_boards_and_house_rules_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mini.toml").write_text('inherits = "duel"\n[switches]\nmax_turns = 40\n', encoding="utf-8")
    for game in (gonfalon.make(tmp_path / "mini.toml"), gonfalon.make("barrage", rescue=True)):
        view = game.view(play(game, 10), 0)
        assert view._repr_svg_() == gonfalon.draw(game, view).svg


def test_a_view_from_another_process_is_shown_as_text() -> None:
    game = gonfalon.make("duel")
    view = game.view(play(game, 10), 0)
    sent = pickle.loads(pickle.dumps(view))
    assert sent._repr_svg_() is None
    assert gonfalon.draw(game, sent).svg == view._repr_svg_()


def test_worlds_come_as_one_array_or_one_by_one() -> None:
    game, rng = gonfalon.make("duel"), np.random.default_rng(3)
    view = game.view(play(game, 10), 0)
    worlds = game.sample_worlds(view, (), Mind(seconds=0.1), 16, rng)
    assert worlds.shape == (16,)
    alone = [worlds[number : number + 1] for number in range(16)]
    assert gonfalon.draw(game, view, worlds).svg == gonfalon.draw(game, view, alone).svg


@pytest.mark.parametrize("variant", ["barrage", "cardgame", "conquest-two"])
def test_worlds_give_hidden_pieces_their_most_frequent_type(variant: str) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(2)
    view = game.view(play(game, 10), 0)
    worlds = [game.resample(view, rng) for _ in range(20)]
    hidden = [token for token in game.scene(view).tokens if not token.face]
    told = re.findall(r">(\d+)%<", gonfalon.draw(game, view, worlds).svg)
    assert len(told) == len(hidden) > 0
    assert all(0 < int(share) <= 100 for share in told)


def test_a_board_is_shown_from_either_side() -> None:
    game = gonfalon.make("barrage")
    state = play(game, 0)
    near, far = gonfalon.draw(game, state), gonfalon.draw(game, state, turned=True)
    assert near.svg != far.svg
    assert near._repr_svg_() == near.svg
    assert "picture of" in repr(near)
    with pytest.raises(ValueError, match="this view is of barrage, not of original"):
        gonfalon.draw(gonfalon.make("original"), game.view(state, 0))


def test_the_command_draws_a_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for variant in ("duel", "conquest-two", "cardgame"):
        game = gonfalon.make(variant)
        state = play(game, 12)
        (tmp_path / f"{variant}.txt").write_text(game.state_text(state), encoding="utf-8")
        assert run(capsys, "draw", f"{variant}.txt", "--eyes", "red")[0] == 0
        told = (tmp_path / f"{variant}.svg").read_text(encoding="utf-8").rstrip()
        assert told == gonfalon.draw(game, game.view(game.parse_state(game.state_text(state)), 0)).svg
    assert "no observer 'green'" in fails(capsys, "draw", "duel.txt", "--eyes", "green")
    (tmp_path / "bad.txt").write_text("duel\nnothing\n", encoding="utf-8")
    assert "bad.txt: " in fails(capsys, "draw", "bad.txt")
    assert "chess" in fails(capsys, "draw", _write(tmp_path / "other.txt", "chess\n"))
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["cardgame.svg", "conquest-two.svg", "duel.svg"]


def _write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return path.name
