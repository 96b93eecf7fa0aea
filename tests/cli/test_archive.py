"""`gonfalon archive`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.terminal import fails, run

FIELD = "".join(["AMBCDDEKLA", "A" * 30, "AA__AA__AA" * 2, "A" * 30, "ANYOPPQWXA"])
MATCH = (
    f'<stratego><game type="barrage"><field content="{FIELD}"/>'
    '<move source="E1" target="E5"/><result type="3" winner="1"/></game></stratego>'
)


def test_matches_become_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.xml").write_text(MATCH, encoding="utf-8")
    (tmp_path / "bad.xml").write_text("<stratego/>", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("good.xml", "bad.xml", "none.xml")]
    records = tmp_path / "records"
    code, out, err = run(capsys, "archive", "games", *files, "-o", str(records))
    assert code == 1
    assert out.startswith("1 of 3 matches are in ")
    assert "bad.xml: there is no <field>" in err
    assert "none.xml" in err
    assert [path.name for path in records.iterdir()] == ["good.txt"]
    assert run(capsys, "replay", str(records / "good.txt"))[0] == 0
    assert run(capsys, "records", "export", str(records), "--to", "npz", "-o", str(tmp_path / "x.npz"))[0] == 0


def test_deployments_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setups = tmp_path / "setups.txt"
    setups.write_text("\nAMB" + "A" * 37 + "\n", encoding="utf-8")
    assert run(capsys, "archive", "deployments", str(setups))[:2] == (0, ".FB" + "." * 37 + "\n")
    setups.write_text("A" * 39 + "?\n", encoding="utf-8")
    assert "setups.txt, line 1: a deployment has 40 letters" in fails(capsys, "archive", "deployments", str(setups))
