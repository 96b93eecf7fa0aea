"""Entrants of an arena, as the user types them: the name of one of our agents, `cmd:COMMAND` for a program of the line
protocol, `py:FILE:NAME` for the user's own agent, which `NAME()` of a Python file makes, or `open_spiel:NAME` for a bot
of OpenSpiel. `level-8:without=NAME` is a level with one adjustment of its search switched off.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from gonfalon.ai import agents
from gonfalon.ai.agent import Agent, can_play
from gonfalon.ai.levels import WITHOUT, find_without, make_level
from gonfalon.ai.protocol.program import Program
from gonfalon.engine.game import Game
from gonfalon.engine.spelling import list_known

COMMAND = "cmd:"
"""Prefix of an entrant that is a program."""
PYTHON = "py:"
"""Prefix of an entrant that is an agent in a Python file."""
BOT = "open_spiel:"
"""Prefix of an entrant that is a bot of OpenSpiel."""
BOTS = "gonfalon.envs.open_spiel.agents"
"""Module that makes these bots. Its name is enough here: this layer must not need the environments or their extra."""


class EntrantError(ValueError):
    """An entrant cannot play. The message says why."""


def check_entrant(entrant: str) -> None:
    """Check that an entrant can play on this machine. Raises `EntrantError`."""
    if entrant.startswith(COMMAND):
        program = _split(entrant.removeprefix(COMMAND))[0]
        if shutil.which(program) is None:
            raise EntrantError(f"{entrant}: there is no program {program!r} that can be started")
    elif entrant.startswith(PYTHON):
        _make_own(entrant)
    elif entrant.startswith(BOT):
        _make_bot(entrant)
    elif WITHOUT in entrant:
        _make_level(entrant)
    elif entrant not in agents():
        raise EntrantError(
            f"no agent {entrant!r}; {list_known(entrant, agents())}, "
            "cmd:COMMAND for a program, py:FILE:NAME for an agent in Python and open_spiel:NAME for a bot of OpenSpiel"
        )


def make_entrant(entrant: str, patience: float, label: str) -> Agent:
    """Return a new agent, for one match. `patience`: seconds that a program gets per decision; `label`: name of the
    program. Raises `EntrantError`.
    """
    if entrant.startswith(COMMAND):
        return Program(entrant.removeprefix(COMMAND), patience, label)
    return make_agent(entrant)


def make_agent(entrant: str) -> Agent:
    """Return a new agent, for one match, of an entrant that is not a program. Raises `EntrantError`."""
    if entrant.startswith(PYTHON):
        return _make_own(entrant)
    if entrant.startswith(BOT):
        return _make_bot(entrant)
    return _make_level(entrant) if WITHOUT in entrant else agents()[entrant]()


def check_game(entrant: str, game: Game) -> None:
    """Check that an entrant can play a game: that the game has the adjustments that a level switches off, and that an
    agent in Python knows it (`Specialist`). Raises `EntrantError`.
    """
    names = [adjustment.name for adjustment in game.adjustments()]
    for name in () if entrant.startswith((COMMAND, PYTHON)) else find_without(entrant):
        if name not in names:
            raise EntrantError(f"{entrant}: {game.info.variant} has no adjustment {name!r}; {list_known(name, names)}")
    if not _knows_game(entrant, game):
        raise EntrantError(f"{entrant} does not play {game.info.ruleset.name}: its `plays` says so")


def _knows_game(entrant: str, game: Game) -> bool:
    """Return whether an entrant in Python knows a game (`ai.agent.Specialist`); others know all games. Raises
    `EntrantError` if it cannot be asked.
    """
    if not entrant.startswith(PYTHON):
        return True
    agent = _make_own(entrant)
    try:
        return can_play(agent, game)
    except Exception as error:
        raise EntrantError(f"{entrant}: its `plays` failed: {type(error).__name__}: {error}") from error


def _make_level(entrant: str) -> Agent:
    try:
        return make_level(entrant)
    except ValueError as error:
        raise EntrantError(f"{entrant}: {error}") from error


def _make_bot(entrant: str) -> Agent:
    if importlib.util.find_spec("pyspiel") is None:
        raise EntrantError(f"{entrant} needs OpenSpiel: pip install 'gonfalon[open-spiel]'")
    try:
        agent: Agent = importlib.import_module(BOTS).make_agent(entrant)
    except ValueError as error:
        raise EntrantError(f"{entrant}: {error}") from error
    return agent


def hash_entrant(entrant: str) -> str:
    """Return a short hash of the file of a `py:` entrant, which changes with the file. Empty for other entrants."""
    if not entrant.startswith(PYTHON):
        return ""
    return hashlib.sha256(_split_place(entrant)[0].read_bytes()).hexdigest()[:12]


def name_entrant(entrant: str) -> str:
    """Return a short name, even if the entrant can no longer play. Raises `EntrantError` for an empty command."""
    if entrant.startswith(COMMAND):
        return _find_program(entrant.removeprefix(COMMAND)).name
    return entrant.rpartition(":")[2] if entrant.startswith(PYTHON) else entrant


def _find_program(command: str) -> Path:
    """Return the file of a command's program: `bot.py` of `python bot.py`, else the first word."""
    words = [Path(word) for word in _split(command)]
    return next((word for word in words[1:] if word.suffix and word.is_file()), words[0])


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EntrantError(f"{COMMAND}{command} is no command: {error}") from None
    if not words:
        raise EntrantError(f"{COMMAND} needs the command of a program")
    return words


def _split_place(entrant: str) -> tuple[Path, str]:
    """Return file and name of `py:FILE:NAME`."""
    file, _, name = entrant.removeprefix(PYTHON).rpartition(":")
    if not file or not name:
        raise EntrantError(f"{entrant}: write {PYTHON}FILE:NAME, as {PYTHON}bot.py:Bot")
    path = Path(file).resolve()
    if path.suffix != ".py" or not path.is_file():
        raise EntrantError(f"{entrant}: there is no Python file {file!r}")
    return path, name


def _make_own(entrant: str) -> Agent:
    """Return a new agent of a Python file."""
    path, name = _split_place(entrant)
    try:
        agent: Agent = getattr(_load_module(path), name)()
    except Exception as error:
        raise EntrantError(f"{entrant} makes no agent: {type(error).__name__}: {error}") from error
    if not callable(getattr(agent, "act", None)):
        raise EntrantError(f"{entrant} makes no agent: what it makes has no `act`")
    return agent


@cache
def _load_module(path: Path) -> ModuleType:
    """Return the module of a file. It can import modules from its own folder, as if Python ran it."""
    spec = importlib.util.spec_from_file_location(f"gonfalon_entrant_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    sys.path.append(str(path.parent))
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
