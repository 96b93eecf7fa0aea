"""Compare every byte of a match of Conquest that a browser receives with the units that really stood on the map.

This file computes a player's permitted knowledge of enemy units from the finished match's record and the text of the
rules. It does not use the server's own filter.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import gonfalon
from gonfalon.engine.records.record import Step, read_record
from gonfalon.engine.records.replay import play_record
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import SIDES, TYPES
from server.harness import Client, Server, play, wait_for
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import sit_at
from web.table import wait_for as wait_in
from web.test_canary import Ear

MOST_STEPS = 800
ENOUGH = 6
"""Minimum number of enemy units that Red has seen, by place and face, so that there is something to check."""
WHOSE = re.compile("(?:Blue|Green|Ochre)'s ([A-Z][A-Za-z ]+)")
"""Part of the name of a zone with a known enemy unit."""
OWN_SECRETS = {"placed", "put-back", "aimed", "saw", "unit"}
"""Events that only the player concerned may see."""


class Truth:
    """After each decision of a match: the place of each unit, and the slots of all units that Red may know by then."""

    def __init__(self, record: str) -> None:
        read = read_record(record)
        game = gonfalon.make(read.variant)
        self.spaces = game.board().spaces
        self.zones = {space.id: number for number, space in enumerate(self.spaces)}
        self.boards: list[Any] = []
        self.known: list[set[int]] = []
        self.movers: list[str] = []
        changes = play_record(game, read)
        known: set[int] = set()
        for step in read.steps:
            taken = [next(changes) for _ in range(_actions(step))]
            before, after = taken[0][0][0], taken[-1][3][0]
            gone = {slot for slot in known if after["zone"][slot] >= g.ZONES}
            entered = self._entered(step, before, after)
            # Everybody saw which units went into a reserve. Which of them came back can be deduced later, but not at
            # once.
            known = (known | self._shown(step, before, after) | _regrouped(before, known) | entered) - gone
            if game.is_open(taken[0][0], taken[0][1]):  # the rest of a decision: zones that a card needs
                for told in (self.boards, self.known, self.movers):
                    told.pop()
            self.boards.append(after)
            self.known.append(known if _of_one_type(before) else known - entered)
            self.movers.append(step.by if step.by in SIDES else SIDES[int(after["mover"])])

    def _shown(self, step: Step, before: Any, after: Any) -> set[int]:
        """Return the slots of units that a line of the record reveals to Red."""
        by, text = step.by, step.text
        if "x" in text and text[0] not in "+@?" and by in SIDES and not text.startswith("deploy"):
            return {int(before["at"][self.zones[name]]) for name in text.split("x")}  # CQ-17
        if "-" in text and text[0] not in "+@?" and by in SIDES:
            begin, finish = text.split("-")
            runs = finish not in self.spaces[self.zones[begin]].near
            return {int(before["at"][self.zones[begin]])} if runs else set()  # CQ-15
        if not text.startswith("@"):
            return set()
        place = self.zones[text[1:]]
        looks = by == "red" and int(before["playing"]) in (g.SECRET, g.TRAITOR)  # CQ-31, CQ-32
        enters = int(before["playing"]) == g.NEW_MASTER or before["phase"] == g.RAISE  # CQ-30, CQ-22
        return {int((before if looks else after)["at"][place])} if looks or enters else set()

    def _entered(self, step: Step, before: Any, after: Any) -> set[int]:
        """Return the slot of a unit brought in from a reserve (CQ-28, CQ-29)."""
        enters = step.text.startswith("@") and before["playing"] in (g.REINFORCEMENTS, g.SURPRISE)
        return {int(after["at"][self.zones[step.text[1:]]])} if enters else set()

    def faces(self, frame: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield zone and face of enemy units that a frame names. Fails if the frame has more than Red may know."""
        seq = frame.get("now", {}).get("seq", frame.get("seq"))
        for token in tokens(frame):
            if token["side"] != "red" and token.get("face"):
                slot = int(self.boards[seq - 1]["at"][self.zones[token["place"]]])
                assert TYPES[self.boards[seq - 1]["kind"][slot]] == token["face"]
                assert slot in self.known[seq - 1], f"{token} at step {seq} was never shown"
                yield token["place"], token["face"]
        for event in frame.get("events", ()):
            secret = event["code"] in OWN_SECRETS and not frame.get("draft")
            assert not secret or self.movers[seq - 1] == "red", f"{event} at step {seq} is another's"


