"""Commands for problem sets: ``python -m coursework COMMAND ...``."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from coursework.course import create_course
from coursework.release import release
from coursework.sets import SETS_DIR, SetError, load_set, set_names


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coursework", description="Problem sets.")
    commands = parser.add_subparsers(dest="command", required=True)
    course = commands.add_parser("course", help="create a course folder for nbgrader")
    course.add_argument("folder", type=Path, help="the folder of the course")
    check = "check a set and write it for students, with the data of seed 0"
    released = commands.add_parser("release", help=check)
    released.add_argument("set", help="name of the set")
    released.add_argument("--out", type=Path, default=Path("release"), help="default: release")
    for each in (course, released):
        sets_help = "folder of sets (default: the book's)"
        each.add_argument("--sets", type=Path, default=SETS_DIR, metavar="DIR", help=sets_help)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 2 after a `SetError`, whose message goes to stderr."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "course":
            create_course(options.folder, options.sets)
            print(f"{options.folder} is an nbgrader course. Start in this folder with:\n")
            print(f"  nbgrader generate_assignment {set_names(options.sets)[0]}")
        else:
            folder = release(load_set(options.set, options.sets), 0, options.out)
            print(f"{folder}: the master gets full marks, the release none; no solution is shown.")
    except SetError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
