"""Draws mutants of the rules and filters at random, and runs tests on each, to see which tests notice a wrong rule.

    python tools/mutants.py [--limit SECONDS] [--survivors OTHER] COUNT SEED LOG -- PYTEST ARGUMENTS

A mutant is the source with one small change in a file of `rules` or `sight` of some family: a comparison, a sign, `and`
or `or`, a `not`, a number, or a statement that is left out. Tests run in a copy of the repository, uncompiled
(`GONFALON_PLAIN=1`), until the first failure. In the arguments for pytest, `{family}` stands for the mutant's family.
Each result is a line of the file LOG; mutants that LOG has already are not tested again. `--survivors` tests only the
mutants that survived in another log. Tests that take longer than the limit count as failed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
GAMES = Path("src", "gonfalon", "games")
PLACES = ("*/rules/*.py", "*/sight/*.py")
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "static")
PAIRS: tuple[tuple[type[ast.AST], type[ast.AST]], ...] = (
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot),
    (ast.Add, ast.Sub), (ast.And, ast.Or),
)  # fmt: skip
OPPOSITES = {**dict(PAIRS), **{right: left for left, right in PAIRS}}
SURVIVED = "survived"


class Mutant(NamedTuple):
    """A change of one node."""

    path: Path
    line: int
    change: str
    after: str
    """Text of the whole changed file."""

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(GAMES)}:{self.line}: {self.change}"


def find_replacement(node: ast.AST) -> ast.AST | None:
    """Return the node that takes the place of `node` in a mutant, or None if the node stays."""
    new: ast.AST = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[op, *rest]) if type(op) in OPPOSITES:
            new.ops = [OPPOSITES[type(op)](), *rest]  # type: ignore[list-item]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in OPPOSITES:
            new.op = OPPOSITES[type(op)]()  # type: ignore[assignment]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            new = operand
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            new.value = number + 1
        case ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            new = ast.Pass()
        case ast.Return() | ast.Continue() | ast.Break():
            new = ast.Pass()
        case _:
            return None
    return new


class Replacer(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def find_sites(path: Path) -> Iterator[tuple[Path, int]]:
    """Yield the file and the number in `ast.walk` of each node that can be changed. Annotations are left out."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    types = [node.annotation for node in ast.walk(tree) if isinstance(node, ast.arg | ast.AnnAssign)]
    skipped = {id(part) for kind in types if kind for part in ast.walk(kind)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in skipped and find_replacement(node):
            yield path, number


def make_mutant(path: Path, number: int) -> Mutant:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    node = [*ast.walk(tree)][number]
    new = find_replacement(node)
    assert new is not None
    line, before, after = getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(new)
    return Mutant(path, line, f"{before} -> {after}", ast.unparse(Replacer(node, new).visit(tree)))


def draw(count: int, seed: int) -> list[Mutant]:
    paths = sorted(path.relative_to(ROOT) for place in PLACES for path in (ROOT / GAMES).glob(place))
    sites = [site for path in paths for site in find_sites(path)]
    return [make_mutant(*site) for site in random.Random(seed).sample(sites, count)]


def read_log(path: Path) -> dict[str, str]:
    """Return the result of each mutant in a log, by its number and name."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return dict(re.findall(rf"^(.*): ({SURVIVED}|caught by .*)$", text, flags=re.MULTILINE))


def try_mutant(mutant: Mutant, folder: Path, arguments: list[str], limit: float) -> str:
    """Run the tests on a mutant in a copy of the repository, and return the result."""
    family = mutant.path.relative_to(GAMES).parts[0]
    given = [argument.replace("{family}", family) for argument in arguments]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *given]
    paths = f"{folder}/src:{folder}/tests"
    plain = {"GONFALON_PLAIN": "1", "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": ""}
    (folder / mutant.path).write_text(mutant.after, encoding="utf-8")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **plain}, stdout=out, stderr=out, start_new_session=True
        )
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            return "caught by the limit of time"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            shutil.copy2(ROOT / mutant.path, folder / mutant.path)
        out.seek(0)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", out.read(), flags=re.MULTILINE)
    return SURVIVED if code == 0 else f"caught by {failed[1] if failed else f'exit status {code}'}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs tests on mutants of the rules, drawn at random.")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("log", type=Path)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--survivors", type=Path, metavar="OTHER")
    parser.add_argument("arguments", nargs="*")
    given = parser.parse_args()
    mutants = {f"{number} {mutant.name}": mutant for number, mutant in enumerate(draw(given.count, given.seed))}
    done, other = read_log(given.log), read_log(given.survivors or Path())
    wanted = [name for name in mutants if not given.survivors or other.get(name) == SURVIVED]
    with tempfile.TemporaryDirectory() as root, given.log.open("a", encoding="utf-8") as log:
        folder = Path(root, "copy")
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
        for name in wanted:
            if name not in done:
                done[name] = try_mutant(mutants[name], folder, given.arguments, given.limit)
                print(f"{name}: {done[name]}", file=log, flush=True)
            print(f"{name}: {done[name]}", flush=True)
    caught = sum(done[name] != SURVIVED for name in wanted)
    print(f"{caught} of {len(wanted)} caught")


if __name__ == "__main__":
    main()
