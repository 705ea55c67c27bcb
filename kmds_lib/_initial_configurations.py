"""Where stress begins: the table as it was observed, and configurations to start from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, shortest_path

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_dissimilarities,
    as_gram,
    as_numbers,
    as_points,
    check_option,
)
from kmds_lib._eigen import leading_eigenpairs, minus_half_squares
from kmds_lib._embedding import centred_columns, positive_part
from kmds_lib._fast.stress import Table
from kmds_lib._labels import check_columns, labels_of

Start = Literal["classical", "random"]

_FAR = 1e3
"""Factor between a given start and its best scale from which on it is brought there."""


def observed(
    D: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray | None, NDArray[np.bool_] | None]:
    """Return the checked table, 0 where it is not observed; the weights; where it is missing."""
    table = as_numbers(D, "D")
    W, missing = None, None
    if weights is not None:
        W = as_gram(weights, "weights", min_objects=2)
        if W.min() < 0:
            i, j = np.unravel_index(np.argmin(W), W.shape)
            raise ValueError(f"weights[{i}, {j}] = {W[i, j]:.6g} is negative; give weights >= 0.")
        names = labels_of(D, "D", square=True)[1]
        check_columns(weights, "weights", names, "D", "weights.loc[D.columns, D.columns]")
        if table.shape != W.shape:
            raise ValueError(f"D has shape {table.shape}, but weights has {W.shape}.")
        unseen = W == 0
        np.fill_diagonal(unseen, False)
        if unseen.any():
            table, missing = np.where(unseen, 0.0, table), unseen
    try:
        D = as_dissimilarities(table, min_objects=2)
    except ValueError:
        _refuse_holes(table)
        raise
    return D, W, missing


def observed_together(
    D: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray | None, NDArray[np.bool_] | None]:
    """Return what `observed` returns, of a table that leaves no part of a map open."""
    D, W, missing = observed(D, weights)
    if W is not None:
        _refuse_parts(W)
    if not D.any():
        raise ValueError("All observed dissimilarities are 0: the best map is a single point.")
    return D, W, missing


def _refuse_holes(table: FloatArray) -> None:
    holes = np.argwhere(np.isnan(table))
    place = next((tuple(map(int, hole)) for hole in holes if len(set(hole)) > 1), None)
    if place is not None:
        raise ValueError(
            f"D{list(place)} is missing (NaN): give weights, with 0 where D is missing and 1 "
            "elsewhere."
        )


def _refuse_parts(W: FloatArray) -> None:
    if not _is_connected(W):
        parts, labels = connected_components(coo_array(W), directed=False)
        sizes = ", ".join(str(size) for size in np.bincount(labels))
        raise ValueError(
            f"The pairs of positive weight split the objects into {parts} parts of sizes {sizes}: "
            "their places relative to each other are open. Observe a pair across, or scale each "
            "part by itself."
        )


def refuse_duplicates(D: FloatArray) -> None:
    """Refuse different objects at a dissimilarity that Sammon's stress cannot divide by."""
    largest = D.max()
    zeros = np.less_equal(D, EPS * largest)
    np.fill_diagonal(zeros, False)
    if zeros.any():
        i, j = np.argwhere(zeros)[0]
        beside = f", too small beside the largest, {largest:.6g}" if D[i, j] > 0 else ""
        raise ValueError(
            f"D[{i}, {j}] = {D[i, j]:.6g}{beside}: Sammon's stress divides by every "
            "dissimilarity. Keep one of each set of equal objects, or use smacof."
        )


def _is_connected(W: FloatArray) -> bool:
    """Tell whether the pairs of positive weight link all objects, row by row and in place."""
    reached = np.zeros(len(W), dtype=bool)
    reached[0] = True
    waiting = [0]
    while waiting and not reached.all():
        fresh = (W[waiting.pop()] > 0) & ~reached
        reached |= fresh
        waiting.extend(np.flatnonzero(fresh))
    return bool(reached.all())


def starts(
    table: Table,
    k: int,
    init: Start | ArrayLike,
    n_init: int,
    seed: int | np.random.Generator | None,
    missing: NDArray[np.bool_] | None = None,
) -> Iterator[FloatArray]:
    """Yield the starting configurations (n, k), those that were not given at their best scale.

    ``init``, ``n_init`` and ``seed`` are as `kmds_lib.smacof` takes them.
    """
    rng, n = np.random.default_rng(seed), len(table.D)
    if not isinstance(init, str):
        yield _given_start(table, init, k)
    else:
        check_option(init, Start, "init")
        classical = init == "classical"
        yield _scaled(
            table,
            _classical_start(table.D, k, missing, rng)
            if classical
            else rng.standard_normal((n, k)),
        )
    for _ in range(n_init - 1):
        yield _scaled(table, rng.standard_normal((n, k)))


def _scaled(table: Table, X: FloatArray) -> FloatArray:
    """Return the multiple of X whose distances are nearest to the dissimilarities."""
    crossed, squares = table.products(X)
    return X * (crossed / squares if squares > 0 else 0.0)


def _given_start(table: Table, init: ArrayLike, k: int) -> FloatArray:
    """Return the given points; at their best scale if theirs is a thousand times off, or more."""
    X, n = as_points(init, "init", smallest=0.0), len(table.D)
    if X.shape != (n, k):
        raise ValueError(f"init has shape {X.shape}; n_components = {k} needs ({n}, {k}).")
    crossed, squares = table.products(X)
    if crossed == 0:
        raise ValueError(
            "All points of init coincide, or all those that should be apart: there is no "
            "direction to move them in."
        )
    if squares < _FAR * crossed and crossed < _FAR * squares:
        return X
    return _scaled(table, X / np.abs(X).max())


def _classical_start(
    D: FloatArray, k: int, missing: NDArray[np.bool_] | None, rng: np.random.Generator
) -> FloatArray:
    """Return classical scaling of D; axes without a positive eigenvalue start with small noise."""
    if missing is not None:
        rows, columns = np.nonzero(np.triu(~missing, 1))
        graph = coo_array((D[rows, columns], (rows, columns)), shape=D.shape).tocsr()
        D = np.where(missing, shortest_path(graph, directed=False), D)
    pairs = positive_part(leading_eigenpairs(minus_half_squares(D), k, centred=True))
    X = centred_columns(pairs.vectors) * np.sqrt(pairs.values)
    noise = rng.standard_normal((len(D), k - X.shape[1]))
    return np.column_stack([X, 0.01 * np.sqrt(np.mean(X**2)) * noise])
