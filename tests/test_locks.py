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


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_python_package_has_a_hash(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    pins = re.split(r"\n(?=\S)", "\n" + text)
    packages = [pin for pin in pins if "==" in pin]
    assert packages
    assert not [pin.split()[0] for pin in packages if "--hash=sha256:" not in pin]
    assert "://" not in text
