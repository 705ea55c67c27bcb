"""Initial configurations for SMACOF and Sammon's mapping."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

from kmds_lib._eigen import leading_eigenpairs, minus_half_squares
from kmds_lib._embedding import centred_columns, keep_positive
from kmds_lib._fast.stress import WeightedDissimilarities
from kmds_lib._parameters import check_option, random_generator
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points

StressStart = Literal["classical", "random"]

_MAX_SCALE_FACTOR = 1e3
"""Ratio of the optimal scale to that of a given start, or its inverse, from which on the start is
rescaled."""


def initial_configurations(
    data: WeightedDissimilarities,
    k: int,
    init: StressStart | ArrayLike,
    n_init: int,
    seed: int | np.random.Generator | None,
    missing: NDArray[np.bool_] | None = None,
) -> Iterator[FloatArray]:
    """Yield the initial configurations (n, k) at their optimal scale.

    ``init``, ``n_init`` and ``seed`` are parameters of `kmds_lib.smacof`. A given configuration
    keeps its scale unless that is far from optimal.
    """
    rng, n = random_generator(seed), len(data.D)
    if not isinstance(init, str):
        yield _given_start(data, init, k)
    else:
        check_option(init, StressStart, "init")
        if init == "random":
            yield _optimally_scaled(data, rng.standard_normal((n, k)))
        else:
            yield _optimally_scaled(data, _classical_start(data.D, k, missing, rng))
    for _ in range(n_init - 1):
        yield _optimally_scaled(data, rng.standard_normal((n, k)))


def _optimally_scaled(data: WeightedDissimilarities, X: FloatArray) -> FloatArray:
    """Return the multiple of X whose distances are closest to the dissimilarities."""
    d_delta, d_d = data.inner_products(X)
    return X * (d_delta / d_d if d_d > 0 else 0.0)


def _given_start(data: WeightedDissimilarities, init: ArrayLike, k: int) -> FloatArray:
    """Check the given points, and rescale them if their scale is far from optimal."""
    X, n = as_points(init, "init", smallest=0.0), len(data.D)
    if X.shape != (n, k):
        raise ValueError(f"init has shape {X.shape}; n_components = {k} needs ({n}, {k}).")
    d_delta, d_d = data.inner_products(X)
    if d_delta == 0:
        raise ValueError(
            "All points of init coincide, or all those with a positive dissimilarity: there is no "
            "direction in which they can move apart. Give other points."
        )
    if d_d < _MAX_SCALE_FACTOR * d_delta and d_delta < _MAX_SCALE_FACTOR * d_d:
        return X
    return _optimally_scaled(data, X / np.abs(X).max())


def _classical_start(
    D: FloatArray, k: int, missing: NDArray[np.bool_] | None, rng: np.random.Generator
) -> FloatArray:
    """Return classical scaling of D, with noise on axes that have no positive eigenvalue.

    Missing entries are filled by shortest paths.
    """
    if missing is not None:
        rows, columns = np.nonzero(np.triu(~missing, 1))
        graph = coo_array((D[rows, columns], (rows, columns)), shape=D.shape).tocsr()
        D = np.where(missing, shortest_path(graph, directed=False), D)
    pairs = leading_eigenpairs(minus_half_squares(D), k, centring=True)
    pairs = keep_positive(pairs, warn=False)
    X = centred_columns(pairs.vectors) * np.sqrt(pairs.values)
    noise = rng.standard_normal((len(D), k - X.shape[1]))
    return np.column_stack([X, 0.01 * np.sqrt(np.mean(X**2)) * noise])
