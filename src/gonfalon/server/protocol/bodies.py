"""The closed set of what HTTP requests carry and are answered, as `docs/protocol.md` says. The page's TypeScript types
are generated from this file and from `messages.py`.
"""

from __future__ import annotations

import msgspec

from gonfalon.engine.events import Event
from gonfalon.engine.patches import ScenePatch
from gonfalon.engine.ruleset import Switch
from gonfalon.engine.scene import Arrange, Board, Line, Scene
from gonfalon.games.words import PieceNames
from gonfalon.server.protocol.messages import Ending

AllNames = dict[str, PieceNames]
"""Tables of piece names, all families' together: `en` (plain), `templars.en`, ..."""


class VariantCard(msgspec.Struct, frozen=True):
    """One line of `GET /api/games`. Words: `game.<variant>.title`, `game.<variant>.text`."""

    variant: str
    family: str
    players: int
    sides: tuple[str, ...]
    layout: str
    pieces: int
    """Pieces a side."""
    columns: int
    rows: int
    boxes: tuple[str, ...]
    """Names of the boxes this variant is compatible with."""
    heading: str
    """The variant under whose heading this one is listed; mostly itself."""
    switches: tuple[Switch, ...]


class AgentCard(msgspec.Struct, frozen=True):
    """A computer player. Words: `agent.<name>.title`, `agent.<name>.text`."""

    name: str


class Deployment(msgspec.Struct, frozen=True):
    """A sensible deployment of the library. Words: `deployment.<name>`. `text` as in `Game.deployment_text`."""

    name: str
    text: str


class VariantPage(msgspec.Struct, frozen=True):
    """`GET /api/games/{variant}`: what a page needs before a match is made."""

    card: VariantCard
    board: Board
    arrange: Arrange
    """The first player's deployment; empty where the match begins otherwise, such as with a deal."""
    deployments: tuple[Deployment, ...]


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall play a side. `kind`: `me`, `person` (by link), `agent` (with `agent` its name). `name`: what a person
    is called.
    """

    kind: str
    agent: str = ""
    name: str = ""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/matches`. `switches` are house rules; seats in player order."""

    variant: str
    seats: list[SeatWish]
    switches: dict[str, bool | int] = {}


class MatchMade(msgspec.Struct, frozen=True):
    """Answer: the match, the secrets of its maker's own seats and the invitations of all guests (by side)."""

    match: str
    secrets: dict[str, str]
    invitations: dict[str, str]


class RecordText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/replays`: a record to look at."""

    text: str


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a replay, seen by each observer: `red`, `blue`, ..., `public`, `everything`."""

    by: str
    text: str
    """The action's own notation (empty for a placement)."""
    turn: int
    """The number of the turn in which it happened, from 1; 0 before play."""
    events: dict[str, tuple[Event, ...]]
    patches: dict[str, ScenePatch]
    seq: int = 0
    """Its number in the match as it was played (`Update.seq`), which is another one where moves were taken back; 0 in
    a record.
    """


class Replay(msgspec.Struct, frozen=True):
    """A whole match that is over (or a record): first scenes and patches, by observer."""

    variant: str
    family: str
    changed: dict[str, bool | int]
    names: dict[str, str]
    board: Board
    first: dict[str, Scene]
    steps: tuple[ReplayStep, ...]
    ending: Ending | None
    record: str
    """The text of the record itself."""
    took_back: int = 0
    """Decisions taken back on the way; the steps are those that counted."""
    hints: int = 0
    """Hints given to a player."""


class Candidates(msgspec.Struct, frozen=True):
    """What each observer of a replay could not rule out of the pieces of others. `everything`: what at least one player
    could not.
    """

    faces: tuple[str, ...]
    first: dict[str, dict[str, int]]
    """By observer and token the candidates: bit n for `faces[n]`."""
    steps: tuple[dict[str, dict[str, int]], ...]
    """With each step of the replay those that became different."""


class Judgement(msgspec.Struct, frozen=True):
    """What the strongest computer player thinks of one decision, with what its side knew then."""

    step: int
    """How many steps of the replay lead to it."""
    chance: float
    """Of winning after what was done, from 0 to 1."""
    best: float
    """Of winning after the best decision."""
    path: tuple[str, ...]
    """What was done, as a choice's path; of a compound choice the paths of its parts in a row."""
    better: tuple[str, ...]
    """The best decision."""
    face: str = ""
    """What stood where the path begins, as far as its side knew; empty where it begins with no piece."""
    better_face: str = ""
    """The same of the best decision."""
    dropped: bool = False
    """What was done was left aside early as bad: the chance after it is that or less."""


class Analysis(msgspec.Struct, frozen=True):
    """A side's decisions in a match that is over. Those that left no choice are not among them."""

    side: str
    seconds: float
    """Time for each decision."""
    judged: tuple[Judgement, ...]
    left_out: int = 0
    """Decisions that there was no time for."""


class AnalysisNews(msgspec.Struct, frozen=True):
    """A line of `POST /api/matches/{id}/analyses/{side}`: how far it is, and in the last one the analysis, or a `line`
    that says why there is none.
    """

    done: int = 0
    total: int = 0
    analysis: Analysis | None = None
    line: Line | None = None


class Problem(msgspec.Struct, frozen=True):
    """Every HTTP error: `line` is worded as `refusal.<code>`."""

    line: Line
