"""Visitors of a server for tests: browsers with cookies, accounts, and sockets that a session lets in."""

from __future__ import annotations

import secrets
from typing import Any

import httpx

from server.harness import Client, Server

PASSWORD = "nine lives and a spy"


def new_name() -> str:
    """Return an account name that no other test uses."""
    return f"A-{secrets.token_hex(6)}"


def make_account(browser: httpx.Client, name: str = "", password: str = PASSWORD) -> tuple[str, list[str]]:
    """Make an account in a browser. Return its name and its recovery codes."""
    name = name or new_name()
    answer = browser.post("/api/accounts", json={"name": name, "password": password})
    assert answer.status_code == 201, answer.text
    return name, answer.json()["codes"]


def log_in(server: Server, name: str, password: str = PASSWORD) -> httpx.Client:
    """Return another browser in which the account is open."""
    browser = server.browser()
    answer = browser.post("/api/login", json={"name": name, "password": password})
    assert answer.status_code == 200, answer.text
    return browser


def refused(answer: httpx.Response) -> str:
    """Return the code of a refusal."""
    code: str = answer.json()["line"]["code"]
    return code


def new_match(browser: httpx.Client, *seats: dict[str, Any], **wish: Any) -> dict[str, Any]:
    """Make a match in a browser; without `seats` one for the maker and a guest by link."""
    wishes = list(seats) or [{"kind": "me"}, {"kind": "person"}]
    answer = browser.post("/api/matches", json={"variant": "barrage", "seats": wishes, **wish})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def sit(
    server: Server, match: str, browser: httpx.Client, secret: str = "", invitation: str = "", **hello: Any
) -> Client:
    """Open a match in a browser, whose cookie goes along, and wait for the welcome."""
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    client = Client(server, match, additional_headers={"Cookie": cookie} if cookie else {})
    client.send("hello", secret=secret, seq=-1, invitation=invitation, **hello)
    client.welcome = client.until("welcome", 180)
    client.take(client.welcome)
    return client
