"""Records as rows of files, and these files as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars
import pytest

import gonfalon
from cli.terminal import fails, run
from gonfalon.engine.chance import draw
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Game
from gonfalon.records import ExportError, export, list_records, load, make_game, make_record, play_record, read_record

VARIANTS = ["tiny", "duel", "cardgame", "conquest-three"]
PART = 40
"""Steps of a match that is resigned early."""


def play(game: Game, seed: int, most: int = 10**9) -> str:
    """Return the record of a random match; after `most` steps one player resigns."""
    rng, state, steps = np.random.default_rng(seed), game.initial_state(), []
    while actors := game.to_act(state):
        player = actors[0]
        if len(steps) >= most and player != CHANCE:
            steps.append((player, WITHDRAW))
            state = game.withdraw(state, player)
            continue
        action = draw(game, state, rng) if player == CHANCE else int(rng.choice(game.legal_actions(state, player)))
        steps.append((player, action))
        state = game.apply(state, player, action)
    return make_record(game, steps).write()


def write(folder: Path, variant: str, count: int = 3) -> Path:
    """Write records of a variant into a folder, in two subfolders."""
    game = gonfalon.make(variant)
    for number in range(count):
        path = folder / str(number % 2) / f"match-{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(play(game, number, PART), encoding="utf-8")
    return folder


@pytest.mark.parametrize("suffix", [".parquet", ".npz"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_row_says_what_the_player_saw_did_and_got(tmp_path: Path, variant: str, suffix: str) -> None:
    paths = list_records(write(tmp_path / "records", variant))
    output = tmp_path / f"rows{suffix}"
    counts = list(export(paths, tmp_path / "records", output, planes=True))
    rows = load(output)
    assert rows.about.matches == ("0/match-0", "0/match-2", "1/match-1")
    assert np.bincount(rows.match).tolist() == counts
    form = gonfalon.make(variant).form(dtype="uint8", canonical=True, compact=True)
    assert rows.about.shape == form.spec.shape
    at = 0
    for path in paths:
        record = read_record(path.read_text(encoding="utf-8"))
        game = make_game(record)
        steps = list(play_record(game, record))
        outcome = game.outcome(steps[-1][3])
        assert outcome is not None
        for ply, (before, player, action, _) in enumerate(steps):
            assert (rows.ply[at], rows.player[at], rows.action[at]) == (ply, player, action)
            if player == CHANCE:
                assert rows.legal[at] == len(game.chance_outcomes(before)[0])
                assert np.isnan(rows.result[at])
                assert not rows.planes[at].any()
                assert rows.form_action[at] == -1
            else:
                view = game.view(before, player)
                assert rows.legal[at] == len(view.legal)
                assert rows.result[at] == np.float32(outcome.returns[player])
                assert np.array_equal(rows.planes[at], game.encode(view, form=form).planes)
                assert rows.form_action[at] == (form.ids[player, action] if action >= 0 else -1)
            at += 1
    assert at == len(rows.match)


def test_polars_reads_the_file(tmp_path: Path) -> None:
    folder = write(tmp_path / "records", "duel")
    list(export(list_records(folder), folder, tmp_path / "rows.parquet", planes=True))
    frame = polars.read_parquet(tmp_path / "rows.parquet")
    rows = load(tmp_path / "rows.parquet")
    assert frame["action"].to_list() == rows.action.tolist()
    assert frame["planes"].to_numpy().reshape(rows.planes.shape).tolist() == rows.planes.tolist()
    results = frame.group_by("match", "player").agg(polars.col("result").first())
    assert results.group_by("match").agg(polars.col("result").sum())["result"].to_list() == [0.0] * 3


def test_a_match_that_goes_on_has_no_result(tmp_path: Path) -> None:
    text = play(gonfalon.make("duel"), 1)
    lines = [line for line in text.split("\n")[:-3] if not line.startswith("result:")]
    (tmp_path / "part.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    list(export(list_records(tmp_path), tmp_path, tmp_path / "rows.npz"))
    rows = load(tmp_path / "rows.npz")
    assert np.isnan(rows.result).all()
    assert "planes" not in rows.columns
    with pytest.raises(AttributeError, match="no column 'planes'; its columns are match, ply"):
        _ = rows.planes


def test_bad_records_are_named_and_no_file_is_left(tmp_path: Path) -> None:
    folder, output = write(tmp_path / "records", "duel"), tmp_path / "rows.npz"
    output.write_bytes(b"earlier")
    bad = folder / "1" / "z.txt"
    bad.write_text((folder / "0" / "match-0.txt").read_text(encoding="utf-8") + "red: a1-a9\n", encoding="utf-8")
    with pytest.raises(ExportError, match=r"z\.txt: line \d+: "):
        list(export(list_records(folder), folder, output))
    bad.write_text(play(gonfalon.make("tiny"), 1), encoding="utf-8")
    with pytest.raises(ExportError, match=r"z\.txt is of tiny, the first record of duel; export each game by itself"):
        list(export(list_records(folder), folder, output))
    assert output.read_bytes() == b"earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["records", "rows.npz"]


def test_other_files_are_no_exports(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", match=np.zeros(3))
    polars.DataFrame({"match": [1]}).write_parquet(tmp_path / "other.parquet")
    for name in ("other.npz", "other.parquet"):
        with pytest.raises(ExportError, match=f"{name} is no export of Gonfalon"):
            load(tmp_path / name)
    with pytest.raises(ExportError, match=r"rows stand in \.parquet and \.npz files"):
        load(tmp_path / "rows.csv")


@pytest.mark.usefixtures("elsewhere")
def test_the_command_exports_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "games", "duel")
    code, out, _ = run(capsys, "records", "export", "games", "--observations", "planes")
    assert code == 0
    assert "games.parquet: " in out
    assert "rows of 3 matches" in out
    assert load(tmp_path / "games.parquet").planes.ndim == 4
    assert "no folder 'nowhere'" in fails(capsys, "records", "export", "nowhere")
    assert "ends in .npz" in fails(capsys, "records", "export", "games", "--to", "npz", "-o", "rows.parquet")
    (tmp_path / "empty").mkdir()
    assert "there are no records (*.txt)" in fails(capsys, "records", "export", "empty")


@pytest.mark.usefixtures("elsewhere")
def test_an_agent_plays_itself_and_the_same_command_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["selfplay", "--agent", "random", "--game", "tiny", "--time", "10", "--processes", "1"]
    assert run(capsys, *command, "--games", "4", "--to", "npz", "-o", "rows.npz")[0] == 0
    first = load(tmp_path / "rows.npz")
    assert len(first.about.matches) == 4
    code, out, _ = run(capsys, *command, "--games", "6", "--to", "npz", "-o", "rows.npz")
    assert code == 0
    assert "of 6 matches" in out
    again = load(tmp_path / "rows.npz")
    assert again.action[: len(first.action)].tolist() == first.action.tolist()
