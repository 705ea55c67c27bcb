"""Count how often minimising stress from random starts ends in a local minimum (Chapter 9).

    python -m tools.stress_minima

writes ``kmds_figures/data/stress_minima.csv``, which takes a minute on two cores. The data are
the road distances of `load_eurodist`, and the losses differ in their weights or transformations.
"""

import warnings

import numpy as np

from kmds_lib import load_eurodist, smacof
from tools.stored_tables import DATA, in_parallel, replace_rows

TABLE = DATA / "stress_minima.csv"
ROADS = load_eurodist().distances / 1000
EXPONENTS = (0, -1, -2, -3)
TRANSFORMS = ("interval", "polynomial", "ordinal")
LOSSES = (*(f"weights {a}" for a in EXPONENTS), *TRANSFORMS)
SEEDS, STARTS, MARGIN = 10, 100, 1.005


def options_of(loss):
    """Return the arguments of `smacof` for a loss."""
    if loss in TRANSFORMS:
        return {"transform": loss}
    exponent = float(loss.split()[1])
    weights = np.zeros_like(ROADS)
    return {"weights": np.power(ROADS, exponent, where=ROADS > 0, out=weights)}


def reach(loss, start="classical"):
    """Return the smallest loss that `smacof` reaches from a start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = smacof(ROADS, init=start, max_iter=3000, **options_of(loss))
    return fit.stress**2 if loss in TRANSFORMS else fit.raw_stress


def reach_all(loss, seed):
    """Return the losses that are reached from the 100 random starts of a seed."""
    draws = np.random.default_rng(seed).normal(size=(STARTS, len(ROADS), 2))
    return np.array([reach(loss, draw) for draw in draws])


def lines():
    """Yield the lines of the table."""
    for loss in LOSSES:
        by_seed = in_parallel(reach_all, [(loss, seed) for seed in range(SEEDS)])
        classical = reach(loss)
        smallest = min(classical, np.min(by_seed))
        for seed, losses in enumerate(by_seed):
            higher = np.sum(losses > MARGIN * smallest)
            yield f"{loss},{seed},{higher},{classical / smallest:.5f}"


if __name__ == "__main__":
    replace_rows(TABLE, lines())
