"""Disparities: the dissimilarities themselves, or a function of them fitted to the distances.

The fitted disparities are the projection of the distances on a convex cone: that of the
combinations, with coefficients >= 0, of some functions of the dissimilarities, or that of all
increasing sequences. Their size is fixed, sum of w disparity^2 = sum of w delta^2, and the points
take the scale at which they fit best.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, nnls
from scipy.spatial.distance import cdist, pdist, squareform

from kmds_lib._checks import EPS, FloatArray, check_option, warn_caller
from kmds_lib._fast.stress import Disparities, Table, condensed_panel

__all__ = ["DegenerateWarning", "Shepard", "Ties", "Transform"]

Transform = Literal["identity", "ratio", "interval", "polynomial", "ordinal"]
Ties = Literal["primary", "secondary"]
Basis = Callable[[FloatArray], list[FloatArray]]

_DEGENERATE = 0.01
"""Stress-1 up to which an ordinal fit is looked at for a collapse."""


class DegenerateWarning(UserWarning):
    """An ordinal fit of hardly any different disparities: its small stress says little."""


class Shepard(NamedTuple):
    r"""Data of a Shepard diagram, one entry for each observed pair i < j.

    Attributes
    ----------
    delta : ndarray of shape (m,)
        Given dissimilarities.
    target : ndarray of shape (m,)
        What the distances on the map should be: the feature distances of kernel MDS, the
        disparities of stress.
    fitted : ndarray of shape (m,)
        Distances between the fitted points. In kernel MDS they are never above the target, up to
        rounding, where :math:`HKH` is positive semidefinite.
    """

    delta: FloatArray
    target: FloatArray
    fitted: FloatArray

    @classmethod
    def of_pairs(cls, D: FloatArray, targets: FloatArray, points: FloatArray) -> Shepard:
        """Return the pairs of a table that are not NaN."""
        pairs = np.triu(~np.isnan(D), 1)
        return cls(D[pairs], targets[pairs], cdist(points, points)[pairs])


def warn_degenerate(shepard: Callable[[], Shepard], stress: float) -> None:
    """Warn of an ordinal fit that collapsed: at most three levels, next to no stress-1."""
    if stress > _DEGENERATE:
        return
    delta, target, _ = shepard()
    given, levels = len(np.unique(delta)), len(np.unique((target / target.max()).round(2)))
    if levels <= 3 and 2 * levels < given:
        warn_caller(
            f"{given} different dissimilarities got only {levels} different disparities, at "
            f"stress-1 {stress:.4f}: the fit is degenerate. It shows groups and nothing within "
            "them. Take transform='interval', or scale each group by itself.",
            DegenerateWarning,
        )


def disparities_of(table: Table, transform: Transform, ties: Ties) -> Disparities:
    """Return the disparities of a transformation by its name.

    Derived in Chapter 9, MDS is three losses. Source: Kruskal (1964); Williams (2001), section
    2.3.
    """
    check_option(transform, Transform, "transform")
    check_option(ties, Ties, "ties")
    if transform == "identity":
        return _Given()
    if transform == "ordinal":
        return _Increasing(table, ties == "secondary")
    low, high = table.dissimilarity_range()
    if transform == "ratio" or low == high:
        return _Linear(table, _multiples)
    if transform == "interval":
        return _Linear(table, partial(_increasing_lines, low=low, high=high))
    return _Linear(table, partial(_bernstein, low=low, high=high))


class _Given:
    """The dissimilarities themselves: scale and ratio are 1, as nothing is fitted."""

    def fit(self, X: FloatArray, table: Table) -> tuple[float, float]:
        return 1.0, 1.0

    def panel(self, D: FloatArray, i: int, j: int) -> FloatArray:
        return D[i:j, i:]

    def of(self, new: FloatArray, D: FloatArray) -> FloatArray:
        return new


class _Linear:
    """Combinations of functions of delta with coefficients theta >= 0."""

    def __init__(self, table: Table, basis: Basis) -> None:
        self._basis = basis
        self._theta = np.zeros(0)
        self._gram = np.sum([self._products(table, i, j) for i, j in table.panels()], axis=0)
        values, vectors = np.linalg.eigh(self._gram)
        kept = values > len(values) * EPS * values[-1]
        self._root = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
        self._inverse_root = vectors[:, kept].T / np.sqrt(values[kept])[:, None]

    def fit(self, X: FloatArray, table: Table) -> tuple[float, float]:
        """Find theta by least squares, from the inner products of the functions with d."""
        inner, squares = np.zeros(len(self._gram)), 0.0
        for d, i, j in table.distances(X):
            squares += table.inner(d, d, i, j)
            inner += [table.inner(term, d, i, j) for term in self._terms(table.D, i, j)]
        theta, _ = nnls(self._root, self._inverse_root @ inner)
        fitted = float(theta @ self._gram @ theta)
        scale = math.sqrt(table.size / fitted)
        self._theta = theta * scale
        return scale, squares / fitted

    def panel(self, D: FloatArray, i: int, j: int) -> FloatArray:
        return self._combined(self._terms(D, i, j))

    def of(self, new: FloatArray, D: FloatArray) -> FloatArray:
        """Evaluate the function; 0 where it would fall below, outside the range of the table."""
        return np.maximum(self._combined(self._basis(new)), 0.0)

    def _combined(self, terms: list[FloatArray]) -> FloatArray:
        return sum((c * term for c, term in zip(self._theta, terms, strict=True)), 0.0 * terms[0])

    def _terms(self, D: FloatArray, i: int, j: int) -> list[FloatArray]:
        terms = self._basis(D[i:j, i:])
        for term in terms:
            np.fill_diagonal(term, 0.0)
        return terms

    def _products(self, table: Table, i: int, j: int) -> FloatArray:
        terms = self._terms(table.D, i, j)
        return np.array([[table.inner(f, g, i, j) for g in terms] for f in terms])


def _multiples(delta: FloatArray) -> list[FloatArray]:
    return [delta.copy()]


def _increasing_lines(delta: FloatArray, low: float, high: float) -> list[FloatArray]:
    return [np.ones_like(delta), (delta - low) / (high - low)]


def _bernstein(delta: FloatArray, low: float, high: float) -> list[FloatArray]:
    """Return (1 - t)^2, 2 t (1 - t) and t^2, with t from 0 at low to 1 at high."""
    t = np.clip((delta - low) / (high - low), 0.0, 1.0)
    return [(1 - t) * (1 - t), 2 * t * (1 - t), t * t]


class _Increasing:
    """Any increasing function of delta, by isotonic regression of the distances in its order.

    Pairs are numbered as `scipy.spatial.distance.pdist` numbers them.
    """

    def __init__(self, table: Table, secondary: bool) -> None:
        self._values = np.zeros(0)
        delta = squareform(table.D, checks=False)
        self._order = np.argsort(delta)
        self._weights = table.condensed_weights()
        if self._weights is not None:
            self._order = self._order[self._weights[self._order] > 0]
        self._starts: NDArray[np.intp] | None = None
        self._tied = self._tie = np.empty(0, dtype=np.intp)
        delta = delta[self._order]
        if np.any(delta[1:] == delta[:-1]):
            starts = np.flatnonzero(np.diff(delta, prepend=-1.0))
            counts = np.diff(starts, append=len(delta))
            self._starts = starts if secondary else None
            self._tied = np.flatnonzero(np.repeat(counts > 1, counts))
            self._tie = np.repeat(np.arange(len(counts)), counts)[self._tied]

    def fit(self, X: FloatArray, table: Table) -> tuple[float, float]:
        """Sort the distances as delta is sorted, and find the nearest increasing sequence."""
        self._values = np.zeros(0)
        d = pdist(X)
        order = self._order_with_ties(d)
        ordered = table.taken(d, order)
        w = None if self._weights is None else self._weights[order]
        squares = _inner(ordered, ordered, w)
        fitted = self._isotonic(ordered, w)
        size = 2 * _inner(fitted, fitted, w)
        scale = math.sqrt(table.size / size)
        if len(order) < len(d):
            d[:] = 0.0
        fitted *= scale
        d[order] = fitted
        self._values = d
        return scale, 2 * squares / size

    def panel(self, D: FloatArray, i: int, j: int) -> FloatArray:
        return condensed_panel(self._values, len(D), i, j)

    def of(self, new: FloatArray, D: FloatArray) -> FloatArray:
        """Interpolate between the means of the disparities of equal dissimilarities."""
        delta, tie = np.unique(squareform(D, checks=False)[self._order], return_inverse=True)
        means = np.bincount(tie, self._values[self._order]) / np.bincount(tie)
        return np.interp(new, delta, means)

    def _order_with_ties(self, d: FloatArray) -> NDArray[np.intp]:
        """Return the order of delta; if primary, equal ones in the order of their distances."""
        if self._starts is not None or not len(self._tied):
            return self._order
        order = self._order.copy()
        tied = order[self._tied]
        order[self._tied] = tied[np.lexsort((d[tied], self._tie))]
        return order

    def _isotonic(self, ordered: FloatArray, w: FloatArray | None) -> FloatArray:
        """Return the increasing sequence nearest to the distances, equal on ties if secondary."""
        if self._starts is None:
            return isotonic_regression(ordered, weights=w).x
        counts = np.diff(self._starts, append=len(ordered))
        total = counts if w is None else np.add.reduceat(w, self._starts)
        sums = np.add.reduceat(ordered if w is None else ordered * w, self._starts)
        return np.repeat(isotonic_regression(sums / total, weights=total).x, counts)


def _inner(a: FloatArray, b: FloatArray, w: FloatArray | None) -> float:
    return float(np.dot(a, b) if w is None else np.einsum("i,i,i->", a, b, w))
