"""The long scramble check: `python tests/scramble.py --positions 1000000`. See `conformance/secrecy.py`."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from conformance.cases import CASES, Case
from conformance.secrecy import Tally, check

SHARE = 2000


def run(job: tuple[Case, int, int, int]) -> Tally:
    """Check one share of the positions of one ruleset."""
    case, count, seed, number = job
    return check(case, count, np.random.default_rng([seed, number]))


def main() -> int:
    parser = argparse.ArgumentParser(description="Changes what observers cannot know; they must be told the same.")
    parser.add_argument("--positions", type=int, default=1_000_000, help="in all, over all variants and rulesets")
    parser.add_argument("--variant", default="", help="only this variant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    given = parser.parse_args()
    cases = [case for case in CASES if given.variant in ("", case.variant)]
    shares = -(-given.positions // SHARE)
    jobs = [(cases[k % len(cases)], SHARE, given.seed, k) for k in range(shares)]
    tally = Tally()
    with ProcessPoolExecutor(given.workers) as pool:
        for done in pool.map(run, jobs):
            tally = tally.plus(done)
            sys.stderr.write(f"\r{tally.positions:,} positions, {tally.worlds:,} worlds, {tally.steps:,} steps")
            sys.stderr.flush()
    sys.stderr.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
