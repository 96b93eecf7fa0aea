"""Parts of the server that are tested without one: generated types, patches, secrets, the store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gonfalon.engine.screens.patches import apply_patch, compare_scenes
from gonfalon.engine.screens.scene import Line, Scene, Token
from gonfalon.games import make
from gonfalon.server.match.presence import Presence
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.secrets import derive, find_seat, hash_secret, new_id, new_secret
from gonfalon.server.protocol.typescript import TARGET, generate
from gonfalon.server.storage.entries import Header, Offered, Played, SeatHeader, Taken
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError


def test_the_pages_types_are_up_to_date() -> None:
    assert TARGET.read_text(encoding="utf-8") == generate(), "run python -m gonfalon.server.protocol.typescript"


def scene(*tokens: Token, turn: int = 0) -> Scene:
    return Scene(tokens, (), (), (), Line("x"), ("red",), turn)


def test_patches() -> None:
    a, b, c = Token("a", "a1", "red"), Token("b", "b1", "red"), Token("c", "c1", "blue", "spy")
    moved = Token("b", "b2", "red")
    for before, after in (
        (scene(a, b), scene(a, b)),
        (scene(a, b), scene(a, moved, turn=1)),
        (scene(a, b, c), scene(a, moved)),
        (scene(a), scene(c, a)),
        (scene(), scene(a, b)),
        (scene(a, b), scene(c)),
    ):
        found = apply_patch(before, compare_scenes(before, after))
        assert {t.id: t for t in found.tokens} == {t.id: t for t in after.tokens}
        assert found.turn == after.turn
    assert compare_scenes(scene(a, b), scene(a, moved)).tokens == (moved,)
    equal = Token("a", "a1", "red")
    assert compare_scenes(scene(a, b), scene(equal, b)) == compare_scenes(scene(a), scene(a))


def test_the_time_to_a_claim_runs_while_its_player_is_away_and_due() -> None:
    now = 1000.0
    seats = (SeatHeader(secret="x", maker=True), SeatHeader(secret="y"))
    match_state = MatchState(Header("m", "barrage", {}, seats, 1, 120), make("barrage"), [Taken(1)])
    presence = Presence(match_state, lambda: now)
    presence.arrive(0)
    presence.arrive(1)
    now += 10
    presence.depart(1)
    assert presence.claim_in(0) is None
    now += 50.5
    assert presence.claim_in(1) == 70
    assert not presence.find_absent()
    now += 100
    assert presence.find_absent() == (1,)
    match_state.due = (0,)
    presence.note_due()
    assert presence.claim_in(1) is None
    match_state.due = (1,)
    presence.note_due()
    assert presence.claim_in(1) == 120, "from the moment at which the seat became due"


def test_secrets() -> None:
    one, two = new_secret(), new_secret()
    assert len(one) >= 32
    hashes = [hash_secret(one), hash_secret(two), ""]
    assert (find_seat(one, hashes), find_seat(two, hashes), find_seat("", hashes)) == (0, 1, None)
    assert derive(one, "m") != derive(one, "n") != derive(two, "n")


def header(name: str) -> Header:
    return Header(name, "barrage", {}, (SeatHeader("Ada", secret="x"), SeatHeader(agent="random")), 1, 120)


def test_ids_of_matches_are_no_options_of_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(("-dxKvskBTK7I9UJX", "--keep", "k-xKvskBTK7I9UJX"))
    monkeypatch.setattr("secrets.token_urlsafe", lambda _size: next(drawn))
    assert new_id() == "k-xKvskBTK7I9UJX"


def test_store_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"

    async def write() -> None:
        store = Store(url)
        await store.start()
        await store.create(header("one"))
        await asyncio.gather(*(store.append("one", i, [Played(0, (i,), n=i)]) for i in range(300)))
        with pytest.raises(StoreError) as refused:
            await store.append("one", 5, [Played(0, (4711,))])
        assert "4711" not in str(refused.value), "errors come into logs, and this was a piece's place"
        assert (store.writer.stored, store.writer.failed, store.writer.waiting) == (300, 1, 0)
        assert 0 < store.writer.commits <= 301
        taken, good = store.append("one", 7, [Offered(1)]), store.append("one", 300, [Taken(1)])
        await good
        with pytest.raises(StoreError):
            await taken
        await store.create(header("two"), ("one", 301, [Offered(0)]))
        await store.close()

    async def read() -> None:
        store = Store(url)
        await store.start()
        loaded = await store.load("one")
        assert loaded is not None
        assert loaded[0] == header("one")
        assert loaded[1] == [*(Played(0, (i,), n=i) for i in range(300)), Taken(1), Offered(0)]
        assert await store.load("none") is None
        await store.close()

    asyncio.run(write())
    asyncio.run(read())
