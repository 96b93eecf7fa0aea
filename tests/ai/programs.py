"""Programs that speak the line protocol, written as scripts, to test the referee's side of it."""

from __future__ import annotations

import shlex
import sys

HEAD = """
import sys, time
def read():
    return sys.stdin.readline().strip()
def say(*lines):
    print(*lines, sep="\\n", flush=True)
side, _, width, height = read().split()
PAUSE = 0
"""
DEPLOY = """
rows = sys.argv[1].split("/")
say(*(rows if side == "RED" else [row[::-1] for row in rows[::-1]]))
"""
BOARD = """
def board():
    line = read()
    while len(line) != int(width) or " " in line:
        if line in ("", "QUIT"):
            sys.exit()
        line = read()
    return [line] + [read() for _ in range(int(height) - 1)]
"""
FIRST_MOVE = """
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
def first_move(rows):
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            for name, (dx, dy) in STEPS.items():
                if letter in "123456789s" and 0 <= x + dx < len(row) and 0 <= y + dy < len(rows):
                    if rows[y + dy][x + dx] in ".#":
                        return f"{x} {y} {name}"
while True:
    rows = board()
    time.sleep(PAUSE)
    say(first_move(rows))
"""
ORIGINAL = "FB8sB979B8/BB99555583/6724898974/B314676699"
"""RED's deployment in the example of the protocol."""


def command(script: str, *arguments: str, deployment: str = ORIGINAL) -> str:
    """Return the command line that runs a script after `HEAD`."""
    return shlex.join([sys.executable, "-c", HEAD + script, deployment, *arguments])


def write_down(path: str) -> str:
    """Return the command line of a program like `PLAYS` that also writes the lines it receives to a file."""
    return command(WRITTEN + DEPLOY + BOARD + FIRST_MOVE, path)


WRITTEN = """
def read():
    line = sys.stdin.readline().strip()
    with open(sys.argv[2], "a") as file:
        print(line, file=file)
    return line
"""
PLAYS = command(DEPLOY + BOARD + FIRST_MOVE)
"""Program that moves the first piece that can move. It computes the legal moves itself."""
SLOW = command("PAUSE = 0.3" + DEPLOY + BOARD + FIRST_MOVE)
"""Program like `PLAYS` that pauses before each answer."""
SILENT = command(DEPLOY + BOARD + "board(); time.sleep(600)")
SILENT_AT_ONCE = command("time.sleep(600)")
DIES = command(DEPLOY + BOARD + "board(); sys.exit(3)")
DIES_AT_ONCE = command("sys.exit(3)")
ILLEGAL = command(DEPLOY + BOARD + "board(); say('0 0 UP'); read()")
TALKS_NONSENSE = command(DEPLOY + BOARD + "board(); say('hello'); read()")
NEVER_ENDS_A_LINE = command(DEPLOY + BOARD + "board(); print('x' * 9999, end='', flush=True); time.sleep(600)")
TOO_MANY_FLAGS = command("say(*['F' * int(width)] * 4); read()")
SURRENDERS = command(DEPLOY + BOARD + "board(); say('SURRENDER'); read()")
ABSENT = "/nowhere/no-such-program"
FAILING = {
    "silent": SILENT,
    "silent at once": SILENT_AT_ONCE,
    "died": DIES,
    "died at once": DIES_AT_ONCE,
    "died, absent": ABSENT,
    "illegal": ILLEGAL,
    "illegal, nonsense": TALKS_NONSENSE,
    "illegal, without end": NEVER_ENDS_A_LINE,
    "illegal, deployment": TOO_MANY_FLAGS,
    "surrendered": SURRENDERS,
}
"""Programs by their kind of failure; the first word is the reason that an arena reports."""
