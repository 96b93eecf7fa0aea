"""Every family's rules page names only rules that exist, explains every switch, and has the sections of its
variants.
"""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from texts import diagrams, messages, rules_page, sections

FAMILIES = games.families()
RULES = {
    "grid": ("GR", {*range(1, 23), *range(30, 41)}),
    "cardgame": ("CG", set(range(1, 15))),
    "conquest": ("CQ", set(range(1, 37))),
}
"""Letters and numbers of the rules of each family."""
VARIANTS = [(family, variant) for family, variants in FAMILIES.items() for variant in variants]
SWITCHES = [
    (family, name)
    for family, variants in FAMILIES.items()
    for name in sorted({switch.name for variant in variants for switch in games.ruleset(variant).switches})
]

each_family = pytest.mark.parametrize("family", FAMILIES)


@each_family
def test_every_rule_is_there_once(family: str) -> None:
    letters, numbers = RULES[family]
    found = re.findall(rf"^\*\*{letters}-(\d+)\*\*", rules_page(family), flags=re.MULTILINE)
    assert sorted(map(int, found)) == sorted(numbers)


@each_family
def test_rules_that_are_named_exist(family: str) -> None:
    """Rule numbers that a page calls "not used" do not count."""
    letters, numbers = RULES[family]
    page = re.sub(r"\S+ to \S+ are not used", "", rules_page(family))
    assert {int(number) for number in re.findall(rf"{letters}-(\d+)", page)} <= numbers


@pytest.mark.parametrize(("family", "switch"), SWITCHES)
def test_every_switch_is_explained(family: str, switch: str) -> None:
    assert re.search(rf"^- .*`{switch}` \(", rules_page(family), flags=re.MULTILINE)


@each_family
def test_every_diagram_has_a_caption(family: str) -> None:
    page = rules_page(family)
    found = [caption for kind in ("board", "cards", "map [a-z]+") for caption, _ in diagrams(page, kind)]
    assert len(found) * 2 == page.count("```"), "a fence that is no diagram"
    assert all(re.fullmatch(r"[A-Z].{20,}", caption) for caption in found)


@each_family
def test_comments_name_variants(family: str) -> None:
    page = rules_page(family)
    assert page.count("<!--") == len(sections(page))
    for heading, names in sections(page):
        assert set(names) <= set(FAMILIES[family]), heading


@pytest.mark.parametrize(("family", "variant"), VARIANTS)
def test_each_variant_has_its_section_with_its_boxes(family: str, variant: str) -> None:
    title = messages(family)[f"game.{variant}.title"]
    section = " ".join(rules_page(family).split(f"## {title}\n<!-- variants: {variant} -->")[1].split("## ")[0].split())
    assert all(box in section for box in games.ruleset(variant).data["boxes"])
