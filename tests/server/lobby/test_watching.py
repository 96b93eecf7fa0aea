"""Running matches of the lobby: listed ones only, the strongest first, also after a restart; and real matches."""

from __future__ import annotations

import asyncio
from pathlib import Path

import sqlalchemy as sa

from gonfalon.engine.game import Outcome
from gonfalon.server.clock.control import Bank
from gonfalon.server.config import Config
from gonfalon.server.lobby.lobby import Lobby
from gonfalon.server.lobby.sockets import LobbySockets
from gonfalon.server.lobby.watching import MOST_SHOWN
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.public import Ended, Fact, PublicMatch, PublicSeat, Started
from gonfalon.server.match.registry import Registry
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.protocol import lobby_messages as m
from gonfalon.server.protocol import messages
from gonfalon.server.storage import tables
from server.harness import find_database
from server.lobby.lobbying import Hall, Page, People, Shown, opened
from server.socketless import Outlet, until


def make(match: str, *people: str, listed: bool = True) -> PublicMatch:
    seats = tuple(PublicSeat(person=f"id-{person}") for person in people)
    return PublicMatch(match, "duel", {}, seats, 0, Bank(300), listed=listed, rated=True)


async def tell(hall: Hall, fact: Fact) -> None:
    """Tell the lobby of a fact as a match does: store first, then publish."""
    await hall.matches.store.execute([each for one in hall.lobby.listeners for each in one.prepare(fact)])
    for listener in hall.lobby.listeners:
        listener.publish(fact)


def end(match: PublicMatch) -> Ended:
    return Ended(match, 9, Outcome((1.0, -1.0), "flag"), counts=True)


def rows(hall: Hall) -> int:
    with hall.matches.store.read() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(tables.listed)) or 0


def test_running_matches_come_and_go(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.ratings.all = {"id-ada": 1900, "id-bob": 1700, "id-eve": 2000}
            hall.ratings.provisional = {"id-bob"}
            page = await hall.enter()
            match = make("one", "ada", "bob")
            await tell(hall, Started(match, 2))
            (shown,) = (await page.until("lobby-update"))["started"]
            assert shown["id"] == "one"
            bob = {"name": "Bob", "rating": 1700, "provisional": True}
            assert shown["seats"] == [{"name": "Ada", "rating": 1900}, bob]
            assert shown["strength"] == 1800
            await tell(hall, Started(make("two", "eve", "guest-1"), 2))
            await tell(hall, Started(make("private", "ada", "eve", listed=False), 2))
            assert (await page.until("lobby-update", 2))["started"][0]["seats"][1] == {}
            later = await hall.enter()
            assert [each["id"] for each in later.heard("lobby")[0]["running"]] == ["one", "two"]
            assert rows(hall) == 2
            await tell(hall, end(match))
            assert (await page.until("lobby-update", 3))["ended"] == ["one"]
            assert rows(hall) == 1
            sent = b"".join(page.outlet.sent + later.outlet.sent)
            assert b"id-" not in sent
            assert b"private" not in sent

    asyncio.run(script())


def test_running_matches_are_known_after_a_restart(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            await tell(hall, Started(make("one", "ada", "bob"), 2))
            await tell(hall, Started(make("two", "ada", "bob"), 2))
            await tell(hall, end(make("two", "ada", "bob")))
        async with opened(tmp_path) as hall:
            page = await hall.enter()
            assert [each["id"] for each in page.heard("lobby")[0]["running"]] == ["one"]
            await hall.matches.store.delete(["one"])
            assert rows(hall) == 0, "a deleted match is listed no longer"
            await hall.lobby.watching.drop_deleted(hall.matches.store)
            assert (await page.until("lobby-update"))["ended"] == ["one"]

    asyncio.run(script())


def test_only_the_strongest_are_shown(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            page = await hall.enter()
            hall.ratings.all = {f"id-p{number}": 1000 + number for number in range(MOST_SHOWN + 5)}
            for number in range(MOST_SHOWN + 5):
                await tell(hall, Started(make(f"m{number}", f"p{number}", f"p{number}"), 2))
            await asyncio.sleep(1.3)
            shown = set[str]()
            for update in page.heard("lobby-update"):
                shown |= {each["id"] for each in update.get("started", ())}
                shown -= set(update.get("ended", ()))
            assert shown == {f"m{number}" for number in range(5, MOST_SHOWN + 5)}

    asyncio.run(script())


def test_a_pair_plays_a_real_match(tmp_path: Path) -> None:
    """From the queue to a match that both open with their secrets; it is shown until it is over."""

    async def script() -> None:
        config = Config(data=tmp_path, database=find_database(tmp_path))
        registry = Registry(config, ConnectionCounts(config, 1_000))
        lobby = Lobby(config, registry, People(), Shown())
        registry.listeners = lobby.listeners
        await registry.start()
        await lobby.start()
        hall = Hall.__new__(Hall)
        hall.sockets = LobbySockets(lambda: lobby, config)
        ada, bob = await hall.enter("ada"), await hall.enter("bob")
        await ada.ask(m.Seek("duel"), "waits")
        bob.say(m.Seek("duel"))
        told = [await paired(ada), await paired(bob)]
        task = await registry.find(told[0]["match"])
        header = task.state.header
        assert header.listed
        assert header.rated
        outlets = [Outlet(), Outlet()]
        for each, outlet in zip(told, outlets, strict=True):
            place = task.state.keys.find_place(each["secret"])
            assert task.state.game.info.sides[place.observer] == each["side"]
            person = header.seats[place.observer].person
            assert person == ("id-ada" if each is told[0] else "id-bob")
            task.join(client := Client(outlet, place.observer, each["secret"]), -1)
        task.submit(client, messages.CallOff())
        await until(lambda: task.state.outcome is not None)
        await asyncio.sleep(0.1)
        assert len(lobby.early._today) == 1
        await lobby.close()
        await registry.close()

    asyncio.run(script())


async def paired(page: Page) -> dict[str, str]:
    async with asyncio.timeout(120):  # the game may have to be compiled
        while not page.heard("paired"):
            await asyncio.sleep(0.05)
    return page.heard("paired")[0]
