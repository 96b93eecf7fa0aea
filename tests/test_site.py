"""Parts of the documentation site: links, diagrams, navigation, and the search for addresses of other hosts. `make
docs` builds the whole site, with packages that the tests do not have.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from gonfalon.games import families

ROOT = Path(__file__).parents[1]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program that builds the site."""
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    return importlib.import_module("compose")


@pytest.mark.parametrize(
    ("page", "loaded"),
    [
        ('<script src="https://cdn.example.org/a.js"></script>', "https://cdn.example.org/a.js"),
        ('<link rel="stylesheet" href="//fonts.example.org/a.css">', "//fonts.example.org/a.css"),
        ('<img src="http://example.org/a.png">', "http://example.org/a.png"),
    ],
)
def test_what_a_page_loads_from_another_host_is_named(site: ModuleType, tmp_path: Path, page: str, loaded: str) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    assert site.find_foreign(tmp_path) == [f"page.html loads {loaded}"]


def test_what_a_style_loads_from_another_host_is_named(site: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text('a { background: url("https://example.org/a.png"); }', encoding="utf-8")
    assert site.find_foreign(tmp_path) == ["a.css loads https://example.org/a.png"]


def test_links_to_follow_and_own_files_are_allowed(site: ModuleType, tmp_path: Path) -> None:
    page = '<a href="https://example.org">there</a><script src="../own.js"></script><img src="data:,">'
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    (tmp_path / "a.css").write_text("a { background: url(own.png); }", encoding="utf-8")
    assert site.find_foreign(tmp_path) == []


@pytest.mark.parametrize(
    ("source", "link", "page"),
    [
        ("docs/data.md", "[forms](library.md#observations)", "[forms](library.md#observations)"),
        ("docs/start.md", "[README](../README.md#play)", "[README](index.md#play)"),
        ("README.md", "[rules](src/gonfalon/games/grid/rules.md)", "[rules](rules/grid.md)"),
        ("docs/search.md", "[all](../bench/experiments/README.md)", "[all](bench/experiments/README.md)"),
        ("docs/engine.md", "[lines](../src/gonfalon/ai/protocol/__init__.py)", "[lines](api/gonfalon.ai.protocol.md)"),
        ("README.md", "[MIT](LICENSE)", "MIT"),
        ("CHANGELOG.md", "[there](https://example.org)", "[there](https://example.org)"),
    ],
)
def test_links_lead_to_pages_of_the_site(site: ModuleType, source: str, link: str, page: str) -> None:
    found = site.LINK.fullmatch(link)
    assert site.correct_link(found["text"], found["target"], source, site.find_pages()) == page


def test_a_link_to_a_file_that_does_not_exist_is_named(site: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"docs/data.md: there is no file libary.md#keys"):
        site.correct_link("[keys]", "libary.md#keys", "docs/data.md", site.find_pages())


def list_targets(navigation: object) -> list[str]:
    """Return the pages of a navigation, in its order."""
    if isinstance(navigation, str):
        return [navigation]
    entries = navigation.values() if isinstance(navigation, dict) else navigation
    assert isinstance(entries, (list, type({}.values())))
    return [target for entry in entries for target in list_targets(entry)]


def test_every_page_is_in_the_navigation_once(site: ModuleType) -> None:
    pages = site.find_pages()
    modules = [f"api/{module}.md" for module in site.MODULES]
    assert sorted(list_targets(site.make_navigation(pages))) == sorted([*pages.values(), *modules])


def test_every_diagram_of_the_rules_is_drawn(site: ModuleType) -> None:
    for family in families(unlisted=True):
        source = f"src/gonfalon/games/{family}/rules.md"
        page = site.convert(source, site.find_pages())
        diagrams = site.FENCE.findall((ROOT / source).read_text(encoding="utf-8"))
        assert diagrams
        assert page.count("<figure><svg ") == len(diagrams)
        assert "```" not in page


@pytest.mark.parametrize(
    ("kind", "label", "text", "reason"),
    [
        ("board", "", "r7 rX", "grid has no piece 'X'"),
        ("board", "", "r7 ??", r"no such cell of a diagram: '\?\?'"),
        ("map", "moon", "show all", "no map 'moon'"),
        ("hexes", "", "..", "no diagram 'hexes'"),
    ],
)
def test_a_wrong_diagram_is_named(site: ModuleType, kind: str, label: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        importlib.import_module("diagrams").draw_diagram(kind, label, text, "grid")


def test_a_rule_can_be_linked(site: ModuleType) -> None:
    assert "**GR-5**{ #GR-5 }" in site.convert("src/gonfalon/games/grid/rules.md", site.find_pages())


def test_examples_of_docstrings_get_fences(site: ModuleType) -> None:
    source = 'def f():\n    """Do it.\n\n    >>> f()\n    1\n    """\n'
    fenced = 'def f():\n    """Do it.\n\n    ```pycon\n    >>> f()\n    1\n    ```\n    """\n'
    assert site.fence_examples(source) == fenced
