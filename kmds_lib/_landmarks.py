"""Landmarks: the few objects that are scaled, and through which the others are placed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from kmds_lib._checks import FloatArray, check_enough_landmarks, check_n_components, check_rows
from kmds_lib._fast.blocks import IntArray, read_rows, reduce_rows
from kmds_lib._fast.nearest_neighbors import TIE
from kmds_lib._gram import squared_distances
from kmds_lib._progress import progress

Choice = Literal["random", "farthest", "kmeans"]
Gaps = Callable[[int], Any]
"""Gives how far all objects are from one row."""

_USUAL = 200
"""So many landmarks where no number is given."""

_SAMPLE = 20
"""The start of k-means is drawn from so many rows for each landmark."""

_LLOYD_STEPS, _LLOYD_GAIN = 20, 1e-3
"""Most steps of k-means, and the part of the sum of squares that one more step must gain."""


def landmark_rows(
    X: Any,
    landmarks: Any,
    n_components: Any,
    choose: Choice,
    rng: np.random.Generator,
    gaps: Gaps,
    *,
    kmeans: bool = True,
) -> IntArray:
    """Return which rows are landmarks, as given or chosen: more of them than components.

    ``kmeans`` says whether X holds points, of which k-means takes the means. The other arguments
    are as `kmds_lib.landmark_scaling` and `farthest_first` take them.
    """
    n = X.shape[0]
    if np.ndim(landmarks) > 0:
        return given_rows(landmarks, n, n_components)
    m = min(n, _USUAL) if landmarks is None else check_n_components(landmarks, n, "landmarks")
    check_enough_landmarks(m, n_components)
    if choose == "random":
        return _random_rows(n, m, rng)
    if choose == "farthest":
        return farthest_first([int(rng.integers(n))], m, gaps)
    if not kmeans:
        raise ValueError(
            "choose = 'kmeans' needs points, since it takes their means; with "
            "metric = 'precomputed' use 'random' or 'farthest', or give row numbers."
        )
    return farthest_first(_cluster_members(X, m, rng), m, gaps)


def given_rows(landmarks: ArrayLike, n: int, n_components: Any) -> IntArray:
    """Return the indices of landmarks as they were given: different rows, more than components."""
    rows = check_rows(landmarks, n, "landmarks")
    check_enough_landmarks(len(rows), n_components)
    return rows


def _random_rows(n: int, m: int, rng: np.random.Generator) -> IntArray:
    return np.sort(rng.choice(n, m, replace=False)).astype(np.intp)


def _cluster_members(X: Any, m: int, rng: np.random.Generator) -> list[int]:
    """Return the row nearest to the centroid in each cluster of k-means that is not empty."""
    sample = read_rows(X, _random_rows(X.shape[0], min(X.shape[0], _SAMPLE * m), rng))
    centroids, inertia = _spread_start(sample, m, rng), np.inf
    for _ in progress(range(_LLOYD_STEPS), _LLOYD_STEPS, "landmarks, k-means"):
        sums = reduce_rows(partial(_cluster_sums, centroids), np.add, X, m)
        counts, before, inertia = sums[:, -2:-1], inertia, sums[:, -1].sum()
        centroids = np.where(counts > 0, sums[:, :-2] / np.maximum(counts, 1), centroids)
        if inertia >= (1 - _LLOYD_GAIN) * before:
            break
    members = reduce_rows(partial(_nearest_members, centroids), _nearer_member, X, m)
    return [int(row) for square, row in members if np.isfinite(square)]


def _spread_start(sample: FloatArray, m: int, rng: np.random.Generator) -> FloatArray:
    """Draw centroids from a sample, each with a chance that grows with its squared distance."""
    start = [sample[rng.integers(len(sample))]]
    squares = np.full(len(sample), np.inf)
    while len(start) < m:
        squares = np.minimum(squares, cdist(sample, start[-1][None], "sqeuclidean")[:, 0])
        steps = np.cumsum(squares)
        start.append(sample[np.searchsorted(steps[:-1], rng.random() * steps[-1], "right")])
    return np.array(start)


def _cluster_sums(centroids: FloatArray, block: FloatArray, first: int) -> FloatArray:
    """Sum of the members, their number and their sum of squares, a row for each centroid."""
    m, count = len(centroids), len(block)
    label, least = _nearest(centroids, block)
    one = np.ones(count)
    members = csr_array((one, label, np.arange(count + 1)), (count, m))
    sizes, spread = np.bincount(label, one, m), np.bincount(label, least, m)
    return np.column_stack([np.asarray(members.T @ block), sizes, spread])


def _nearest(centroids: FloatArray, block: FloatArray) -> tuple[IntArray, FloatArray]:
    """For each row the number of the nearest centroid, the first of those tied, and its square."""
    squares = squared_distances(block, centroids)
    least = squares.min(axis=1)
    return (squares <= (1 + TIE) * least[:, None]).argmax(axis=1), least


def _nearest_members(centroids: FloatArray, block: FloatArray, first: int) -> FloatArray:
    """Squared distance and number of the member nearest to each centroid; inf where none is.

    Both members of a cluster of two are equally near to its mean: the first is taken.
    """
    label, least = _nearest(centroids, block)
    nearest = np.full(len(centroids), np.inf)
    np.minimum.at(nearest, label, least)
    tied = np.flatnonzero(least <= (1 + TIE) * nearest[label])
    found, places = np.unique(label[tied], return_index=True)
    members = np.full((len(centroids), 2), np.inf)
    members[found, 0], members[found, 1] = nearest[found], first + tied[places]
    return members


def _nearer_member(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.where((1 + TIE) * other[:, :1] < one[:, :1], other, one)


def farthest_first(start: list[int], m: int, gaps: Callable[[int], Any]) -> IntArray:
    """Add to some objects, again and again, the one farthest from all that are there, up to m.

    No object is taken twice, not even where all others coincide with those that are there. Of
    objects tied for the largest distance the first in the data is taken. `gaps` gives the
    distances of all objects to one, as an array, or a Dask array, that may be written to. It is
    asked once for each object but the last, in their order.
    """

    def nearer(nearest: Any, row: int) -> Any:
        gap = gaps(row)
        gap[row] = -np.inf
        nearest = np.minimum(nearest, gap)
        return nearest.persist() if hasattr(nearest, "persist") else nearest

    rows = list(start)
    if len(rows) == m:
        return np.array(rows)
    nearest = reduce(nearer, rows[:-1], np.inf)
    for _ in progress(range(len(rows), m), m - len(rows), "landmarks, farthest first"):
        nearest = nearer(nearest, rows[-1])
        rows.append(int((nearest >= (1 - TIE) * nearest.max()).argmax()))
    return np.array(rows)
