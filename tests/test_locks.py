"""Lock files hold a hash for every installed package, and no download address."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_every_package_of_the_page_has_a_hash() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    packages.pop("")  # the page itself
    assert packages
    assert not [name for name, package in packages.items() if not package.get("integrity", "").startswith("sha512-")]
    assert not [name for name, package in packages.items() if "resolved" in package]


@pytest.mark.parametrize(
    "name",
    [f"requirements{kind}.lock" for kind in ("", "-dev", "-study", "-docs", "-postgres")],
)
def test_every_python_package_has_a_hash(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    pins = re.split(r"\n(?=\S)", "\n" + text)
    packages = [pin for pin in pins if "==" in pin]
    assert packages
    assert not [pin.split()[0] for pin in packages if "--hash=sha256:" not in pin]
    assert "://" not in text


def read_pins(name: str) -> dict[str, set[str]]:
    """Return the versions of each package of a lock file; they may differ by version of Python."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(
        r"(?m)^([a-z0-9-]+)(?:\[.*\])?==(\S+)", (ROOT / name).read_text(encoding="utf-8")
    ):
        found.setdefault(package, set()).add(version)
    return found


@pytest.mark.parametrize("name", [f"requirements{kind}.lock" for kind in ("", "-study", "-docs", "-postgres")])
def test_locks_agree(name: str) -> None:
    tested = read_pins("requirements-dev.lock")
    pins = read_pins(name)
    assert len(pins) > 20
    assert {package: pins[package] for package in pins.keys() & tested.keys()} == {
        package: tested[package] for package in pins.keys() & tested.keys()
    }


def test_only_the_study_installs_jax() -> None:
    assert {"jax", "jaxlib", "pgx"} <= read_pins("requirements-study.lock").keys()
    for name in ("requirements.lock", "requirements-dev.lock"):
        assert not {"jax", "jaxlib", "pgx"} & read_pins(name).keys()
    assert "open-spiel" in read_pins("requirements-dev.lock")
    assert "scipy" not in read_pins("requirements.lock")
