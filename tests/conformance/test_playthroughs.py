"""Golden playthroughs: one match for each variant, with all scenes and events of every observer, byte for byte."""

from __future__ import annotations

import pytest

from conformance.cases import VARIANTS
from playthrough import MOST, path_of, write


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_has_changed(variant: str) -> None:
    """The playthrough is unchanged. After an intended change run `python tests/playthrough.py --write` and read the
    difference.
    """
    path = path_of(variant)
    assert path.is_file(), "this variant has no playthrough"
    kept = path.read_text(encoding="utf-8")
    assert len(kept.encode()) <= MOST
    assert write(variant) == kept
