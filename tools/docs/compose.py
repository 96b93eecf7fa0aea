"""Build the documentation site: `PYTHONPATH=src python tools/docs/compose.py` with the packages of
`requirements-docs.lock` (`make docs`).

The site is made of the Markdown files of this tree, which stay where they are. This program copies them into
`build/docs` with links that fit, draws the diagrams of the rules, adds a page for each public module, and starts
Zensical, which writes `site`. It fails at a dead link, an unknown reference, and anything that a browser would load
from another host.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

from diagrams import draw_diagram

from gonfalon.games import families

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
BUILD, SITE = ROOT / "build" / "docs", ROOT / "site"
GUIDES = ("library", "environments", "data", "learning", "boards", "belief", "arena", "engine", "records", "running")
"""Guides in the order of the navigation. A page of `docs` that no list names comes after them."""
PROJECT = ("search", "protocol", "glossary")
"""Pages of `docs` about the project itself."""
MODULES = (
    "gonfalon",
    "gonfalon.engine.game",
    "gonfalon.engine.learning.batch",
    "gonfalon.engine.learning.observation",
    "gonfalon.engine.view",
    "gonfalon.engine.events",
    "gonfalon.engine.screens.scene",
    "gonfalon.engine.search",
    "gonfalon.engine.records.record",
    "gonfalon.records",
    "gonfalon.drawing",
    "gonfalon.ai",
    "gonfalon.ai.agent",
    "gonfalon.ai.policy",
    "gonfalon.ai.arena.entrants",
    "gonfalon.ai.protocol",
    "gonfalon.envs",
    "gonfalon.envs.gymnasium",
    "gonfalon.envs.pettingzoo",
    "gonfalon.envs.vector",
    "gonfalon.envs.open_spiel",
)
"""Public modules, each with a page of the reference."""
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^```(?P<kind>board|cards|map) (?P<label>.*)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
RULE = re.compile(r"^\*\*(?P<number>[A-Z]{2}-\d+)\*\*", re.MULTILINE)
DOCTEST = re.compile(r'^(?P<indent> *)>>> .*\n(?:(?P=indent)(?!""").+\n)*', re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def main() -> int:
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    pages = find_pages()
    for source, target in pages.items():
        write(target, convert(source, pages))
    for module in MODULES:
        write(f"api/{module}.md", f"# {module}\n\n::: {module}\n")
    copy_assets()
    copy_sources()
    navigation = json.dumps(make_navigation(pages), indent=1)  # JSON is YAML, too
    settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    (BUILD / "mkdocs.yml").write_text(f"{settings}nav: {navigation}\n", encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", "mkdocs.yml"]
    done = subprocess.run(command, cwd=BUILD, check=False)
    if done.returncode:
        return done.returncode
    shutil.move(BUILD / "site", SITE)
    foreign = find_foreign(SITE)
    print(*foreign, sep="\n", end="\n" if foreign else "")
    count = len(list(SITE.rglob("*.html")))
    print(f"{count} pages; `python3 -m http.server --directory {SITE.relative_to(ROOT)}` serves them on port 8000")
    return int(bool(foreign))


def find_pages() -> dict[str, str]:
    """Return the path in the site of each Markdown file, by its path in this tree."""
    pages = {"README.md": "index.md", "web/FONTS.md": "fonts.md"}
    pages |= {f"{name}.md": f"{name.lower()}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "CHANGELOG")}
    for folder, below in (("docs", ""), ("bench", "bench/")):
        for path in sorted((ROOT / folder).rglob("*.md")):
            pages[str(path.relative_to(ROOT))] = below + str(path.relative_to(ROOT / folder))
    pages |= {f"src/gonfalon/games/{family}/rules.md": f"rules/{family}.md" for family in families(unlisted=True)}
    return pages


def make_navigation(pages: dict[str, str]) -> list[dict[str, object]]:
    """Return the navigation; the titles of pages come from their headings."""
    named = [f"{name}.md" for name in (*GUIDES, *PROJECT)]
    top = [target for source, target in pages.items() if source.startswith("docs/") and "/" not in target]
    own = [target for target in top if target not in (*named, "start.md")]
    decisions, terms = (
        sorted(page for page in pages.values() if page.startswith(at)) for at in ("decisions/", "terms/")
    )
    about = ["architecture.md", "search.md", "protocol.md", "contributing.md", "changelog.md", "fonts.md"]
    return [
        {"Gonfalon": ["index.md"]},
        {"Start": ["start.md"]},
        {"Guides": [*(f"{name}.md" for name in GUIDES), *own]},
        {"Rules": [f"rules/{family}.md" for family in families(unlisted=True)]},
        {"Reference": [{module: f"api/{module}.md"} for module in MODULES]},
        {"Benchmarks": [page for page in sorted(pages.values(), reverse=True) if page.startswith("bench/")]},
        {"Project": [*about, {"Words": ["glossary.md", *terms]}, {"Decisions": decisions}]},
    ]


# ---- pages -------------------------------------------------------------------------------------------------------


def convert(source: str, pages: dict[str, str]) -> str:
    """Return the text of a page of the site."""
    text = COMMENT.sub("", (ROOT / source).read_text(encoding="utf-8"))
    family = Path(source).parent.name
    text = FENCE.sub(lambda found: draw_diagram(found["kind"], found["label"], found["text"], family), text)
    text = RULE.sub(r"**\g<number>**{ #\g<number> }", text)
    return LINK.sub(lambda found: correct_link(found["text"], found["target"], source, pages), text)


def correct_link(text: str, target: str, source: str, pages: dict[str, str]) -> str:
    """Return a link of the file `source` as a link of its page.

    A file that is no page has no address. So of a link to it only the text stays. Raises ValueError if there is no such
    file.
    """
    path, hash_, anchor = target.partition("#")
    if "://" in target or not path:
        return f"{text}({target})"
    file = (ROOT / source).parent.joinpath(path).resolve().relative_to(ROOT)
    if not (ROOT / file).exists():
        raise ValueError(f"{source}: there is no file {target}")
    if text.startswith("!"):
        write_copy(file)
        page = f"assets/{file.name}"
    elif str(file) in pages:
        page = pages[str(file)]
    elif (module := ".".join(file.with_suffix("").parts[1:]).removesuffix(".__init__")) in MODULES:
        page = f"api/{module}.md"
    else:
        return text[1:-1]
    return f"{text}({os.path.relpath(page, Path(pages[source]).parent)}{hash_}{anchor})"


def write(target: str, text: str) -> None:
    file = BUILD / "pages" / target
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def write_copy(file: Path) -> None:
    folder = BUILD / "pages" / "assets"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / file, folder)


def copy_assets() -> None:
    """Copy the page's fonts, its icon and the styles of the site."""
    for font in (ROOT / "web" / "src" / "fonts").iterdir():
        write_copy(font)
    write_copy(ROOT / "web" / "public" / "icon.svg")
    write_copy(HERE / "site.css")


def copy_sources() -> None:
    """Copy the library for mkdocstrings, which reads it and does not run it. The copies have fences around the examples
    of docstrings, because mkdocstrings knows no examples outside of sections of their own.
    """
    for file in (ROOT / "src").rglob("*.py"):
        target = BUILD / "src" / file.relative_to(ROOT / "src")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(fence_examples(file.read_text(encoding="utf-8")), encoding="utf-8")


def fence_examples(source: str) -> str:
    return DOCTEST.sub(lambda found: f"{found['indent']}```pycon\n{found[0]}{found['indent']}```\n", source)


# ---- checks ------------------------------------------------------------------------------------------------------


class Loading(HTMLParser):
    """Collects the addresses that a browser loads together with a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            self.found += [value or "" for name, value in attrs if name in ("src", "srcset", "href", "data", "poster")]


def find_foreign(site: Path) -> list[str]:
    """Return a line for each address of another host that a page or a style of the site loads."""
    faults = []
    for file in sorted(site.rglob("*.html")):
        page = Loading()
        page.feed(file.read_text(encoding="utf-8"))
        faults += [f"{file.relative_to(site)} loads {at}" for at in page.found if re.match(r"(https?:)?//", at)]
    for file in sorted(site.rglob("*.css")):
        addresses = re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')]+)", file.read_text(encoding="utf-8"))
        faults += [f"{file.relative_to(site)} loads {at}" for at in addresses]
    return faults


if __name__ == "__main__":
    sys.exit(main())
