"""Execute the chapters side by side, into the cache that the build reads."""

import sys
from functools import partial
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor, utils

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "_build" / ".jupyter_cache"
PATIENCE = 600  # seconds a cell


def main():
    """Execute what is not in the cache; the last chapters, which take longest, come first."""
    # A line that is printed in two parts stays one, also where the kernel sends them apart.
    utils.executenb = partial(utils.executenb, coalesce_streams=True)
    cache = get_cache(CACHE)
    for path in sorted((ROOT / "chapters").glob("*.ipynb"), reverse=True):
        cache.add_nb_to_project(str(path))
    result = load_executor("local-parallel", cache).run_and_cache(timeout=PATIENCE)
    failed = [*result.excepted, *result.errored]
    sys.exit(f"did not run to the end: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
