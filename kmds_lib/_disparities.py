"""Disparities: the dissimilarities themselves, or a function of them fitted to the distances.

The fitted disparities are the projection of the distances on a convex cone. The cone consists of
the non-negative combinations of some functions of the dissimilarities, or of all increasing
sequences. The norm of the disparities is fixed, sum of w disparity^2 = sum of w delta^2, and the
points are scaled such that the disparities fit best.
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

from kmds_lib._fast.stress import Disparities, FittedDisparities, WeightedDissimilarities
from kmds_lib._messages import plural, warn_caller
from kmds_lib._parameters import check_option
from kmds_lib._rounding import EPS, equality_tolerance, tie_tolerance
from kmds_lib._types import FloatArray

Transform = Literal["identity", "ratio", "interval", "polynomial", "ordinal"]
Ties = Literal["primary", "secondary"]
Basis = Callable[[FloatArray], list[FloatArray]]

_MAX_DEGENERATE_STRESS = 0.01
"""Stress-1 up to which an ordinal fit may be degenerate."""

_MAX_FEW_PAIRS = 10
"""Number of observed pairs, those of five objects, up to which almost every order of the
dissimilarities is that of the distances of points in the plane."""


class DegenerateWarning(UserWarning):
    """Warning that an ordinal fit has very few different disparities, or very few objects.

    Its small stress does not mean that the configuration represents the dissimilarities well.
    """


class Shepard(NamedTuple):
    r"""Data of a Shepard diagram, one entry for each observed pair i < j.

    Attributes
    ----------
    delta : ndarray of shape (m,)
        Given dissimilarities.
    target : ndarray of shape (m,)
        Target values of the fitted distances: the feature distances of kernel MDS, or the
        disparities of a stress fit.
    fitted : ndarray of shape (m,)
        Distances between the fitted points. In kernel MDS they never exceed the target, up to
        rounding, if :math:`HKH` is positive semidefinite.
    i, j : ndarray of int of shape (m,)
        Row numbers of the two objects of each pair, for example for ``fit.labels``.
    """

    delta: FloatArray
    target: FloatArray
    fitted: FloatArray
    i: NDArray[np.intp]
    j: NDArray[np.intp]

    @classmethod
    def of_pairs(cls, D: FloatArray, targets: FloatArray, points: FloatArray) -> Shepard:
        """Return the diagram of the pairs whose dissimilarity is not NaN."""
        i, j = np.nonzero(np.triu(~np.isnan(D), 1))
        return cls(D[i, j], targets[i, j], cdist(points, points)[i, j], i, j)


def warn_degenerate(
    shepard: Callable[[], Shepard], stress: float, tolerance: float, n: int, k: int
) -> None:
    """Warn if the small stress-1 of an ordinal fit does not show that the map is good.

    Either there are at most three different disparities, or the n objects are so few that a map in
    k dimensions can match any order of their dissimilarities. For k = n - 2 this is always so.
    """
    if stress > _MAX_DEGENERATE_STRESS:
        return
    delta, target, *_ = shepard()
    if n >= 3 and (n <= k + 2 or len(delta) <= _MAX_FEW_PAIRS):
        warn_caller(
            f"{n} objects with {plural(len(delta), 'observed pair')} in "
            f"{plural(k, 'dimension')} have stress-1 {stress:.4f} in an ordinal fit: for so few, "
            "most orders of the dissimilarities can be matched, and many different maps match "
            "them. Take transform='ratio', more objects or fewer dimensions.",
            DegenerateWarning,
        )
        return
    distinct = len(tie_starts(np.sort(delta), tolerance))
    levels = len(np.unique((target / target.max()).round(2)))
    if levels <= 3 and 2 * levels < distinct:
        warn_caller(
            f"{distinct} different dissimilarities got only "
            f"{plural(levels, 'different disparity', 'different disparities')}, at stress-1 "
            f"{stress:.4f}: the fit is degenerate. It shows groups, but nothing within "
            "them. Take transform='interval', or scale each group separately.",
            DegenerateWarning,
        )


def disparities_of(data: WeightedDissimilarities, transform: Transform, ties: Ties) -> Disparities:
    """Return the disparities for the name of a transformation.

    Derived in Chapter 9, Stress. Source: Kruskal (1964); Williams (2001), section 2.3.
    """
    check_option(transform, Transform, "transform")
    check_option(ties, Ties, "ties")
    if transform == "identity":
        return _Identity()
    if transform == "ordinal":
        return _Isotonic(data, ties == "secondary")
    low, high = data.dissimilarity_range()
    if transform == "ratio" or high - low <= tie_tolerance(data.tolerance) * high:
        return _LinearModel(data, _ratio_basis)
    basis = _interval_basis if transform == "interval" else _bernstein_basis
    return _LinearModel(data, partial(basis, low=low, high=high))


class _Identity:
    """The dissimilarities themselves. No function is fitted, so scale and ratio are 1."""

    def fit(self, X: FloatArray, data: WeightedDissimilarities) -> FittedDisparities:
        return FittedDisparities(1.0, 1.0, self._block, self._predict)

    def _block(self, D: FloatArray, i: int, j: int) -> FloatArray:
        return D[i:j, i:]

    def _predict(self, new: FloatArray, D: FloatArray) -> FloatArray:
        return new


class _LinearModel:
    """Combinations of basis functions of delta with coefficients theta >= 0."""

    def __init__(self, data: WeightedDissimilarities, basis: Basis) -> None:
        self._basis = basis
        self._gram = np.sum([self._inner_products(data, i, j) for i, j in data.blocks()], axis=0)
        values, vectors = np.linalg.eigh(self._gram)
        kept = values > len(values) * EPS * values[-1]
        self._root = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
        self._inverse_root = vectors[:, kept].T / np.sqrt(values[kept])[:, None]

    def fit(self, X: FloatArray, data: WeightedDissimilarities) -> FittedDisparities:
        """Find theta >= 0 by least squares, from the inner products of the basis with d."""
        inner, squares = np.zeros(len(self._gram)), 0.0
        for d, i, j in data.distances(X):
            squares += data.inner(d, d, i, j)
            inner += [data.inner(term, d, i, j) for term in self._terms(data.D, i, j)]
        theta, _ = nnls(self._root, self._inverse_root @ inner)
        fitted_squares = float(theta @ self._gram @ theta)
        scale = math.sqrt(data.squared_norm / fitted_squares)
        theta *= scale
        block, predict = partial(self._block, theta), partial(self._predict, theta)
        return FittedDisparities(scale, squares / fitted_squares, block, predict)

    def _block(self, theta: FloatArray, D: FloatArray, i: int, j: int) -> FloatArray:
        return _combine(theta, self._terms(D, i, j))

    def _predict(self, theta: FloatArray, new: FloatArray, D: FloatArray) -> FloatArray:
        """Evaluate the function; return 0 where it is negative, outside the range of D."""
        return np.maximum(_combine(theta, self._basis(new)), 0.0)

    def _terms(self, D: FloatArray, i: int, j: int) -> list[FloatArray]:
        terms = self._basis(D[i:j, i:])
        for term in terms:
            np.fill_diagonal(term, 0.0)
        return terms

    def _inner_products(self, data: WeightedDissimilarities, i: int, j: int) -> FloatArray:
        terms = self._terms(data.D, i, j)
        return np.array([[data.inner(f, g, i, j) for g in terms] for f in terms])


def _combine(theta: FloatArray, terms: list[FloatArray]) -> FloatArray:
    return sum((c * term for c, term in zip(theta, terms, strict=True)), 0.0 * terms[0])


def _ratio_basis(delta: FloatArray) -> list[FloatArray]:
    return [delta.copy()]


def _interval_basis(delta: FloatArray, low: float, high: float) -> list[FloatArray]:
    return [np.ones_like(delta), (delta - low) / (high - low)]


def _bernstein_basis(delta: FloatArray, low: float, high: float) -> list[FloatArray]:
    """Return the Bernstein polynomials of degree 2 on the interval from low to high."""
    t = np.clip((delta - low) / (high - low), 0.0, 1.0)
    return [(1 - t) * (1 - t), 2 * t * (1 - t), t * t]


def tie_starts(values: FloatArray, tolerance: float) -> NDArray[np.intp]:
    """Return the position at which each tie begins, for non-negative values in increasing order.

    Two consecutive values are tied if their relative difference is at most `tie_tolerance`. Values
    up to `equality_tolerance`, relative to the last value, are tied with 0. If a chain of such
    values is eight times as wide as one tie, the values are close together by chance, and only
    those that are exactly equal are tied.
    """
    tie, smallest = tie_tolerance(tolerance), equality_tolerance(tolerance) * values[-1:]
    starts = np.diff(values, prepend=-1.0) > tie * values
    starts[1:] &= values[1:] > smallest
    first = np.flatnonzero(starts)
    for chain in np.flatnonzero(np.diff(first, append=len(values)) > 8):
        part = slice(first[chain], first[chain + 1] if chain + 1 < len(first) else None)
        low, high = values[part][[0, -1]]
        if high - low > 8 * tie * high + smallest:
            starts[part] = np.diff(values[part], prepend=-1.0) > 0
    return np.flatnonzero(starts)


class _Isotonic:
    """Any increasing function of delta, by isotonic regression of the distances on delta.

    Pairs are in the condensed order of `scipy.spatial.distance.pdist`. `_tied` contains the
    positions, in increasing order of delta, of the pairs with tied dissimilarities, and
    `_tie_number` the number of the tie of each. `_tie_starts` is set for secondary ties only.
    Dissimilarities that differ by rounding errors only are tied: see `tie_starts`.
    """

    def __init__(self, data: WeightedDissimilarities, secondary: bool) -> None:
        delta = squareform(data.D, checks=False)
        self._order = np.argsort(delta)
        self._weights = data.condensed_weights()
        if self._weights is not None:
            self._order = self._order[self._weights[self._order] > 0]
        self._tie_starts: NDArray[np.intp] | None = None
        self._tied = self._tie_number = np.empty(0, dtype=np.intp)
        delta = delta[self._order]
        self._tolerance = data.tolerance
        starts = tie_starts(delta, self._tolerance)
        if len(starts) < len(delta):
            counts = np.diff(starts, append=len(delta))
            self._tie_starts = starts if secondary else None
            self._tied = np.flatnonzero(np.repeat(counts > 1, counts))
            self._tie_number = np.repeat(np.arange(len(counts)), counts)[self._tied]

    def fit(self, X: FloatArray, data: WeightedDissimilarities) -> FittedDisparities:
        """Sort the distances in the order of delta, and find the closest increasing sequence."""
        d = pdist(X)
        order = self._order_with_ties(d)
        ordered = d[order]
        w = None if self._weights is None else self._weights[order]
        squares = _inner(ordered, ordered, w)
        fitted = self._isotonic(ordered, w)
        size = 2 * _inner(fitted, fitted, w)
        scale = math.sqrt(data.squared_norm / size)
        d[:] = 0.0
        fitted *= scale
        d[order] = fitted
        block, predict = partial(_condensed_block, d), partial(self._predict, d)
        return FittedDisparities(scale, 2 * squares / size, block, predict)

    def _predict(self, disparities: FloatArray, new: FloatArray, D: FloatArray) -> FloatArray:
        """Interpolate linearly between the mean disparities of tied dissimilarities."""
        delta = squareform(D, checks=False)[self._order]
        starts = tie_starts(delta, self._tolerance)
        sums = np.add.reduceat(disparities[self._order], starts)
        return np.interp(new, delta[starts], sums / np.diff(starts, append=len(delta)))

    def _order_with_ties(self, d: FloatArray) -> NDArray[np.intp]:
        """Return the pairs in the order of delta, and primary ties in that of their distances."""
        if self._tie_starts is not None or not len(self._tied):
            return self._order
        order = self._order.copy()
        tied = order[self._tied]
        order[self._tied] = tied[np.lexsort((d[tied], self._tie_number))]
        return order

    def _isotonic(self, ordered: FloatArray, w: FloatArray | None) -> FloatArray:
        """Return the increasing sequence closest to the distances; make secondary ties equal."""
        if self._tie_starts is None:
            return isotonic_regression(ordered, weights=w).x
        counts = np.diff(self._tie_starts, append=len(ordered))
        total = counts if w is None else np.add.reduceat(w, self._tie_starts)
        sums = np.add.reduceat(ordered if w is None else ordered * w, self._tie_starts)
        return np.repeat(isotonic_regression(sums / total, weights=total).x, counts)


def _condensed_block(values: FloatArray, D: FloatArray, i: int, j: int) -> FloatArray:
    """Return the block M[i:j, i:] of a symmetric matrix M of the size of D in condensed form."""
    n = len(D)
    block = np.zeros((j - i, n - i))
    for row in range(i, j):
        first = row * (2 * n - row - 1) // 2  # position of the pair (row, row + 1)
        block[row - i, row - i + 1 :] = values[first : first + n - 1 - row]
    corner = block[:, : j - i]
    corner += corner.T
    return block


def _inner(a: FloatArray, b: FloatArray, w: FloatArray | None) -> float:
    return float(np.dot(a, b) if w is None else np.einsum("i,i,i->", a, b, w))
