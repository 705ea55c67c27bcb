"""The choice of landmarks: given rows, random rows, farthest first, and k-means."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.vq import kmeans2
from scipy.spatial.distance import cdist

from kmds_lib._parameters import check_count_up_to, check_enough_landmarks, check_rows
from kmds_lib._rounding import TIE
from kmds_lib._types import FloatArray

Choice = Literal["random", "farthest", "kmeans"]
IntArray = NDArray[np.intp]

DistancesTo = Callable[[int], FloatArray]
"""Function of a row number: the distances between all objects and that one, squared or not."""

_DEFAULT_NUMBER = 200
"""Number of landmarks if none is given."""

_KMEANS_ENTRIES = 2**22
"""Largest number of distances between rows and centroids, which need 32 MiB."""

_KMEANS_STEPS = 20


def landmark_rows(
    X: FloatArray,
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


def _cluster_members(X: FloatArray, m: int, rng: np.random.Generator) -> list[int]:
    """Return, for each centroid of k-means, the closest row; equal rows are returned once.

    SciPy's own k-means++ computes all distances anew for each centroid.
    """
    sample = X[_random_rows(len(X), min(len(X), max(m, _KMEANS_ENTRIES // m)), rng)]
    start = np.unique(_kmeans_plus_plus(sample, m, rng), axis=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "One of the clusters is empty")
        centroids, _ = kmeans2(sample, start, iter=_KMEANS_STEPS, minit="matrix")
    return sorted({_closest_row(X, centroid) for centroid in centroids})


def _closest_row(X: FloatArray, centroid: FloatArray) -> int:
    """Return the row of X that is closest to a centroid, the first if several are.

    Ties are common, because the two members of a cluster of two are equally close to its mean.
    """
    squares = cdist(X, centroid[None], "sqeuclidean")[:, 0]
    return int((squares <= (1 + TIE) * squares.min()).argmax())


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


def farthest_first(start: list[int], m: int, distances_to: DistancesTo) -> IntArray:
    """Return m row numbers: those in `start`, then repeatedly the object farthest from all so far.

    No object is chosen twice, even if all others coincide with chosen ones. If several are
    farthest, the first is chosen. ``distances_to(row)`` returns the distances between all objects
    and one, as an array that may be overwritten. It is called once for each chosen object except
    the last, in their order.
    """

    def update(nearest: Any, row: int) -> Any:
        to_row = distances_to(row)
        to_row[row] = -np.inf
        return np.minimum(nearest, to_row)

    rows = list(start)
    if len(rows) == m:
        return np.array(rows)
    nearest = reduce(update, rows[:-1], np.inf)
    while len(rows) < m:
        nearest = update(nearest, rows[-1])
        rows.append(int((nearest >= (1 - TIE) * nearest.max()).argmax()))
    return np.array(rows)
