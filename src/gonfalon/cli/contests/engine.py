"""`gonfalon engine`: an agent as a program of the line protocol (see `ai/protocol`)."""

from __future__ import annotations

import argparse
import sys

import numpy as np

from gonfalon.ai.agent import rehearse
from gonfalon.ai.protocol import ProtocolError
from gonfalon.ai.protocol.player import play_lines
from gonfalon.cli.choosing import find_agent, make_protocol_game
from gonfalon.cli.errors import CommandError


def engine(arguments: argparse.Namespace) -> int:
    """Play one match with the referee at standard input and output. Raises `CommandError`."""
    game = make_protocol_game(arguments.game, arguments.set)
    make_agent = find_agent(arguments.agent)
    agent, rng = make_agent(), np.random.default_rng(arguments.seed)
    try:
        rehearse(game, make_agent, np.random.default_rng(0))  # compile now, so that the first decision need not wait
        play_lines(game, agent, arguments.time / 1000, rng, sys.stdin, _write, cores=arguments.cores)
    except ProtocolError as error:
        raise CommandError(str(error)) from error
    return 0


def _write(line: str) -> None:
    print(line, flush=True)
