"""The cost of each message of a client, in seconds of the event loop, for the share of work that an address gets.

The costs are rounded up from a deployed match of Original with eight windows a seat, on one core of 2.5 GHz; Conquest
costs up to twice as much. They need not be exact: they tell cheap messages from expensive ones.
"""

from __future__ import annotations

from gonfalon.server.protocol import messages as m

JOIN = 0.003
"""Cost of a `Hello`: the whole scene, or all missed steps."""
COSTS: dict[type[m.Message], float] = {
    m.Act: 0.0005,
    m.TakeBack: 0.0005,
    m.Return: 0.003,
    m.AskAdvice: 0.001,
    m.Resign: 0.001,
    m.OfferDraw: 0.0005,
    m.AnswerDraw: 0.0005,
    m.CallOff: 0.001,
    m.ClaimWin: 0.0005,
    m.EndMatch: 0.0005,
    m.WakeAgents: 0.0005,
    m.OfferRematch: 0.001,
    m.Invite: 0.0005,
    m.GiveName: 0.0005,
    m.Why: 0.0002,
    m.Suggest: 0.002,
    m.AskRemarks: 0.0005,
    m.ShowHints: 0.0002,
    m.Curtain: 0.0005,
}
_ACTION = 0.000_01
"""Cost of each action of an `Act` or `AskRemarks`."""


def cost_of(message: m.Message) -> float:
    """Return the cost of a message after `Hello`."""
    actions = len(message.actions) if isinstance(message, m.Act | m.AskRemarks) else 0
    return COSTS[type(message)] + actions * _ACTION
