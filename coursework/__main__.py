"""Commands of the problem sets: ``python -m coursework COMMAND ...``."""

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
    """Do what a command asks for, and say what there is now."""
    if options.command == "course":
        create_course(options.folder, options.sets, options.seed)
        first = f"nbgrader generate_assignment {set_names(options.sets)[0]}"
        return f"{options.folder} is a course of nbgrader. Go there and begin:\n\n  {first}"
    if options.command == "new":
        labels = options.labels.replace(" ", "").strip(",").split(",")
        folder = create_set(options.set, labels, options.sets)
        return f"{folder}: begun with {len(labels)} exercises. Search for {PLACEHOLDER}."
    folder = release(load_set(options.set, options.sets), 0, options.out)
    return f"{folder}: the master has full marks, the release none, and no solution shows."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coursework", description="Problem sets.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, purpose in (
        ("course", "lay down a course folder for nbgrader"),
        ("release", "write a set as the book shows it, with the data of seed 0, if it is safe"),
        ("new", "begin a set from exercises of the book"),
    ):
        added = commands.add_parser(name, help=purpose, description=f"{purpose.capitalize()}.")
        about = "folder of sets (default: the book's)"
        added.add_argument("--sets", type=Path, default=SETS_DIR, metavar="DIR", help=about)
        if name == "course":
            added.add_argument("folder", type=Path, help="the folder of the course")
            added.add_argument("--seed", type=int, help="default: drawn at random")
        else:
            added.add_argument("set", help="name of the set")
    about = "labels of exercises, with commas between them: ex-4-constants,ex-5-own"
    added.add_argument("--from", dest="labels", required=True, metavar="LABELS", help=about)
    release_ = commands.choices["release"]
    release_.add_argument("--out", type=Path, default=Path("release"), help="default: release")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 2 and one sentence on stderr where a set cannot be used."""
    options = _parser().parse_args(arguments)
    try:
        print(run_command(options))
    except SetError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
