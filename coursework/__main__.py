"""Commands for problem sets: ``python -m coursework COMMAND ...``."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from coursework.course import create_course
from coursework.new import create_set
from coursework.release import release
from coursework.sets import SETS_DIR, SetError, load_set, set_names
from coursework.validate_master import PLACEHOLDER


def run_command(options: argparse.Namespace) -> str:
    """Run a command and return a message about its result."""
    if options.command == "course":
        create_course(options.folder, options.sets, options.seed)
        first = f"nbgrader generate_assignment {set_names(options.sets)[0]}"
        return f"{options.folder} is an nbgrader course. Start in this folder with:\n\n  {first}"
    if options.command == "new":
        labels = options.labels.replace(" ", "").strip(",").split(",")
        folder = create_set(options.set, labels, options.sets)
        return f"{folder}: a draft with {len(labels)} exercises. Search for {PLACEHOLDER}."
    folder = release(load_set(options.set, options.sets), 0, options.out)
    return f"{folder}: the master gets full marks, the release none, and no solution is visible."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coursework", description="Problem sets.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, purpose in (
        ("course", "create a course folder for nbgrader"),
        ("release", "check a set and write it for students, with the data of seed 0"),
        ("new", "draft a set from exercises of the book"),
    ):
        added = commands.add_parser(name, help=purpose, description=f"{purpose.capitalize()}.")
        sets_help = "folder of sets (default: the book's)"
        added.add_argument("--sets", type=Path, default=SETS_DIR, metavar="DIR", help=sets_help)
        if name == "course":
            added.add_argument("folder", type=Path, help="the folder of the course")
            added.add_argument("--seed", type=int, help="default: drawn at random")
        else:
            added.add_argument("set", help="name of the set")
    labels_help = "labels of exercises, separated by commas: ex-4-constants,ex-5-own"
    new = commands.choices["new"]
    new.add_argument("--from", dest="labels", required=True, metavar="LABELS", help=labels_help)
    release_ = commands.choices["release"]
    release_.add_argument("--out", type=Path, default=Path("release"), help="default: release")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 2 after a `SetError`, whose message goes to stderr."""
    options = _parser().parse_args(arguments)
    try:
        print(run_command(options))
    except SetError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
