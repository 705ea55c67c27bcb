"""Repeat experiments on manifold methods (Chapter 11); called by hand.

    python -m tools.manifold_sweep

writes ``kmds_figures/data/manifold_sweep.csv``, with one row for each measurement: the
experiment, the method, its parameter (the number of neighbours, or the perplexity of
t-SNE), the seed and the value. A value is empty if the method raises an error.
The values of t-SNE and MVU depend on the processor and on the versions of the libraries.
MVU can take half a minute for one sample of digits.
"""

from functools import partial
from itertools import product

import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE

from kmds_lib import (
    classical_scaling,
    distances,
    isomap,
    laplacian_eigenmaps,
    locally_linear_embedding,
    maximum_variance_unfolding,
    swiss_roll,
)
from tools.stored_tables import DATA, replace_rows

TABLE = DATA / "manifold_sweep.csv"
GRAPH_METHODS = {
    "Isomap": isomap,
    "LLE": locally_linear_embedding,
    "Laplacian eigenmaps": laplacian_eigenmaps,
    "MVU": partial(maximum_variance_unfolding, constraints="edges"),
}


def map_points(X, method, parameter, seed):
    """Return a two-dimensional map, or None if the method raises an error."""
    if method == "classical scaling":
        return classical_scaling(distances(X)).points
    if method == "t-SNE":
        return TSNE(perplexity=parameter, random_state=seed).fit_transform(X)
    try:
        return GRAPH_METHODS[method](X, n_neighbors=parameter).points
    except ValueError:
        return None


def three_sizes(rng):
    """Return three clouds of 30 points, of which the third is four times as wide."""
    centres = np.repeat([[0, 0], [6, 0], [3, 6]], 30, axis=0)
    return centres + np.repeat([0.5, 0.5, 2], 30)[:, None] * rng.normal(size=(90, 2))


def two_gaps(rng):
    """Return three clouds of 30 points on a line, with the gaps 6 and 14."""
    centres = np.repeat([[0, 0], [6, 0], [20, 0]], 30, axis=0)
    return centres + rng.normal(size=(90, 2))


def size_ratio(Y):
    """Return the width of the third cloud divided by the mean width of the others."""
    widths = [np.sqrt(cloud.var(axis=0).sum()) for cloud in np.split(Y, 3)]
    return widths[2] / np.mean(widths[:2])


def gap_ratio(Y):
    """Return the second distance between the means of the clouds divided by the first."""
    middles = [cloud.mean(axis=0) for cloud in np.split(Y, 3)]
    first, second = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    return second / first


# How to draw the data, what to measure, and a method that is run with more neighbours as well.
PLANE_DATA = {
    "sizes": (three_sizes, size_ratio, ("Laplacian eigenmaps", 45)),
    "gaps": (two_gaps, gap_ratio, ("LLE", 60)),
}


def map_over_data(experiment, method, parameter, seed):
    """Return a measure on the map divided by the same measure on the data in the plane."""
    draw, measure, _ = PLANE_DATA[experiment]
    X = draw(np.random.default_rng(seed))
    Y = map_points(X, method, parameter, seed)
    return np.nan if Y is None else measure(Y) / measure(X)


def leap(n_neighbors, seed):
    """Return the negative mass of Isomap on a roll, and the number of short circuits."""
    points, places = swiss_roll(400, seed=seed)
    try:
        fit = isomap(points, n_neighbors=n_neighbors)
    except ValueError:
        return np.nan, np.nan
    edges = fit.graph.toarray()
    return fit.negative_mass, np.sum((edges > 0) & (distances(places) > 2 * edges)) // 2


def digit_sample(seed):
    """Return 90 random images of the digits 1, 2 and 7."""
    images, labels = load_digits(return_X_y=True)
    chosen = np.flatnonzero(np.isin(labels, (1, 2, 7)))
    chosen = np.random.default_rng(seed).permutation(chosen)[:90]
    return images[chosen] / 16


def neighbors_kept(Y, X, count=10):
    """Return the share of the nearest points on the map that are nearest in the data."""
    near = [np.argsort(distances(Z))[:, 1 : count + 1] for Z in (Y, X)]
    return np.mean((near[0][:, :, None] == near[1][:, None]).any(axis=2))


def plane_rows(experiment, seed, perplexities=(15,)):
    """Yield the rows of an experiment with data in the plane."""
    settings = *product(GRAPH_METHODS, [30]), PLANE_DATA[experiment][2]
    for method, parameter in (*settings, *product(["t-SNE"], perplexities)):
        value = map_over_data(experiment, method, parameter, seed)
        yield experiment, method, parameter, seed, value


def leap_rows(seed):
    """Yield the rows about short circuits on a roll."""
    for count in range(5, 16):
        mass, shorts = leap(count, seed)
        yield "negative mass", "Isomap", count, seed, mass
        yield "short circuits", "Isomap", count, seed, shorts


def moved_rows(seed, perplexities=(5, 15)):
    """Yield the rows about neighbours on maps whose points are moved slightly."""
    X = digit_sample(seed)
    for setting in (
        ("classical scaling", 0),
        *product(GRAPH_METHODS, (5, 15)),
        *product(["t-SNE"], perplexities),
    ):
        Y, kept = map_points(X, *setting, seed), np.nan
        if Y is not None:
            rng, small = np.random.default_rng(0), 0.01 * np.sqrt(Y.var(axis=0).sum())
            moved = (Y + small * rng.normal(size=Y.shape) for _ in range(100))
            kept = np.mean([neighbors_kept(Z, X) for Z in moved])
        yield "neighbours kept after moving", *setting, seed, kept


def measurements():
    """Yield the rows of the table."""
    for experiment, seed in product(PLANE_DATA, range(20)):
        yield from plane_rows(experiment, seed)
    for seed in range(40):
        yield from leap_rows(seed)
    for seed in range(20):
        yield from moved_rows(seed)


if __name__ == "__main__":
    rows = (
        (*setting, "" if np.isnan(value) else f"{value:.4g}") for *setting, value in measurements()
    )
    replace_rows(TABLE, [",".join(map(str, row)) for row in rows])
