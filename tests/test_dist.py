"""The wheel and the source archive, built without node and network: what is in them, and that the library works with
NumPy, Numba and msgspec alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

import gonfalon
from gonfalon.cli.extras import EXTRAS

ROOT = Path(__file__).parents[1]
PACKAGE = Path(gonfalon.__file__).parent
PROGRAMS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
NEEDED = ("numpy", "numpy.libs", "numba", "llvmlite", "llvmlite.libs", "msgspec")
"""Entries of a folder of packages that the library needs; those that exist on this system."""
RUN = "import runpy, sys; sys.path += sys.argv[1:3]; del sys.argv[:3]; runpy.run_path(sys.argv[0], run_name='__main__')"
"""Runs a program with two more folders on the path. `-I -S` leaves only the standard library there."""
LOOK = f"""
from importlib.util import find_spec
import gonfalon
found = [name for name in {[module for modules in EXTRAS.values() for module in modules]} if find_spec(name)]
print(gonfalon.__file__, found)
"""

WALK = """
import importlib, pkgutil
import gonfalon
for module in pkgutil.walk_packages(gonfalon.__path__, "gonfalon."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            print(module.name, error.name)
"""
"""Prints the modules that cannot be imported, with the module that each one lacks."""
OUTSIDE = ("gonfalon.server.", "gonfalon.envs.")
"""Beginnings of the names of modules that need an extra."""


def build(source: Path, folder: Path) -> Path:
    """Return the wheel of a source tree, made without the page."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--quiet"]
    run([*command, "--wheel-dir", str(folder), str(source)], GONFALON_NO_PAGE="1")
    (wheel,) = folder.glob("*.whl")
    return wheel


def run(command: list[str], folder: Path | None = None, **more: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GONFALON_", "PYTHONPATH"))}
    done = subprocess.run(
        command, capture_output=True, text=True, env={**environment, **more}, cwd=folder, check=False, timeout=280
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the unpacked source archive."""
    folder = tmp_path_factory.mktemp("source")
    command = [sys.executable, "-c", "import sys; from hatchling.build import build_sdist; build_sdist(sys.argv[1])"]
    run([*command, str(folder)], folder=ROOT)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs a program with the installed wheel and the packages that it needs, and nothing else."""
    installed, packages = tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("packages")
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
    run([*pip, "--target", str(installed), str(wheel)])
    (site,) = {Path(str(find_spec(name).origin)).parents[1] for name in ("numpy", "numba")}  # type: ignore[union-attr]
    for name in NEEDED:
        if (site / name).exists():
            (packages / name).symlink_to(site / name)
    _copy_compiled(installed / "gonfalon")
    return [sys.executable, "-I", "-S", "-c", RUN, str(installed), str(packages)]


def _copy_compiled(installed: Path) -> None:
    """Copy compiled rules from the source tree, whose sources are the same, so that the test need not compile them."""
    for file in PACKAGE.rglob("__pycache__/*.nb[ic]"):
        if (folder := installed / file.parent.relative_to(PACKAGE)).parent.is_dir():
            folder.mkdir(exist_ok=True)
            shutil.copy(file, folder)


def test_the_wheel_has_the_library_and_no_tests(wheel: Path) -> None:
    files = zipfile.ZipFile(wheel).namelist()
    assert "gonfalon/games/grid/data/variants/barrage.toml" in files
    assert "gonfalon/games/grid/rules.de.md" in files
    assert "gonfalon/py.typed" in files
    assert not [name for name in files if "/tests/" in name or "/static/" in name or name.endswith((".pyc", ".nbi"))]
    assert {name.split("/")[0] for name in files} == {"gonfalon", f"gonfalon-{gonfalon.__version__}.dist-info"}


def test_no_extra_is_on_the_path_of_these_tests(alone: list[str], tmp_path: Path) -> None:
    program = tmp_path / "look.py"
    program.write_text(LOOK, encoding="utf-8")
    file, found = run([*alone, str(program)]).split(maxsplit=1)
    assert not Path(file).is_relative_to(ROOT)
    assert found.strip() == "[]"


def test_only_the_server_and_adapters_import_an_extra(alone: list[str], tmp_path: Path) -> None:
    program = tmp_path / "walk.py"
    program.write_text(WALK, encoding="utf-8")
    lacking = dict(line.split() for line in run([*alone, str(program)], GONFALON_PLAIN="1").splitlines())
    assert not [name for name in lacking if not name.startswith(OUTSIDE)]
    assert lacking["gonfalon.envs.pettingzoo"] == "gymnasium", "the walk must reach the modules that need an extra"


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_programs_of_the_readme_need_only_the_library(number: int, alone: list[str], tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAMS[number], encoding="utf-8")
    run([*alone, str(program)])


def test_a_server_without_a_page_says_how_to_get_one(wheel: Path, tmp_path: Path) -> None:
    """The packages of the server are there, and the page is not."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-m", "gonfalon", "serve", "--port", "0"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gonfalon: there is no page to serve: ")
    assert "make setup" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_source_archive_builds_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    assert (source / "web" / "package-lock.json").is_file()
    assert (source / "CITATION.cff").is_file()
    assert not (source / "web" / "node_modules").exists()
    again = build(source, tmp_path)
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


def test_only_a_build_of_the_page_asks_for_node(source: Path) -> None:
    ask = [sys.executable, "-c", "from hatchling.build import *; print(*get_requires_for_build_wheel())"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = run(ask, folder=source).strip()
    assert {*project["build-system"]["requires"], needed} == set(project["project"]["optional-dependencies"]["build"])
    assert run(ask, folder=source, GONFALON_NO_PAGE="1").strip() == ""


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation), "the format demands these"
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == gonfalon.__version__
    assert citation["type"] == "software"
    assert all(author["name"] for author in citation["authors"])
