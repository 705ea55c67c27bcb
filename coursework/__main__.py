"""Commands of the problem sets: ``python -m coursework COMMAND ...``."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from coursework.course import lay_down
from coursework.form import FILL_IN, points_by_kind
from coursework.new import begin
from coursework.release import release
from coursework.sets import HAND, SETS, TEST, SetError, load_set, set_names


def seed(text: str) -> int:
    """Read a seed from the command line."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def _course(options: argparse.Namespace) -> str:
    lay_down(options.folder, options.sets, options.seed)
    first = f"nbgrader generate_assignment {set_names(options.sets)[0]}"
    return f"{options.folder} is a course of nbgrader. Go there and begin:\n\n  {first}"


def _release(options: argparse.Namespace) -> str:
    set_ = load_set(options.set, options.sets)
    folder, points = release(set_, options.seed, options.out), points_by_kind(set_.master())
    return (
        f"{folder}: {points[TEST]:g} points by tests, {points[HAND]:g} by hand. "
        "The master has full marks, the untouched release none, and no solution shows."
    )


def _new(options: argparse.Namespace) -> str:
    labels = [label.strip() for label in options.labels.split(",") if label.strip()]
    folder = begin(options.set, labels, options.sets)
    return f"{folder}: begun with {len(labels)} exercises. Search for {FILL_IN}."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coursework", description="Problem sets.")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, run: Callable[..., str], purpose: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=purpose, description=f"{purpose.capitalize()}.")
        about = "folder of sets (default: the book's)"
        added.add_argument("--sets", type=Path, default=SETS, metavar="DIR", help=about)
        added.set_defaults(run=run)
        return added

    course = command("course", _course, "lay down a course folder for nbgrader")
    course.add_argument("folder", type=Path, help="the folder of the course")
    course.add_argument("--seed", type=seed, help="default: drawn at random")
    release_ = command("release", _release, "write a set as the book shows it, if it is safe")
    release_.add_argument("set", help="name of the set")
    release_.add_argument("--seed", type=seed, default=0, help="default: 0, the book's own")
    release_.add_argument("--out", type=Path, default=Path("release"), help="default: release")
    new = command("new", _new, "begin a set from exercises of the book")
    new.add_argument("set", help="name of the new set")
    about = "labels of exercises, with commas between them: ex-4-constants,ex-5-own"
    new.add_argument("--from", dest="labels", required=True, metavar="LABELS", help=about)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 2 and one sentence on stderr where a set cannot be used."""
    options = _parser().parse_args(arguments)
    try:
        print(options.run(options))
    except SetError as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
