"""The tables of results in kmds_figures/data, which scripts in this folder compute."""

from multiprocessing import Pool
from pathlib import Path

DATA = Path(__file__).parents[1] / "kmds_figures" / "data"


def in_parallel(function, cases):
    """Return the results of a function for cases, which are its arguments, by two processes."""
    with Pool(2) as pool:
        return pool.starmap(function, cases, chunksize=1)


def replace_rows(path, rows):
    """Replace the rows of a table; keep the comments and the names of the columns above them."""
    lines = path.read_text("utf-8").splitlines()
    count = next(i for i, line in enumerate(lines) if not line.startswith("#")) + 1
    path.write_text("\n".join([*lines[:count], *rows]) + "\n", "utf-8")
