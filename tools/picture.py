"""Makes docs/match.png and docs/conquest.png: screenshots of matches on the page of a server of its own.

    python tools/picture.py

Needs the built page, Chromium and the tests' packages. Classic is played by a fixed plan, so that its picture is the
same each time; Conquest has chance and computer players.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from gonfalon.server.config import STATIC  # noqa: E402
from server.harness import Client, Match, Server, running  # noqa: E402
from web.conftest import ARGS, CHROMIUM  # noqa: E402

DOCS = ROOT / "docs"
SIZE: ViewportSize = {"width": 1280, "height": 800}
TURNS = 25
ROUNDS = 5
SEED = 8


def deploy(match: Match, side: str, text: str) -> Client:
    """Deploys one side with a deployment of the library."""
    client = match.sit(side)
    arrange = client.scene["arrange"]
    actions = {piece["letter"]: piece["action"] for piece in arrange["pieces"]}
    letters = text.rpartition(":")[2].replace("/", "")
    assert client.act([actions[letter] for letter in letters])["type"] == "stored"
    return client


def weight(client: Client, choice: dict[str, Any]) -> float:
    """The weight of a choice. Attacks and steps forward make a livelier picture."""
    if choice["verb"] == "attack":
        return 9.0
    begin, end = (int(name[1:]) for name in (choice["path"][0], choice["path"][-1]))
    forward = end - begin if client.welcome["side"] == "red" else begin - end
    return 4.0 if forward > 0 else 0.4


def play(clients: tuple[Client, Client], rng: random.Random) -> None:
    for _ in range(TURNS):
        for client in clients:
            client.quiet()
        mover = next(client for client in clients if client.choices)
        weights = [weight(mover, choice) for choice in mover.choices]
        choice = rng.choices(mover.choices, weights)[0]
        assert mover.act([choice["id"]])["type"] == "stored"
        mover.until("update")
        other = clients[1 - clients.index(mover)]
        while other.seq < mover.seq:
            other.next()


def classic(server: Server) -> Match:
    library = {d["name"]: d["text"] for d in server.get("/api/games/classic").json()["deployments"]}
    red, blue = list(library.values())[:2]
    match = server.match(("me", "me"), variant="classic")
    play((deploy(match, "red", red), deploy(match, "blue", blue)), random.Random(SEED))
    return match


def conquest(server: Server) -> Match:
    """Plays until red moves in a later round. Red attacks where it can."""
    match = server.match(("me", "greedy", "greedy", "greedy"), variant="conquest")
    red, rng = match.sit("red"), random.Random(SEED)
    while red.scene["turn"] < 4 * ROUNDS or not any(choice["verb"] in ("move", "attack") for choice in red.choices):
        if red.scene["arrange"]:
            red.deploy(rng)
        elif red.choices:
            liked = [choice for choice in red.choices if choice["verb"] == "attack"] or red.choices
            assert red.act([rng.choice(liked)["id"]])["type"] == "stored"
        red.until("update", 60)
        red.quiet()
    return match


def photograph(browser: Browser, match: Match, side: str, name: str) -> None:
    page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
    page.goto(match.server.url(f"/match/{match.id}#{match.secrets[side]}"))
    page.locator('[data-space][aria-label*="can be chosen"]').first.wait_for()
    page.evaluate("() => document.fonts.ready")
    page.wait_for_timeout(1500)
    target = DOCS / name
    page.screenshot(path=target)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1000} kB")


def main() -> None:
    if not CHROMIUM:
        sys.exit("no chromium on this machine")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), static=str(STATIC)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        photograph(browser, classic(server), "blue", "match.png")
        photograph(browser, conquest(server), "red", "conquest.png")
        browser.close()


if __name__ == "__main__":
    main()
