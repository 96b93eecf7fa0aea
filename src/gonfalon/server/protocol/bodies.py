"""The closed set of bodies of HTTP requests and answers (`docs/protocol.md`). The page's TypeScript types are generated
from this file, from `messages.py` and from `rating_bodies.py`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from gonfalon.engine.events import Event
from gonfalon.engine.rulesets.ruleset import Switch
from gonfalon.engine.screens.patches import ScenePatch
from gonfalon.engine.screens.scene import Arrange, Board, Line, Scene
from gonfalon.games.words import PieceNames
from gonfalon.server.clock.control import Control
from gonfalon.server.clock.presets import Preset
from gonfalon.server.protocol.match_info import Ending, MatchInfo

AllNames = dict[str, PieceNames]
"""Tables of piece names of all families: `en` (plain), `templars.en`, ..."""
MOST_SEATS = 40
"""Maximum number of seats in one `SeatQuery`."""


class VariantCard(msgspec.Struct, frozen=True):
    """One entry of `GET /api/games`. Texts for it: `game.<variant>.title`, `game.<variant>.text`; for a variant of the
    operator's own `title` and `description`.
    """

    variant: str
    family: str
    players: int
    sides: tuple[str, ...]
    layout: str
    pieces: int
    """Number of pieces per side."""
    columns: int
    rows: int
    boxes: tuple[str, ...]
    """Names of the boxed games that this variant is compatible with."""
    heading: str
    """Variant under whose heading the page lists this one; usually its own name."""
    switches: tuple[Switch, ...]
    own: bool = False
    """Whether the operator added the variant to the listed ones. Its matches are not rated."""
    title: dict[str, str] = {}
    """Title of a variant of the operator's own by language, or by "" for all; empty: the name is the title."""
    description: dict[str, str] = {}
    """Its description in the same form; may be empty."""


class AgentCard(msgspec.Struct, frozen=True):
    """A computer player. Texts for it: `agent.<name>.title`, `agent.<name>.text`; one of the operator's own has no
    texts.
    """

    name: str
    own: bool = False
    """Whether it is the operator's own. It has no rating."""
    variants: tuple[str, ...] | None = None
    """The variants that it plays; None: all."""


class Deployment(msgspec.Struct, frozen=True):
    """A deployment from the library. Text for its name: `deployment.<name>`. `text` as in `Game.deployment_text`."""

    name: str
    text: str


class VariantPage(msgspec.Struct, frozen=True):
    """`GET /api/games/{variant}`: everything a page needs before a match is made."""

    card: VariantCard
    board: Board
    arrange: Arrange
    """The first player's places and pieces; empty if the match does not begin with a deployment, but for example with a
    deal.
    """
    deployments: tuple[Deployment, ...]
    presets: tuple[Preset, ...]
    """Time controls to choose from; the first is the suggestion."""


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wish for the player of a side. `kind`: `me`, `person` (by link) or `agent`; `agent`: name of the computer
    player; `name`: name of a person.
    """

    kind: str
    agent: str = ""
    name: str = ""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/matches`. `switches`: house rules; `seats`: in player order; `clock`: the time control.
    Without one, the others may claim the win against a player who is away.
    """

    variant: str
    seats: list[SeatWish]
    switches: dict[str, bool | int] = {}
    clock: Control | None = None
    rated: bool = False
    """Play a level for a rating: needs an account, a clock, one seat `me` and levels in all others. Everybody may watch
    such a match, and there are no hints and take-backs in it.
    """


class MatchMade(msgspec.Struct, frozen=True):
    """Answer to `POST /api/matches`: the match, the secrets of its maker's seats, and the invitations of guests, by
    side.
    """

    match: str
    secrets: dict[str, str]
    invitations: dict[str, str]


