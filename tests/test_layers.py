"""Imports point inward only: engine -> nothing; games.X -> engine; ai, records -> engine; envs, server ->
engine, ai.

Code outside of `games/` imports only what `gonfalon.games` itself offers (`OFFERED`). A family never imports another
family. The command line is outermost: it may import everything but a family. A family's own tests may import everything
too. This reads the sources and runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "gonfalon"
ALLOWED = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "ai": {"engine", "ai", "games"},
    "records": {"engine", "games", "records"},
    "drawing": {"engine", "games", "drawing"},
    "envs": {"engine", "ai", "games", "envs"},
    "server": {"engine", "ai", "games", "server"},
    "cli": {"engine", "ai", "games", "records", "drawing", "server", "cli", "envs"},
}
"""The layers that each layer may import, including itself. From outside, only the package `games` itself may be
imported, never a family's folder. `import gonfalon` counts as an import of `games`.
"""
OFFERED = {
    "banners",
    "families",
    "glyphs",
    "find_heading",
    "make",
    "read_variants",
    "ruleset",
    "variants",
    "words",
    "commands",
    "training",
}
"""Members that `gonfalon.games` offers. `commands` and `training` are for the command line only."""
SERVER: dict[str, set[str]] = {
    "protocol": {"clock"},
    "clock": {"protocol"},
    "bus": set(),
    "workers": {"bus", "storage"},
    "storage": {"protocol", "clock"},
    "net": {"protocol"},
    "cluster": {"bus", "clock", "storage", "net", "match"},
    "match": {"protocol", "clock", "storage", "net", "workers"},
    "people": {"protocol", "storage", "net", "match"},
    "review": {"protocol", "clock", "storage", "workers", "match"},
    "ratings": {"protocol", "clock", "storage", "match"},
    "lobby": {"protocol", "clock", "storage", "net", "match"},
    "operator": {"protocol", "storage", "match", "people"},
    "http": {"protocol", "clock", "storage", "net", "match", "people", "lobby", "ratings", "review"},
}
"""Packages of the server, each with the other packages that it may import. Bodies and messages of `protocol` carry time
controls of `clock`, which raises the refusals of `protocol`.
"""
BESIDE = {"lobby", "people", "ratings"}
"""Packages beside the match, which get facts: of `match` they import only its public side, `match/public.py`."""
SHARED = {"computers", "config", "journal", "library", "page_facts", "service"}
"""Modules that all packages of the server may import, with two exceptions: only `http` may import `service`, and `net`
and `storage` may not import `library`.
"""
COMPILERS = {"numba", "llvmlite"}
COMPILING = "engine/compiled/jit.py"
ROOMS = ("rules", "text", "sight", "screen", "play")
"""The folders of a family. Each may import `state.py` and the folders before it; all but `rules` may also import the
other files of the family.
"""


def sources() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of every module or member that a file imports."""
    package = ("gonfalon", *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [base])])
            for name in node.names:
                yield node.lineno, f"{base}.{name.name}"


