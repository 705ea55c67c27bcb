"""Compute the stress-1 of maps of shuffled dissimilarities of 14 colours (Chapter 9).

    python -m tools.shuffled_stress

writes ``kmds_figures/data/shuffled_stress.csv``, which takes some minutes on two cores. The data
are the dissimilarities of Ekman (1954).
"""

import warnings
from itertools import product

import numpy as np
from scipy.spatial.distance import squareform

from kmds_figures.laboratory.samples import samples
from kmds_lib import smacof
from tools.stored_tables import DATA, in_parallel, replace_rows

TABLE = DATA / "shuffled_stress.csv"
ROWS = next(sample["text"] for sample in samples() if sample["name"] == "colours").splitlines()[1:]
COLOURS = np.zeros((14, 14))
COLOURS[np.tril_indices(14, -1)] = [float(x) for row in ROWS for x in row.split()[1:]]
COLOURS += COLOURS.T
CASES = tuple(product((14, 7), (2, 3), ("ratio", "ordinal")))
SHUFFLES = 99


def shuffled(colours, shuffle):
    """Return the dissimilarities of the colours, distributed at random unless `shuffle` is 0."""
    step = len(COLOURS) // colours
    values = squareform(COLOURS[::step, ::step])
    return squareform(np.random.default_rng(shuffle).permutation(values) if shuffle else values)


def smallest(colours, dimensions, transform, shuffle):
    """Return the smallest stress-1 of ten starts, of which nine are random."""
    search = {"n_init": 10, "seed": shuffle, "max_iter": 3000}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = smacof(shuffled(colours, shuffle), dimensions, transform=transform, **search)
    return fit.stress


if __name__ == "__main__":
    rows = [(*case, shuffle) for case in CASES for shuffle in range(SHUFFLES + 1)]
    pairs = zip(rows, in_parallel(smallest, rows), strict=True)
    replace_rows(TABLE, [",".join([*map(str, row), f"{x:.4f}"]) for row, x in pairs])