class GivenName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/names/check`, and its answer: the name as the server would store it."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class SeatKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a match, with the secret that opens it."""

    match: Annotated[str, msgspec.Meta(max_length=64)]
    secret: Annotated[str, msgspec.Meta(max_length=200)]


class SeatQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/standings`: the seats of one browser. The secrets stand in the body, because addresses are
    logged by proxies.
    """

    seats: Annotated[list[SeatKey], msgspec.Meta(max_length=MOST_SEATS)]


class Standing(msgspec.Struct, frozen=True):
    """State of a match for the holder of one seat. Nothing in it is hidden from the other players."""

    match: MatchInfo
    side: str
    """Side of the seat."""
    due: tuple[str, ...]
    """Sides that may act now; during deployment, those that are not ready."""
    moved: int
    """Time of the last step in Unix seconds; 0 if there is none, or if the server does not know it."""
    ending: Ending | None
    deadline: int = 0
    """Deadline of the present decision by correspondence, in Unix milliseconds; 0 if there is none."""


class RecordText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/replays`: the text of a record."""

    text: str


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a replay. `events` and `patches` are by observer: `red`, `blue`, ..., `public`, `everything`."""

    by: str
    text: str
    """Notation of the action; empty for a placement."""
    turn: int
    """Number of the turn that the step belongs to, from 1; 0 before play."""
    events: dict[str, tuple[Event, ...]]
    patches: dict[str, ScenePatch]
    seq: int = 0
    """`Update.seq` of the step in the match; take-backs make it differ from the step's number. 0 in a record."""
    took: int = 0
    """Milliseconds that a person needed for the decision; 0 if not known."""
    clocks: dict[str, int] = {}
    """Milliseconds that each person has left after the step, by side: of the bank, or of the turn. Empty without a
    clock.
    """


class Replay(msgspec.Struct, frozen=True):
    """A finished match (or a record): first scenes and patches, by observer."""

    variant: str
    family: str
    changed: dict[str, bool | int]
    names: dict[str, str]
    board: Board
    first: dict[str, Scene]
    steps: tuple[ReplayStep, ...]
    ending: Ending | None
    record: str
    """The match as the text of a record."""
    took_back: int = 0
    """Number of decisions taken back; they are not among the steps."""
    hints: int = 0
    """Number of hints given to a player."""
    clock: Control | None = None
    """The time control; None without one."""


class Candidates(msgspec.Struct, frozen=True):
    """Ranks that each observer of a replay could not rule out for pieces of other players. `everything`: ranks that at
    least one player could not rule out.
    """

    faces: tuple[str, ...]
    first: dict[str, dict[str, int]]
    """Candidates at the beginning, by observer and token, as bits: bit n means `faces[n]`."""
    steps: tuple[dict[str, dict[str, int]], ...]
    """Changed candidates of each step, in the same form."""


class Judgement(msgspec.Struct, frozen=True):
    """Judgement of the strongest computer player on one decision, with the knowledge of the deciding side at that
    time.
    """

    step: int
    """Number of steps of the replay before the decision."""
    chance: float
    """Chance of winning after the decision, from 0 to 1."""
    best: float
    """Chance of winning after the best decision."""
    path: tuple[str, ...]
    """The decision as the path of a choice; the paths of a compound choice's parts follow one another."""
    better: tuple[str, ...]
    """The best decision, as the path of a choice too."""
    face: str = ""
    """Piece at the beginning of `path`, as its side knew it; empty if the path does not begin with a piece."""
    better_face: str = ""
    """Piece at the beginning of `better`; empty if `better` does not begin with a piece."""
    dropped: bool = False
    """The search dropped the decision early because it looked bad: the true chance is at most `chance`."""


class Analysis(msgspec.Struct, frozen=True):
    """The judged decisions of a side in a finished match. Decisions without an alternative are missing."""

    side: str
    seconds: float
    """Seconds of thought for each decision."""
    judged: tuple[Judgement, ...]
    left_out: int = 0
    """Number of decisions skipped (out of time)."""


class AnalysisNews(msgspec.Struct, frozen=True):
    """A line of `POST /api/matches/{id}/analyses/{side}`: the progress. The last line has the analysis, or in `line`
    the reason why there is none.
    """

    done: int = 0
    total: int = 0
    analysis: Analysis | None = None
    line: Line | None = None


class Problem(msgspec.Struct, frozen=True):
    """Every HTTP error. The page words `line` as `refusal.<code>`."""

    line: Line
