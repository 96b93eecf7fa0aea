"""nginx in front of two nodes, with the files of `deploy/`."""

from __future__ import annotations

import random
import ssl
from pathlib import Path

import httpx

from server.harness import Match, play, wait_for
from server.nodes.site import running_site, seen_from, wait_until_dead
from server.proxy import DEPLOY, Proxy, replace


def test_matches_go_on_behind_the_proxy_when_a_node_is_killed(tmp_path: Path, rng: random.Random) -> None:
    with running_site(tmp_path, "one", "two", trusted_proxies=["127.0.0.1"]) as site:
        one, two = site.nodes
        upstream = replace(
            (DEPLOY / "nginx-nodes.conf").read_text(),
            {"10.0.0.5:8000": f"127.0.0.1:{one.port}", "10.0.0.6:8000": f"127.0.0.1:{two.port}"},
        )
        proxy = Proxy(tmp_path, upstream)
        trust = proxy.trust
        trust.maximum_version = ssl.TLSVersion.TLSv1_2
        secure = {"uri": f"wss://localhost:{proxy.port}", "ssl": trust, "origin": f"https://localhost:{proxy.port}"}
        with proxy.run():
            matches = [one.match() for _ in range(4)]
            for match in matches:
                assert play(tuple(match.sit(side, **secure) for side in ("red", "blue")), rng, 4) == 4
            owners = {match.id: site.find_owner(match.id) for match in matches}
            one.kill()
            wait_until_dead(site, one)
            for match in matches:
                wait_for(lambda match=match: goes_on(seen_from(two, match), secure))
                assert site.find_owner(match.id) == "two"
            assert set(owners.values()) <= {"one", "two"}
            assert httpx.get(f"https://localhost:{proxy.port}/healthz", verify=proxy.trust).text == "ok"


def goes_on(match: Match, secure: dict[str, object]) -> bool:
    """Return whether a client gets the match by the proxy."""
    return bool(match.sit("red", **secure).seq)
