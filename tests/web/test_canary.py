"""Compare every byte that a seat's browser receives with the pieces that really stood on the board.

This file computes the seat's permitted knowledge from the finished match's record and the text of the rules: which
pieces fought, ran, used a power or came back. It does not use the server's own filter.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

import gonfalon
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import game_of, play_record
from gonfalon.games.grid.ruleset import TYPES
from server.harness import Server, play
from web.conftest import Browse
from web.setting import deployed, sit_at
from web.table import near

STEPS = 150
FILES = "abcdefghij"
BLUE, TYPE = 32, 15
"""Bits of a square's code in a state: the other side, the type."""

Standing = dict[str, tuple[int, str, bool]]
"""Number, face and whether the piece is blue, by square."""


class Ear:
    """Everything that a page receives."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        self.responses: list[Response] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.frames.append(str(frame))))
        page.on("response", self._response)

    def _response(self, response: Response) -> None:
        self.responses.append(response)

    def bodies(self) -> list[str]:
        return [r.text() for r in self.responses if "/api/matches" in r.url]


class Truth:
    """The pieces on the board after each step, and those that the record shows to be revealed by then."""

    def __init__(self, record: str) -> None:
        read = read_record(record)
        self.boards: list[Standing] = []
        self.revealed: list[set[int]] = []
        states = self._states(record)
        known: set[int] = set()
        before: Standing = {}
        for step, board in zip(read.steps, states, strict=True):
            if step.text.startswith("return"):
                continue  # a returned piece and its square are one step of the match
            known = known | _shown(step.text, before, board)
            self.boards.append(board)
            self.revealed.append(known)
            before = board

    def _states(self, record: str) -> Iterator[Standing]:
        """Yield the board after each line: number and face by square."""
        read = read_record(record)
        states = [after for _, _, _, after in play_record(game_of(read, gonfalon.make), read)]
        places = len(states) - (len(read.steps) - 2)
        for state in [states[places // 2 - 1], *states[places - 1 :]]:
            row = state[0]
            board = {}
            for square in range(100):
                if row["number"][square] != 255:
                    name = f"{FILES[square % 10]}{square // 10 + 1}"
                    code = int(row["board"][square])
                    board[name] = (int(row["number"][square]), TYPES[code & TYPE], bool(code & BLUE))
            yield board


def _shown(text: str, before: Standing, after: Standing) -> set[int]:
    """Return the numbers of the pieces that a line of a record reveals to all."""
    squares = re.findall(r"[a-j]\d+", text)
    if text.startswith(("deploy", "target", "return", "decline")) or not squares:
        return set()
    if text.startswith("to "):
        return {after[squares[0]][0]}
    if text.startswith("apple"):
        number, face, blue = before[squares[0]]
        beside = [before[name] for name in near(squares[0]) if name in before and face not in ("bomb", "flag")]
        flags = {own for own, kind, side in before.values() if kind == "flag" and side != blue}
        return {number, *(other for other, _, side in beside if side == blue), *flags}
    if "x" in text or "*" in text:
        return {before[name][0] for name in squares}
    (x, y), (to_x, to_y) = [(FILES.index(s[0]), int(s[1:])) for s in squares]
    return {before[squares[0]][0]} if abs(x - to_x) + abs(y - to_y) > 1 else set()


def faces(value: Any, side: str) -> Iterator[tuple[str, str]]:
    """Yield (place, face) of all tokens of a side, anywhere in a message."""
    if isinstance(value, dict):
        if value.get("side") == side and value.get("face") and "place" in value:
            yield value["place"], value["face"]
        for inner in value.values():
            yield from faces(inner, side)
    elif isinstance(value, list):
        for inner in value:
            yield from faces(inner, side)


def check(frames: list[str], truth: Truth, side: str) -> int:
    """Check that no frame names a face of `side` before the face was revealed. Return the number of faces seen."""
    seen = 0
    for frame in frames:
        message = json.loads(frame)
        seq = message.get("now", {}).get("seq", message.get("seq"))
        for square, face in faces(message, side):
            assert seq, f"a face without a step: {frame[:200]}"
            number, true_face, _ = truth.boards[seq - 1][square]
            assert face == true_face
            assert number in truth.revealed[seq - 1], f"{face} on {square} at step {seq} was never revealed"
            seen += 1
        for event in message.get("events", ()):
            _check_event(event, seq, truth, side)
    return seen


def _check_event(event: dict[str, Any], seq: int, truth: Truth, side: str) -> None:
    """Check that each face in an event belongs to a piece that is revealed or lost by now, or to the listener."""
    words = {value for key, value in event["args"].items() if key.endswith("face") and value}
    if not words:
        return
    now, before = truth.boards[seq - 1], truth.boards[max(0, seq - 2)]
    known = {face for board in (before, now) for number, face, _ in board.values() if number in truth.revealed[seq - 1]}
    assert words <= known or event["args"].get("side") not in (side, None), f"{event} tells more than the record"


@pytest.mark.parametrize("variant", ["barrage", "special"])
def test_no_byte_tells_a_hidden_face(browse: Browse, server: Server, variant: str) -> None:
    match = server.match(variant=variant)
    ears, tables = {}, {}
    for side in ("red", "blue"):
        page = browse("/")
        ears[side] = Ear(page)
        table = tables[side] = sit_at(page, match, side)
        expect(table.do("random")).to_be_visible()
        deployed(match, side, {"a1": "flag"} if side == "red" else {})
    players = match.both()
    play(players, random.Random(3), STEPS)
    players[1].send("resign")
    for side, ear in ears.items():
        expect(tables[side].do("replay")).to_be_visible()
        other = "blue" if side == "red" else "red"
        truth = Truth(server.get(f"/api/matches/{match.id}/record").text)
        before = [frame for frame in ear.frames if json.loads(frame)["type"] != "ended"]
        assert len(before) > 6
        assert check(before, truth, other) > 0, "the check saw nothing"
        _check_bites(before, truth, other)
        assert not [body for body in ear.bodies() if list(faces(json.loads(body), other))]
    assert list(faces([json.loads(frame) for frame in ears["red"].frames], "red")), "one's own are shown"


def _check_bites(frames: list[str], truth: Truth, side: str) -> None:
    """Check the check: put the face of a hidden piece into a frame; it must be found."""
    for frame in frames:
        message = json.loads(frame)
        for token in message.get("patch", {}).get("tokens", ()):
            number, face, _ = truth.boards[message["seq"] - 1].get(token["place"], (0, "", False))
            if token["side"] == side and number not in truth.revealed[message["seq"] - 1]:
                token["face"] = face
                with pytest.raises(AssertionError, match="never revealed"):
                    check([json.dumps(message)], truth, side)
                return
    raise AssertionError("no frame holds a hidden piece")