def _regrouped(before: Any, known: set[int]) -> set[int]:
    """Return the slots that a Regroup mixed with known ones (CQ-27): their types can be deduced when the others are
    seen.
    """
    if before["phase"] != g.ORDER:
        return set()
    three = {int(before["at"][zone]) for zone in before["chosen"]}
    return three if three & known else set()


def _of_one_type(before: Any) -> bool:
    """Return whether the mover's reserve holds only one type, so that everybody knows the type of a unit from it."""
    own = slice(int(before["mover"]) * g.ARMY, (int(before["mover"]) + 1) * g.ARMY)
    kept = (before["zone"][own] == g.RESERVE) | (before["zone"][own] == g.IN_HAND)
    return len(set(before["kind"][own][kept].tolist())) == 1


def _actions(step: Step) -> int:
    """Return the number of actions that a line of a record stands for."""
    return len(step.text.split()[1]) if step.text.startswith("deploy") else 1


def tokens(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all tokens anywhere in a message."""
    if isinstance(value, dict):
        if "side" in value and "place" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from tokens(inner)


def test_no_byte_tells_a_hidden_unit(browse: Browse, server: Server) -> None:
    match = server.match(("me", "person", "person", "person"), variant="conquest")
    page = browse("/")
    ear = Ear(page)
    table = MapTable(sit_at(page, match, "red").page)
    table.page.locator("[data-space]").first.wait_for()
    clients = match.persons()
    rng = random.Random(5)
    while play(clients, rng, 20) and not enough(clients[0]):
        assert clients[0].seq < MOST_STEPS, "Red sees hardly anything"
    wait_for(lambda: _heard(page, ear) >= clients[0].seq)
    known = {(token["place"], token["face"]) for token in others(clients[0].scene)}
    wait_in(page, lambda: named(table) == known, "the units that Red knows")
    on_page = named(table)
    for client in clients[1:]:
        client.send("resign")
    expect(table.do("replay")).to_be_visible()
    truth = Truth(server.get(f"/api/matches/{match.id}/record").text)
    frames = [frame for frame in map(json.loads, ear.frames) if frame["type"] != "ended"]
    told = {found for frame in frames for found in truth.faces(frame)}
    assert len(told) > 4, "the check saw hardly anything"
    assert not [token for body in ear.bodies() for token in tokens(json.loads(body)) if token.get("face")]
    assert on_page, "the page names no unit of others"
    assert on_page <= told
    _a_leak_is_found(frames, truth)


def enough(red: Client) -> bool:
    """Return whether Red has seen enemy units, and one of them is still on the map."""
    known = {(token["place"], token["face"]) for update in red.updates for token in others(update["patch"])}
    return len(known) >= ENOUGH and any(others(red.scene))


def others(shown: Any) -> list[dict[str, Any]]:
    return [token for token in tokens(shown) if token["side"] != "red" and token.get("face")]


def _heard(page: Page, ear: Ear) -> int:
    """Return the last step that a page received."""
    page.wait_for_timeout(50)
    return max(int(json.loads(frame).get("seq", 0)) for frame in ear.frames)


def named(table: MapTable) -> set[tuple[str, str]]:
    """Return zone and face of the enemy units that the page names."""
    return {(zone, face_of(label)) for zone, label in table.squares().items() if WHOSE.search(label)}


def face_of(label: str) -> str:
    """Return the face in a label: "spy-master" for "Keyfort 2, Blue's Spy Master, was seen"."""
    found = WHOSE.search(label)
    assert found is not None
    return found[1].lower().replace(" ", "-")


def _a_leak_is_found(frames: list[dict[str, Any]], truth: Truth) -> None:
    """Check the check: put the type of a hidden unit into a frame; it must be found."""
    for frame in frames:
        for token in tokens(frame.get("patch", {}).get("tokens", [])):
            if token["side"] != "red" and not token.get("face"):
                board = truth.boards[frame["seq"] - 1]
                token["face"] = TYPES[board["kind"][board["at"][truth.zones[token["place"]]]]]
                with pytest.raises(AssertionError, match="never shown"):
                    list(truth.faces(frame))
                return
    raise AssertionError("no frame holds a hidden unit")