def layer(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""


def is_family(name: str) -> bool:
    parts = name.split(".")
    return len(parts) > 2 and parts[:2] == ["gonfalon", "games"] and (ROOT / "games" / parts[2]).is_dir()


def offered(names: list[str], own: str) -> bool:
    """Return whether a layer may import these names from `gonfalon.games`. The package itself, without a name, is
    allowed.
    """
    return not names or (names[0] in OFFERED and (names[0] not in ("commands", "training") or own == "cli"))


def faults(path: Path) -> Iterator[str]:
    where, own = path.relative_to(ROOT), layer(path)
    for line, name in imports(path):
        parts = name.split(".")
        if parts[0] in COMPILERS and where.as_posix() != COMPILING:
            yield f"{where}:{line}: only {COMPILING} compiles, this imports {name}"
        if parts[0] != "gonfalon":
            continue
        target = parts[1] if len(parts) > 1 and (ROOT / parts[1]).is_dir() else "games"
        if own and target not in ALLOWED[own]:
            yield f"{where}:{line}: {own} must not import {name}"
        if own == "games" and target == "games" and not is_family(name) and "tests" not in where.parts:
            yield f"{where}:{line}: a family must not import {name}"
        if (
            parts[:2] == ["gonfalon", "games"]
            and own != "games"
            and not is_family(name)
            and not offered(parts[2:], own)
        ):
            yield f"{where}:{line}: `gonfalon.games` does not offer {name} to {own or 'the package'}"
        if is_family(name) and (own != "games" or where.parts[1] != parts[2]):
            yield f"{where}:{line}: only a family itself knows its folder, this imports {name}"


def room_faults(path: Path) -> Iterator[str]:
    """Yield imports of a family's folder from a later folder."""
    where = path.relative_to(ROOT)
    room = where.with_suffix("").parts[2] if len(where.parts) > 2 else ""
    if where.parts[0] != "games" or room not in ROOMS:
        return
    for line, name in imports(path):
        parts = name.split(".")
        if parts[:2] != ["gonfalon", "games"] or len(parts) < 4:
            continue
        later = parts[3] in ROOMS[ROOMS.index(room) + 1 :]
        if later or (room == "rules" and parts[3] not in ("rules", "state")):
            yield f"{where}:{line}: `{room}` must not import {name}"


def server_faults(path: Path) -> Iterator[str]:
    """Yield forbidden imports between the server's packages. No package may import `trials`."""
    where = path.relative_to(ROOT)
    if where.parts[0] != "server":
        return
    own = where.parts[1] if len(where.parts) > 2 else ""
    for line, name in imports(path):
        parts = name.split(".")
        if parts[:2] != ["gonfalon", "server"] or len(parts) < 3 or parts[2] == own:
            continue
        target = parts[2]
        hidden = own in BESIDE and target == "match" and parts[3:4] != ["public"]
        if target == "trials" or hidden or (own in SERVER and not _may_import(own, target)):
            yield f"{where}:{line}: `server/{own}` must not import {name}"


def _may_import(own: str, target: str) -> bool:
    if target in SERVER:
        return target in SERVER[own]
    if target == "service":
        return own == "http"
    return target in SHARED and not (target == "library" and own in ("net", "storage", "protocol", "workers", "clock"))


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_inward(path: Path) -> None:
    assert not [*faults(path), *room_faults(path), *server_faults(path)]


def test_every_package_of_the_server_has_its_directions() -> None:
    folders = {path.name for path in (ROOT / "server").iterdir() if (path / "__init__.py").is_file()}
    assert folders == {*SERVER, "trials"}


def test_clocks_are_pure_computation() -> None:
    """Of our own code, `server/clock` imports itself and the refusals; it knows no task, no store and no match."""
    for path in (ROOT / "server" / "clock").glob("*.py"):
        for line, name in imports(path):
            own = name.startswith(("gonfalon.server.clock.", "gonfalon.server.protocol.refusals."))
            assert own or name.split(".")[0] not in ("gonfalon", "asyncio", "sqlalchemy"), f"{path.name}:{line}: {name}"


def test_families_have_the_same_rooms() -> None:
    for family in sorted(path.parents[1] for path in ROOT.glob("games/*/data/variants")):
        found = {path.stem for path in family.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
        assert found >= {*ROOMS, "tests"}, f"{family.name}: a room is a folder or one file"


def test_every_folder_has_its_layer() -> None:
    folders = {path.name for path in ROOT.iterdir() if any(path.glob("*.py"))}
    assert folders <= set(ALLOWED)


def test_a_wrong_import_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("engine", "games/one", "games/two", "ai"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    wrong = {
        "engine/a.py": "def f():\n    from gonfalon.ai import agents\n",
        "engine/b.py": "import gonfalon\n",
        "games/one/c.py": "from gonfalon.games.two.moves import go\n",
        "games/one/d.py": "from ..two import moves\n",
        "games/one/h.py": "from gonfalon import make\n",
        "ai/e.py": "from gonfalon.games import one\n",
        "ai/f.py": "import numba\n",
        "ai/i.py": "from gonfalon.games import commands\n",
        "ai/j.py": "from gonfalon.games import importlib\n",
    }
    for name, text in wrong.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert list(faults(path)), name
    (tmp_path / "games/one/rules").mkdir()
    rule = tmp_path / "games/one/rules/l.py"
    for name in ("sight.visible", "kernels"):
        rule.write_text(
            f"from gonfalon.games.one import state\nfrom gonfalon.games.one.{name} import go\n", encoding="utf-8"
        )
        assert len(list(room_faults(rule))) == 1, name
    for folder in ("match", "net", "ratings"):
        (tmp_path / "server" / folder).mkdir(parents=True)
    for name, module in (
        ("net", "match.state"),
        ("match", "http.routes"),
        ("match", "trials.speed"),
        ("net", "library"),
        ("ratings", "match.state"),
    ):
        wrongly = tmp_path / "server" / name / "m.py"
        wrongly.write_text(f"from gonfalon.server.{module} import go\n", encoding="utf-8")
        assert len(list(server_faults(wrongly))) == 1, module
    (tmp_path / "cli").mkdir()
    right = {
        "games/one/g.py": "from gonfalon.engine.game import Game\nfrom gonfalon.games.one.c import go\n",
        "cli/k.py": "import gonfalon.games\nfrom gonfalon.games import commands, make\n",
    }
    for name, text in right.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert not list(faults(path)), name
