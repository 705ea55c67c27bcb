"""The choice of landmarks: given rows, random rows, farthest first, and k-means."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from kmds_lib._fast.blocks import IntArray, read_rows, reduce_rows
from kmds_lib._gram import squared_distances
from kmds_lib._parameters import check_count_up_to, check_enough_landmarks, check_rows
from kmds_lib._progress import progress
from kmds_lib._rounding import TIE
from kmds_lib._types import FloatArray

Choice = Literal["random", "farthest", "kmeans"]
DistancesTo = Callable[[int], Any]
"""Function of a row number: the distances between all objects and that one, squared or not."""

_DEFAULT_NUMBER = 200
"""Number of landmarks if none is given."""

_SAMPLE_PER_LANDMARK = 20
"""Rows per landmark from which the start of k-means is drawn."""

_MAX_KMEANS_STEPS = 20

_KMEANS_TOL = 1e-3
"""k-means stops if a step reduces the sum of squares by less than this fraction of it."""


def landmark_rows(
    X: Any,
    landmarks: Any,
    n_components: Any,
    choose: Choice,
    rng: np.random.Generator,
    distances_to: DistancesTo,
    *,
    kmeans: bool = True,
) -> IntArray:
    """Return the row numbers of the landmarks, given or chosen; there are more than components.

    ``kmeans`` is False if the rows of X are dissimilarities, which have no centroids. The other
    arguments are those of `kmds_lib.landmark_scaling` and `farthest_first`.
    """
    n = X.shape[0]
    if np.ndim(landmarks) > 0:
        return given_rows(landmarks, n, n_components)
    m = (
        min(n, _DEFAULT_NUMBER)
        if landmarks is None
        else check_count_up_to(landmarks, n, "landmarks")
    )
    check_enough_landmarks(m, n_components)
    if choose == "random":
        return _random_rows(n, m, rng)
    if choose == "farthest":
        return farthest_first([int(rng.integers(n))], m, distances_to)
    if not kmeans:
        raise ValueError(
            "choose = 'kmeans' needs points, because it computes their means; with "
            "metric = 'precomputed' use 'random' or 'farthest', or give row numbers."
        )
    return farthest_first(_cluster_members(X, m, rng), m, distances_to)


def given_rows(landmarks: ArrayLike, n: int, n_components: Any) -> IntArray:
    """Return given row numbers after checking that they are distinct, and more than components."""
    rows = check_rows(landmarks, n, "landmarks")
    check_enough_landmarks(len(rows), n_components)
    return rows


def _random_rows(n: int, m: int, rng: np.random.Generator) -> IntArray:
    return np.sort(rng.choice(n, m, replace=False)).astype(np.intp)


def _cluster_members(X: Any, m: int, rng: np.random.Generator) -> list[int]:
    """Return the row closest to the centroid of each cluster of k-means that is not empty."""
    sample = read_rows(X, _random_rows(X.shape[0], min(X.shape[0], _SAMPLE_PER_LANDMARK * m), rng))
    centroids, inertia = _kmeans_plus_plus(sample, m, rng), np.inf
    for _ in progress(range(_MAX_KMEANS_STEPS), _MAX_KMEANS_STEPS, "landmarks, k-means"):
        sums = reduce_rows(partial(_cluster_sums, centroids), np.add, X, m)
        counts, before, inertia = sums[:, -2:-1], inertia, sums[:, -1].sum()
        centroids = np.where(counts > 0, sums[:, :-2] / np.maximum(counts, 1), centroids)
        if inertia >= (1 - _KMEANS_TOL) * before:
            break
    members = reduce_rows(partial(_closest_members, centroids), _closer_member, X, m)
    return [int(row) for square, row in members if np.isfinite(square)]


def _kmeans_plus_plus(sample: FloatArray, m: int, rng: np.random.Generator) -> FloatArray:
    """Draw the first centroids from a sample by k-means++.

    The probability of a row is proportional to its squared distance from the closest centroid.
    """
    start = [sample[rng.integers(len(sample))]]
    squares = np.full(len(sample), np.inf)
    while len(start) < m:
        squares = np.minimum(squares, cdist(sample, start[-1][None], "sqeuclidean")[:, 0])
        cumulative = np.cumsum(squares)
        drawn = np.searchsorted(cumulative[:-1], rng.random() * cumulative[-1], "right")
        start.append(sample[drawn])
    return np.array(start)


def _cluster_sums(centroids: FloatArray, block: FloatArray, first: int) -> FloatArray:
    """Return, for each centroid, the sum of its members, their number and sum of squares."""
    m, count = len(centroids), len(block)
    label, least = _nearest(centroids, block)
    ones = np.ones(count)
    members = csr_array((ones, label, np.arange(count + 1)), (count, m))
    sizes, inertia = np.bincount(label, ones, m), np.bincount(label, least, m)
    return np.column_stack([np.asarray(members.T @ block), sizes, inertia])


def _nearest(centroids: FloatArray, block: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return, for each row, the closest centroid (the first if tied) and its squared distance."""
    squares = squared_distances(block, centroids)
    least = squares.min(axis=1)
    return (squares <= (1 + TIE) * least[:, None]).argmax(axis=1), least


def _closest_members(centroids: FloatArray, block: FloatArray, first: int) -> FloatArray:
    """Return, for each centroid, the squared distance and row number of its closest member.

    Both are inf for an empty cluster. Ties are common, because the two members of a cluster of
    two are equally close to its mean; the first member is returned.
    """
    label, least = _nearest(centroids, block)
    nearest = np.full(len(centroids), np.inf)
    np.minimum.at(nearest, label, least)
    tied = np.flatnonzero(least <= (1 + TIE) * nearest[label])
    found, places = np.unique(label[tied], return_index=True)
    members = np.full((len(centroids), 2), np.inf)
    members[found, 0], members[found, 1] = nearest[found], first + tied[places]
    return members


def _closer_member(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.where((1 + TIE) * other[:, :1] < one[:, :1], other, one)


def farthest_first(start: list[int], m: int, distances_to: DistancesTo) -> IntArray:
    """Return m row numbers: those in `start`, then repeatedly the object farthest from all so far.

    No object is chosen twice, even if all others coincide with chosen ones. If several are
    farthest, the first is chosen. ``distances_to(row)`` returns the distances between all objects
    and one, as an array or a Dask array that may be overwritten. It is called once for each
    chosen object except the last, in their order.
    """

    def update(nearest: Any, row: int) -> Any:
        to_row = distances_to(row)
        to_row[row] = -np.inf
        nearest = np.minimum(nearest, to_row)
        return nearest.persist() if hasattr(nearest, "persist") else nearest

    rows = list(start)
    if len(rows) == m:
        return np.array(rows)
    nearest = reduce(update, rows[:-1], np.inf)
    for _ in progress(range(len(rows), m), m - len(rows), "landmarks, farthest first"):
        nearest = update(nearest, rows[-1])
        rows.append(int((nearest >= (1 - TIE) * nearest.max()).argmax()))
    return np.array(rows)
