"""The computer players that the server offers: our own, and those of the operator's own, of which each plays some
variants.
"""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.ai import agents
from gonfalon.server.config import OwnAgent
from gonfalon.server.protocol.bodies import AgentCard
from gonfalon.server.protocol.refusals import Declined


class Computers:
    """The computer players of a server, by name."""

    def __init__(self, own: Sequence[OwnAgent] = ()) -> None:
        """`own`: those of the operator's own."""
        self._own = {agent.name: agent for agent in own}

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return (*agents(), *self._own)

    def is_own(self, name: str) -> bool:
        """Return whether a computer player is the operator's own."""
        return name in self._own

    def list_cards(self) -> tuple[AgentCard, ...]:
        """Return the cards of all computer players."""
        own = (AgentCard(agent.name, True, agent.variants) for agent in self._own.values())
        return (*(AgentCard(name) for name in agents()), *own)

    def require(self, name: str, variant: str) -> None:
        """Check that a computer player exists and plays a variant. Raises `Declined`: `no-agent`."""
        own = self._own.get(name)
        if variant not in own.variants if own else name not in agents():
            raise Declined("no-agent", 400, agent=name)
