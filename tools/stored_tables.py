"""The tables of results in kmds_figures/data, which scripts in this folder compute."""

from pathlib import Path

DATA = Path(__file__).parents[1] / "kmds_figures" / "data"


def replace_rows(path, rows):
    """Replace the rows of a table; keep the comments and the names of the columns above them."""
    lines = path.read_text("utf-8").splitlines()
    count = next(i for i, line in enumerate(lines) if not line.startswith("#")) + 1
    path.write_text("\n".join([*lines[:count], *rows]) + "\n", "utf-8")
