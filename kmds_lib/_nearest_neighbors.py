"""Training objects, and their nearest neighbours from a k-d tree or from blocks of distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from kmds_lib._coincident import zero_rounding_errors
from kmds_lib._fast.distances import euclidean
from kmds_lib._labels import check_variables, column_labels
from kmds_lib._metrics import (
    Metric,
    MetricName,
    MetricOrPrecomputed,
    check_metric_for_new_rows,
    check_metric_params,
    distances_by_metric,
)
from kmds_lib._parameters import check_option
from kmds_lib._rounding import ROUNDING_TOLERANCE, rounding_tolerance, tie_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_dissimilarities, as_new_points, as_new_rows, as_points

if TYPE_CHECKING:
    Graph = csr_array[np.float64, tuple[int, int]]
else:
    Graph = csr_array

MAX_TREE_VARIABLES = 15
"""Number of variables up to which a k-d tree is used; above it, all distances are computed."""

BLOCK_ENTRIES = 2**22
"""Number of entries of a block of distances (32 MiB)."""


class MetricPoints(NamedTuple):
    """Points, and the metric with its options that their dissimilarities are computed by."""

    points: FloatArray
    metric: Metric
    options: dict[str, Any]


@dataclass(frozen=True, eq=False)
class TrainingObjects:
    """Training objects: points, or the dissimilarities between them.

    Attributes
    ----------
    data : ndarray
        Points of shape (n, p), or dissimilarities of shape (n, n).
    precomputed : bool
        True if `data` are dissimilarities.
    metric_points : MetricPoints or None
        The points and the metric of the dissimilarities, if the metric is not Euclidean.
    tolerance : float
        Rounding error that is accepted in the data, by which ties are judged.
    scale : float
        The largest given dissimilarity, by which rounding errors of new ones are judged.
    first_coincident : ndarray of int of shape (n,)
        For each object, the number of the first object at dissimilarity 0, which may be itself.
        Empty unless dissimilarities are given.
    """

    data: FloatArray
    precomputed: bool
    metric_points: MetricPoints | None = None
    tolerance: float = ROUNDING_TOLERANCE
    scale: float = 0.0
    first_coincident: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    @classmethod
    def checked(
        cls, X: ArrayLike, metric: MetricOrPrecomputed, metric_params: dict[str, Any] | None = None
    ) -> TrainingObjects:
        """Check points or, depending on `metric`, dissimilarities, and return a copy of them."""
        options, tolerance = check_metric_params(metric_params), rounding_tolerance(X)
        if not callable(metric):
            check_option(metric, Literal["precomputed", MetricName], "metric")
            check_variables(options, column_labels(X))
        if metric == "precomputed":
            D = as_dissimilarities(X, "X", min_objects=2).copy()
            scale, first = float(D.max()), (D == 0).argmax(axis=1)
            return cls(D, True, tolerance=tolerance, scale=scale, first_coincident=first)
        X = as_points(X, min_points=2).copy()
        if metric == "euclidean" and not options:
            return cls(X, False, tolerance=tolerance)
        check_metric_for_new_rows(metric, options)
        D = distances_by_metric(X, X, metric, options, tolerance)
        return cls(D, True, MetricPoints(X, metric, options), tolerance)

    def __len__(self) -> int:
        return len(self.data)

    def checked_new(self, new: ArrayLike) -> FloatArray:
        """Check new objects: points, or dissimilarities to the training objects."""
        if not self.precomputed:
            return as_new_points(new, self.data.shape[1])
        tolerance = rounding_tolerance(new)
        if self.metric_points is None:
            D = as_new_rows(new, len(self), "new", nonnegative=True, fit_scale=lambda: self.scale)
            return zero_rounding_errors(D, self.first_coincident, self.scale, tolerance)
        points, metric, options = self.metric_points
        new = as_new_points(new, points.shape[1])
        D = distances_by_metric(new, points, metric, options, max(self.tolerance, tolerance))
        # The computed distance of equal rows may be a rounding error.
        return np.where(cdist(new, points, "chebyshev") == 0, 0.0, D)

    @property
    def tie(self) -> float:
        """Return the relative difference up to which distances are tied."""
        return tie_tolerance(self.tolerance)

    def without_dissimilarities(self) -> TrainingObjects:
        """Return the points, or only the number of objects if there are dissimilarities."""
        return replace(self, data=np.empty((len(self), 0))) if self.precomputed else self

    def between(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> FloatArray:
        """Return the distances between the training objects i and j, pair by pair."""
        if self.precomputed:
            return self.data[i, j]
        return np.asarray(np.linalg.norm(self.data[i] - self.data[j], axis=1))

    def nearest(self, k: int, new: FloatArray | None = None) -> Graph:
        """Return the graph of the k nearest training objects of each row, with their distances.

        The rows are checked new objects or, without them, the training objects, and these are not
        their own neighbours. If objects are tied for the last place, the first in the data are
        taken. Distances of 0 are stored entries of the graph.
        """
        if self.precomputed or self.data.shape[1] > MAX_TREE_VARIABLES:
            nearest = [_smallest(block, k, self.tie) for block in self._blocks(new)]
            index, length = (np.concatenate(part) for part in zip(*nearest, strict=True))
        else:
            index, length = self._nearest_by_tree(k, new)
        order = np.argsort(index, axis=1)
        index, length = (np.take_along_axis(part, order, 1) for part in (index, length))
        ends = np.arange(0, index.size + 1, k, dtype=np.int32)
        parts = (length.ravel(), index.ravel().astype(np.int32), ends)
        return csr_array(parts, shape=(len(index), len(self)))

    def within(self, radius: float, new: FloatArray | None = None) -> Graph:
        """Return the graph of the training objects at a distance of at most `radius`.

        Rows are as in `nearest`. A distance that exceeds the radius by a rounding error counts.
        """
        indices, lengths, counts = [], [], []
        for block in self._blocks(new):
            near = block <= (1 + self.tie) * radius
            indices.append(np.nonzero(near)[1].astype(np.int32))
            lengths.append(block[near])
            counts.append(near.sum(axis=1))
        ends = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
        parts = (np.concatenate(lengths), np.concatenate(indices), ends)
        return csr_array(parts, shape=(len(ends) - 1, len(self)))

    def distances_from(self, i: int) -> FloatArray:
        """Return the distances from one training object; that to itself is infinite."""
        return np.asarray(self._block(np.array([i]), None)[0])

    def _blocks(self, new: FloatArray | None) -> Iterator[FloatArray]:
        """Yield blocks of the distances from all rows to the training objects."""
        m = len(self) if new is None else len(new)
        step = max(1, BLOCK_ENTRIES // len(self))
        for start in range(0, max(m, 1), step):
            yield self._block(np.arange(start, min(start + step, m)), new)

    def _block(self, rows: NDArray[np.intp], new: FloatArray | None) -> FloatArray:
        """Return the distances from some rows; from an object to itself it is infinite."""
        source = self.data if new is None else new
        block = source[rows] if self.precomputed else euclidean(source[rows], self.data)
        if new is None:
            block[np.arange(len(rows)), rows] = np.inf
        return block

    def _nearest_by_tree(
        self, k: int, new: FloatArray | None
    ) -> tuple[NDArray[np.intp], FloatArray]:
        """Query a k-d tree for one more object than needed, to detect a tie for the last place."""
        count = min(k + 1 + (new is None), len(self))
        source = self.data if new is None else new
        nearest = cKDTree(self.data).query(source, np.arange(1, count + 1))
        length, index = np.asarray(nearest[0]), np.asarray(nearest[1])
        if new is None:
            own = index == np.arange(len(self))[:, None]
            own[~own.any(axis=1), -1] = True
            shape = (len(self), count - 1)
            index, length = index[~own].reshape(shape), length[~own].reshape(shape)
        last = length[:, k - 1 : k]
        tied = np.flatnonzero((length[:, k:] <= (1 + self.tie) * last).any(axis=1))
        index, length = index[:, :k].copy(), length[:, :k].copy()
        step = max(1, BLOCK_ENTRIES // len(self))
        for start in range(0, len(tied), step):
            rows = tied[start : start + step]
            index[rows], length[rows] = _smallest(self._block(rows, new), k, self.tie)
        return index, length


def _smallest(block: FloatArray, k: int, tie: float) -> tuple[NDArray[np.intp], FloatArray]:
    """Return columns and values of the k smallest entries of each row, ties in column order."""
    index = np.argpartition(block, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(block, index[:, -1:], axis=1)
    tied = np.flatnonzero((block <= (1 + tie) * last).sum(axis=1) > k)
    part, last = block[tied], last[tied]
    rank = (part >= (1 - tie) * last).view(np.int8) + (part > (1 + tie) * last)
    index[tied] = np.argsort(rank, axis=1, kind="stable")[:, :k]
    return index, np.take_along_axis(block, index, axis=1)
