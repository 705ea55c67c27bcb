"""Commands of the problem sets: ``python -m coursework COMMAND ...``.

Each command is a module with a function ``main(arguments) -> int``, which parses its own
arguments and returns the exit status. Every command takes ``--sets DIR``.
"""

import importlib
import sys
from collections.abc import Sequence

from coursework.commands import COMMANDS
from coursework.sets import SetError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 2 and one sentence on stderr where a set cannot be used."""
    chosen, *rest = [*(sys.argv[1:] if arguments is None else arguments), ""]
    if chosen not in COMMANDS:
        width = max(map(len, COMMANDS))
        lines = [f"  {name:{width}}  {purpose}" for name, purpose in COMMANDS.items()]
        usage = "\n".join(["usage: python -m coursework COMMAND ...", "", *lines])
        print(usage, file=sys.stdout if chosen in ("", "-h", "--help") else sys.stderr)
        return 0 if chosen in ("-h", "--help") else 2
    try:
        return int(importlib.import_module(f"coursework.{chosen}").main(rest[:-1]))
    except SetError as error:
        print(f"{chosen}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
