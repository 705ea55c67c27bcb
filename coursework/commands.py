"""What the commands have in common: their names, their parsers, seeds."""

import argparse
from pathlib import Path

from coursework.sets import SETS

COMMANDS = {
    "course": "lay down a course folder for nbgrader",
    "release": "write a set as the book's pages show it, and prove that it is safe",
    "new": "begin a set from exercises of the book",
}


def arguments_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command, with the argument that all have in common."""
    parser = argparse.ArgumentParser(
        prog=f"python -m coursework {command}",
        description=f"{COMMANDS[command].capitalize()}.",
    )
    parser.add_argument(
        "--sets",
        type=Path,
        default=SETS,
        metavar="DIR",
        help="folder of sets (default: the book's)",
    )
    return parser


def seed(text: str) -> int:
    """Read a seed from the command line."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)
