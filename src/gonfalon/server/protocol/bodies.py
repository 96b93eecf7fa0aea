"""The closed set of bodies of HTTP requests and answers, as `docs/protocol.md` says. The page's TypeScript types are
generated from this file and from `messages.py`.
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
"""Tables of piece names of all families: `en` (plain), `templars.en`, ..."""


class VariantCard(msgspec.Struct, frozen=True):
    """One line of `GET /api/games`. Words: `game.<variant>.title`, `game.<variant>.text`."""

    variant: str
    family: str
    players: int
    sides: tuple[str, ...]
    layout: str
    pieces: int
    """Number of pieces a side."""
    columns: int
    rows: int
    boxes: tuple[str, ...]
    """Names of the boxes this variant is compatible with."""
    heading: str
    """Variant under whose heading this one is listed; mostly itself."""
    switches: tuple[Switch, ...]


class AgentCard(msgspec.Struct, frozen=True):
    """A computer player. Words: `agent.<name>.title`, `agent.<name>.text`."""

    name: str


class Deployment(msgspec.Struct, frozen=True):
    """A deployment from the library. Words: `deployment.<name>`. `text` as in `Game.deployment_text`."""

    name: str
    text: str


class VariantPage(msgspec.Struct, frozen=True):
    """`GET /api/games/{variant}`: everything a page needs before a match is made."""

    card: VariantCard
    board: Board
    arrange: Arrange
    """The first player's deployment; empty if the match begins otherwise, such as with a deal."""
    deployments: tuple[Deployment, ...]


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player wanted for a side. `kind`: `me`, `person` (by link), `agent` (with `agent` its name). `name`: the name a
    person goes by.
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
    """Body of `POST /api/replays`: the text of a record."""

    text: str


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a replay, seen by each observer: `red`, `blue`, ..., `public`, `everything`."""

    by: str
    text: str
    """Notation of the action (empty for a placement)."""
    turn: int
    """Number of the turn it belongs to, from 1; 0 before play."""
    events: dict[str, tuple[Event, ...]]
    patches: dict[str, ScenePatch]
    seq: int = 0
    """Number of the step in the match as played (`Update.seq`), which differs after take-backs; 0 in a record."""


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
    """Text of the record itself."""
    took_back: int = 0
    """Number of decisions taken back; the steps are those that counted."""
    hints: int = 0
    """Number of hints given to a player."""


class Candidates(msgspec.Struct, frozen=True):
    """Ranks that each observer of a replay could not rule out, for the pieces of others. `everything`: ranks that at
    least one player could not rule out.
    """

    faces: tuple[str, ...]
    first: dict[str, dict[str, int]]
    """Candidates by observer and token, as bits: bit n for `faces[n]`."""
    steps: tuple[dict[str, dict[str, int]], ...]
    """Candidates that changed with each step of the replay."""


class Judgement(msgspec.Struct, frozen=True):
    """Judgement of the strongest computer player on one decision, with the knowledge its side had then."""

    step: int
    """Number of steps of the replay before it."""
    chance: float
    """Chance of winning after the decision, from 0 to 1."""
    best: float
    """Chance of winning after the best decision."""
    path: tuple[str, ...]
    """The decision as a choice's path; of a compound choice the paths of its parts in a row."""
    better: tuple[str, ...]
    """The best decision, likewise."""
    face: str = ""
    """Piece at the beginning of the path, as far as its side knew it; empty if the path begins with no piece."""
    better_face: str = ""
    """Piece at the beginning of the best path."""
    dropped: bool = False
    """The search dropped the decision early as bad: its chance is at most the one given."""


class Analysis(msgspec.Struct, frozen=True):
    """The judged decisions of a side in a finished match. Decisions without an alternative are left out."""

    side: str
    seconds: float
    """Seconds of thought for each decision."""
    judged: tuple[Judgement, ...]
    left_out: int = 0
    """Number of decisions skipped (out of time)."""


class AnalysisNews(msgspec.Struct, frozen=True):
    """A line of `POST /api/matches/{id}/analyses/{side}`: the progress, and in the last line the analysis, or a `line`
    with the reason why there is none.
    """

    done: int = 0
    total: int = 0
    analysis: Analysis | None = None
    line: Line | None = None


class Problem(msgspec.Struct, frozen=True):
    """Every HTTP error: `line` is worded as `refusal.<code>`."""

    line: Line
