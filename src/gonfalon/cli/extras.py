"""Packages that not every installation has. Each belongs to an extra; errors name it and the command that installs it.

`pip install gonfalon` brings the library. Commands that need more say so before they begin.
"""

from __future__ import annotations

from importlib.util import find_spec

from gonfalon.cli.errors import CommandError

EXTRAS = {
    "play": (
        "alembic",
        "argon2",
        "babel",
        "litestar",
        "openskill",
        "prometheus_client",
        "rich",
        "sqlalchemy",
        "uvicorn",
        "uvloop",
        "webauthn",
        "zxcvbn",
        "websockets",
    ),
    "postgres": ("psycopg",),
    "plot": ("matplotlib",),
    "cluster": ("ray",),
    "envs": ("gymnasium", "pettingzoo"),
    "open-spiel": ("pyspiel",),
    "data": ("pyarrow",),
}
"""Modules that commands import, by extra."""


def require(what: str, *modules: str) -> None:
    """Check that modules of extras are installed. `what`: the command or option that needs them. Raises
    `CommandError`.
    """
    for module in modules:
        if find_spec(module) is None:
            raise CommandError(word_missing(what, module))


def word_missing(what: str, module: str) -> str:
    """Return as text which extra brings a module, and how to install it."""
    extra = find_extra(module)
    return f"{what} needs the extra `{extra}` ({module} is missing): pip install 'gonfalon[{extra}]'"


def find_extra(module: str | None) -> str:
    """Return the extra that brings a module, also for the name of one of its submodules; empty for other modules."""
    top = (module or "").partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), "")
