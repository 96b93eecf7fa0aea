"""The kinds of attacks of `gonfalon bench server --attack`.

`python -m gonfalon.server.trials.attack.kinds KIND PORT MATCH` attacks until it is killed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

from gonfalon.server.trials.attack import attackers, bursts

REMATCHES = "rematches"
KINDS: dict[str, Callable[[int, str], None]] = {
    **attackers.KINDS,
    **{
        f"bursts of {name}, {sockets} sockets": partial(bursts.send_bursts, kind, sockets)
        for name, kind in bursts.BURSTS.items()
        for sockets in bursts.SIZES
    },
    REMATCHES: bursts.make_rematches,
}


def main(arguments: Sequence[str]) -> None:
    kind, port, match = arguments
    KINDS[kind](int(port), match)


if __name__ == "__main__":
    main(sys.argv[1:])
