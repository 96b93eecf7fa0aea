"""Ways to start a match: by the page's form, or with chosen deployments."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from server.harness import Client, Match, Server
from web.table import Table, actions_of, arranged, text_of

HASTE = """(() => {
  const wait = setTimeout
  window.setTimeout = (act, ms = 0) => wait(act, ms < 10_000 ? ms / 8 : ms)
})()"""
"""Script that makes battles eight times faster, for matches with many battles. The page's waits for the server stay
unchanged: shorter ones would drop live connections on a busy machine.
"""
SAFE = {"a1": "flag", "a2": "bomb", "b1": "spy", "b4": "marshal"}
"""A deployment whose Flag no piece can reach in two or three moves, in Barrage or with a full army."""


def new_match(
    page: Page,
    variant: str,
    opponent: str,
    side: str = "",
    switches: dict[str, bool | int] | None = None,
    time: str = "",
) -> Table:
    """Fills in the form for a new match and starts it. `opponent`: `link`, `device` or `agent:<name>`; `time`: name of
    a preset. Without one, a match by link has no clock, because tests may take long.
    """
    page.goto(f"/new/{variant}")
    kind, _, agent = opponent.partition(":")
    page.check(f'[name="opponent"][value="{kind}"]')
    if agent:
        page.select_option('[name="agent"]', agent)
    if side:
        page.check(f'[name="side"][value="{side}"]')
    if switches:
        page.locator("details summary").click()
    if time or kind == "link":
        page.select_option('[name="time"]', time or "live")
    for name, value in (switches or {}).items():
        field = page.locator(f"#switch-{name}")
        if isinstance(value, bool):
            field.set_checked(value)
        else:
            field.fill(str(value))
            field.blur()
    page.click('[data-do="start"]')
    return Table(page)


def link_of(table: Table) -> str:
    """Return the first link on the screen that a match's maker sees until the guests have come."""
    link = table.page.locator("[data-invite]").first.get_attribute("data-invite")
    assert link is not None
    return link


def sit_at(page: Page, match: Match, side: str) -> Table:
    """Open a link to a seat. An invitation is opened as by a guest who has opened it before."""
    if side in match.invitations:
        guest = match.sit(side)
        guest.close()
        match.server.clients.remove(guest)
    page.goto(f"/match/{match.id}#{match.secrets[side]}")
    return Table(page)


def timed(server: Server, control: dict[str, Any], *seats: str, variant: str = "barrage") -> Match:
    """Return a match with a time control. A seat is `me`, `person` or the name of an agent."""
    wishes = [{"kind": each} if each in ("me", "person") else {"kind": "agent", "agent": each} for each in seats]
    made = server.post("/api/matches", {"variant": variant, "seats": wishes, "clock": control}).json()
    return Match(server, made["match"], made["secrets"], made["invitations"])


def deploy(client: Client, wanted: dict[str, str]) -> None:
    """Deploys with some pieces on chosen squares."""
    arrange = client.scene["arrange"]
    assert client.act(actions_of(arrange, arranged(arrange, wanted)))["type"] == "stored"


def deployed(match: Match, side: str, wanted: dict[str, str]) -> None:
    """Take a seat by a connection that is closed afterwards."""
    client = match.sit(side)
    deploy(client, wanted)
    client.close()
    match.server.clients.remove(client)


def deployment(client: Client, variant: str, wanted: dict[str, str]) -> str:
    """Return the deployment as a text for the page."""
    arrange = client.scene["arrange"]
    return text_of(variant, arrange, arranged(arrange, wanted))


def deployment_for(server: Server, variant: str, side: str, wanted: dict[str, str]) -> str:
    """Prepare the deployment for a match that the page will make."""
    client = server.match(variant=variant).sit(side)
    text = deployment(client, variant, wanted)
    client.close()
    server.clients.remove(client)
    return text


def scripted(client: Client, *path: str) -> None:
    """Wait for this client's turn, then make the choice with this path."""
    choices = due(client)
    chosen = [choice["id"] for choice in choices if tuple(choice["path"]) == path]
    assert chosen, f"{path} is no choice: {[c['path'] for c in choices]}"
    assert client.act(chosen)["type"] == "stored"


def due(client: Client) -> list[dict[str, Any]]:
    """Wait for this client's turn, then return its choices."""
    client.quiet()
    while not client.choices:
        assert not client.over, "the match is over"
        client.next()
        client.quiet()
    return client.choices
