"""Nodes that cannot start say why, in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from server.harness import Server
from server.nodes.site import Site, running_site


def serve(folder: Path, url: str, *options: str) -> str:
    """Return the complaint of a server that cannot start."""
    command = [sys.executable, "-m", "gonfalon", "serve", "--data", str(folder), "--database", url, "--port", "0"]
    ended = subprocess.run([*command, *options], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    return ended.stderr


def test_nodes_and_a_single_server_exclude_each_other(tmp_path: Path) -> None:
    with running_site(tmp_path, "one") as site:
        assert "another server has this database" in serve(tmp_path, site.url)
        site.nodes[0].stop()
        with_one = Server(tmp_path, database=site.url)
        try:
            options = ("--node", "two", "--advertise", "http://127.0.0.1:8199")
            assert "another server has this database" in serve(tmp_path, site.url, *options)
        finally:
            with_one.stop()


def test_a_name_belongs_to_one_living_node(tmp_path: Path) -> None:
    with running_site(tmp_path, "one") as site:
        options = ("--node", "one", "--advertise", "http://127.0.0.1:8198")
        assert "a node one is alive on this database; choose another name" in serve(tmp_path, site.url, *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--node", "One", "--advertise", "http://127.0.0.1:8197"), "a node's name has 1 to 20 of a-z, 0-9 and -"),
        (("--node", "one"), "other nodes need to reach this one"),
        (("--advertise", "http://127.0.0.1:8195"), "only one of several nodes has an address for the others"),
        (
            ("--node", "one", "--advertise", "http://127.0.0.1:8193", "--port", "8193"),
            "other nodes need one of their own",
        ),
        (("--node", "one", "--advertise", "https://10.0.0.5"), "an address such as http://10.0.0.5:8100 is needed"),
        (("--node", "one", "--advertise", "http://10.0.0.5:99999"), "Port out of range"),
    ],
)
def test_impossible_settings_are_named(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    site = Site(tmp_path)
    assert words in serve(tmp_path, site.url, *options)


def test_a_database_without_tables_or_rights_is_named(tmp_path: Path) -> None:
    site = Site(tmp_path)
    options = ("--node", "one", "--advertise", "http://127.0.0.1:8196")
    site.change("DROP TABLE alembic_version")
    assert "`gonfalon database upgrade` makes its tables" in serve(tmp_path, site.url, *options)
    other = Site(tmp_path / "other")
    other.change("DO $$ BEGIN CREATE ROLE poor LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    other.change("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO poor")
    other.change("REVOKE INSERT ON claims FROM poor")
    poor = other.url.replace("//gonfalon@", "//poor@")
    assert poor != other.url
    assert "user poor lacks the right INSERT on the table claims" in serve(tmp_path, poor, *options)
