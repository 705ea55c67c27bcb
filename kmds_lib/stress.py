"""Stress: configurations whose distances come close to dissimilarities, found step by step.

The raw stress sums w_ij (d_ij - dhat_ij)^2 over ordered pairs, where the disparities dhat are the
dissimilarities themselves or a transformation fitted to the distances. A convex quadratic lies
above the stress and touches it at the present configuration; its minimum is the Guttman
transform, so that stress falls at each such step (de Leeuw 1977).
"""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_solve, cholesky
from scipy.optimize import isotonic_regression, nnls
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.spatial.distance import cdist, pdist, squareform

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_dissimilarities,
    as_gram,
    as_numbers,
    as_points,
    check_count,
    check_n_components,
    check_number,
    check_option,
    warn_caller,
)
from kmds_lib._progress import progress
from kmds_lib.classical import classical_scaling
from kmds_lib.embedding import FewerComponentsWarning, NotConvergedWarning, centred_columns
from kmds_lib.gram import distances, gram_from_distances, squared_distances

__all__ = [
    "SammonResult",
    "SmacofResult",
    "StressShepard",
    "kruskal_stress",
    "raw_stress",
    "sammon",
    "smacof",
    "sstress",
    "strain",
]

Transform = Literal["identity", "ratio", "interval", "polynomial", "ordinal"]
Ties = Literal["primary", "secondary"]
Start = Literal["classical", "random"]
Memory: TypeAlias = "deque[tuple[FloatArray, FloatArray]]"

_ROWS = 40
"""Rows of a panel: few, for the processor's cache; enough that threads rarely meet in Python."""
_SHARES = 2
"""Parts that the panels are dealt to: the sum is the same on one core and on many."""
_THREADS_FROM = 1000
"""Objects from which on a thread for each part is worth its start, some 0.1 ms."""
_MEMORY = 8
"""Pairs of steps and gradients that the quasi-Newton direction remembers."""
_ARMIJO = 1e-4
_SMALLEST_PIVOT = 100 * EPS
"""Least pivot of V beside its largest, below which the Guttman transform is mostly rounding."""


class StressShepard(NamedTuple):
    """Data of a Shepard diagram, one entry for each observed pair i < j.

    Attributes
    ----------
    delta : ndarray of shape (m,)
        Given dissimilarities.
    disparity : ndarray of shape (m,)
        Disparities: the dissimilarities, or their fitted transformation.
    fitted : ndarray of shape (m,)
        Distances between the fitted points.
    """

    delta: FloatArray
    disparity: FloatArray
    fitted: FloatArray


@dataclass(frozen=True, eq=False)
class SmacofResult:
    """What `smacof` returns.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates, centred. Their orientation is that of the start.
    dissimilarities : ndarray of shape (n, n)
        The given dissimilarities; NaN where the weight is zero.
    raw_stress : float
        Sum of w (d - disparity)^2 over ordered pairs.
    stress : float
        Kruskal's stress-1: the root of `raw_stress` divided by the sum of w d^2.
    history : ndarray of shape (n_iter + 1,)
        Raw stress at the start and after each step; it never rises.
    converged : bool
        Whether the Guttman transform moved the points by less than `tol` of their size.
    local_minima : ndarray of shape (n_init,)
        Kruskal's stress-1 that each start ended in, the given start first.
    """

    points: FloatArray
    dissimilarities: FloatArray = field(repr=False)
    raw_stress: float
    stress: float
    history: FloatArray = field(repr=False)
    converged: bool
    local_minima: FloatArray = field(repr=False)
    _fitted: Callable[[FloatArray], FloatArray] = field(repr=False)

    @property
    def n_iter(self) -> int:
        """Number of steps taken."""
        return len(self.history) - 1

    @cached_property
    def disparities(self) -> FloatArray:
        """Dissimilarities, or their fitted transformation, shape (n, n); NaN at weight zero."""
        return np.where(np.isnan(self.dissimilarities), np.nan, self._fitted(self.dissimilarities))

    def shepard(self) -> StressShepard:
        """Return dissimilarity, disparity and fitted distance of every observed pair.

        Returns
        -------
        StressShepard

        Notes
        -----
        Drawn in Chapter 9, Stress. Source: Kruskal (1964).

        Examples
        --------
        >>> fit = smacof([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
        >>> fit.shepard().fitted.round(4)
        array([3., 4., 5.])
        """
        return _shepard(self.points, self.dissimilarities, self.disparities)


@dataclass(frozen=True, eq=False)
class SammonResult:
    """What `sammon` returns.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates, centred. Their orientation is that of the start.
    dissimilarities : ndarray of shape (n, n)
        The given dissimilarities.
    stress : float
        Sammon's stress: the sum of (d - delta)^2 / delta, divided by the sum of delta.
    history : ndarray of shape (n_iter + 1,)
        Sammon's stress at the start and after each step; it never rises.
    converged : bool
        Whether the Guttman transform moved the points by less than `tol` of their size.
    local_minima : ndarray of shape (n_init,)
        Sammon's stress that each start ended in, the given start first.
    """

    points: FloatArray
    dissimilarities: FloatArray = field(repr=False)
    stress: float
    history: FloatArray = field(repr=False)
    converged: bool
    local_minima: FloatArray = field(repr=False)

    @property
    def n_iter(self) -> int:
        """Number of steps taken."""
        return len(self.history) - 1

    def shepard(self) -> StressShepard:
        """Return dissimilarity and fitted distance of every pair; disparity repeats the first.

        Returns
        -------
        StressShepard
        """
        return _shepard(self.points, self.dissimilarities, self.dissimilarities)


def _shepard(points: FloatArray, delta: FloatArray, disparities: FloatArray) -> StressShepard:
    pairs = np.triu(~np.isnan(delta), 1)
    return StressShepard(delta[pairs], disparities[pairs], cdist(points, points)[pairs])


def strain(Y: ArrayLike, D: ArrayLike) -> float:
    """Return the strain of a configuration: the loss that classical scaling minimises.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, one in each row.
    D : array_like of shape (n, n)
        Dissimilarities, not squared.

    Returns
    -------
    float
        Squared Frobenius norm of B - HYY'H with B = -1/2 H D^(2) H, in the unit of D to the
        fourth power.

    Raises
    ------
    ValueError
        If `D` is not a matrix of dissimilarities, or `Y` does not have one row for each object.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Mardia (1978).

    Examples
    --------
    >>> strain([[0.0], [3.0]], [[0.0, 3.0], [3.0, 0.0]])
    0.0
    """
    points, D = _pair(Y, D)
    points = centred_columns(points)
    return float(np.sum((gram_from_distances(D) - points @ points.T) ** 2))


def sstress(Y: ArrayLike, D: ArrayLike) -> float:
    """Return SSTRESS: squared differences of the squared distances.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, one in each row.
    D : array_like of shape (n, n)
        Dissimilarities, not squared.

    Returns
    -------
    float
        Sum of (d_ij^2 - delta_ij^2)^2 over ordered pairs.

    Raises
    ------
    ValueError
        If `D` is not a matrix of dissimilarities, or `Y` does not have one row for each object.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Takane, Young & de Leeuw (1977).

    Examples
    --------
    >>> sstress([[0.0], [2.0]], [[0.0, 3.0], [3.0, 0.0]])
    50.0
    """
    Y, D = _pair(Y, D)
    return float(np.sum((squared_distances(Y) - D**2) ** 2))


def raw_stress(Y: ArrayLike, D: ArrayLike) -> float:
    """Return the raw stress: squared differences of the distances.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, one in each row.
    D : array_like of shape (n, n)
        Dissimilarities or disparities.

    Returns
    -------
    float
        Sum of (d_ij - delta_ij)^2 over ordered pairs: twice the number that counts each pair
        once, as scikit-learn and Borg & Groenen do.

    Raises
    ------
    ValueError
        If `D` is not a matrix of dissimilarities, or `Y` does not have one row for each object.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Kruskal (1964).

    Examples
    --------
    >>> raw_stress([[0.0], [2.0]], [[0.0, 3.0], [3.0, 0.0]])
    2.0
    """
    Y, D = _pair(Y, D)
    return float(np.sum((distances(Y) - D) ** 2))


def kruskal_stress(Y: ArrayLike, D: ArrayLike) -> float:
    """Return Kruskal's stress-1: the raw stress relative to the squared distances, rooted.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, one in each row, not all equal.
    D : array_like of shape (n, n)
        Dissimilarities or disparities.

    Returns
    -------
    float
        Root of the sum of (d_ij - delta_ij)^2 divided by the sum of d_ij^2.

    Raises
    ------
    ValueError
        If `D` is not a matrix of dissimilarities, `Y` does not have one row for each object, or
        all points coincide.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Kruskal (1964), formula 1.

    Examples
    --------
    >>> kruskal_stress([[0.0], [2.0]], [[0.0, 3.0], [3.0, 0.0]])
    0.5
    """
    Y, D = _pair(Y, D)
    d = distances(Y)
    if not d.any():
        raise ValueError("All points of Y coincide, and stress-1 divides by their distances.")
    return float(np.linalg.norm(d - D) / np.linalg.norm(d))


def _pair(Y: ArrayLike, D: ArrayLike) -> tuple[FloatArray, FloatArray]:
    D = as_dissimilarities(D)
    Y = as_points(Y, "Y")
    if len(Y) != len(D):
        raise ValueError(f"Y has {len(Y)} rows, but D has {len(D)} objects: give one row each.")
    return Y, D


def smacof(
    D: ArrayLike,
    n_components: int = 2,
    *,
    weights: ArrayLike | None = None,
    transform: Transform = "identity",
    ties: Ties = "primary",
    degree: int = 2,
    init: Start | ArrayLike = "classical",
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-5,
    seed: int | np.random.Generator | None = None,
) -> SmacofResult:
    """Place objects as points whose distances have the least stress, by majorisation.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared. An entry of weight zero is ignored, NaN included.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    weights : array_like of shape (n, n), optional
        Symmetric, non-negative; zero where a dissimilarity is missing. All 1 by default. Every
        object must be linked to every other through pairs of positive weight.
    transform : {"identity", "ratio", "interval", "polynomial", "ordinal"}
        Disparities: the dissimilarities themselves; b delta; a + b delta (with b >= 0, and a such
        that none is negative); a polynomial of the given degree with non-negative Bernstein
        coefficients on the range of the dissimilarities (see the notes); any increasing function.
    ties : {"primary", "secondary"}
        With ``"ordinal"``: equal dissimilarities may get unequal disparities, or must not.
    degree : int
        With ``"polynomial"``: its degree, from 1 to 8.
    init : {"classical", "random"} or array_like of shape (n, k)
        First start: classical scaling (missing entries filled by shortest paths), a random one,
        or a given configuration.
    n_init : int
        Number of starts; the second and all further ones are random. The best result is returned.
    max_iter : int
        Largest number of steps from each start.
    tol : float
        Stop when the Guttman transform moves the points by less than this part of their size, or
        stress-1 is below it.
    seed : int, Generator or None
        Seed of the random starts.

    Returns
    -------
    SmacofResult
        Points, stress and its history, `disparities`, `shepard`, `local_minima`.

    Raises
    ------
    ValueError
        If `D` or `weights` is not of the kind above, the pairs of positive weight do not link all
        objects or range so widely that some links are lost in rounding, all observed
        dissimilarities are zero, or a parameter is out of range.

    Warns
    -----
    NotConvergedWarning
        If the best start reached `max_iter` steps.

    Notes
    -----
    Derived in Chapter 9, Stress. The minimum of the majorising quadratic is the Guttman
    transform, X - 1/4 V^+ gradient. The first step goes there; later ones take the quasi-Newton
    direction (L-BFGS) that starts from the same matrix. Where a quasi-Newton step would not lower
    the stress enough, the Guttman transform is taken, which cannot raise it: so every step
    descends, and fewer are needed. A fitted transformation is a projection of the distances on a
    convex cone, scaled so that the sum of w disparity^2 is that of w delta^2; the points have the
    scale at which the disparities fit best. The minimum is a local one: try ``n_init``.
    Equal objects (delta = 0) are allowed. Equal rows of `init` whose objects differ are parted
    only where others pull them apart; two objects alike to all others stay on one spot.

    Polynomials with non-negative Bernstein coefficients are non-negative on the whole range, and
    sums of them are such again: a cone with the Bernstein polynomials as its edges, on which the
    projection is exact. Up to degree 2 it holds every polynomial that is non-negative and
    increasing. It does not hold all that are non-negative: (t - 1/2)^2 + 1/100 on [0, 1] is left
    out, as it falls to a dip inside the range. So the fit is that of least squares among its
    members, and where unconstrained least squares would dip, it can be another one. Raising
    `degree` widens the cone.

    From 1000 objects on, the pairs are dealt to two threads; the result is that of one.
    Beyond `D` and `weights`, memory is that of one more D, for ``"ordinal"`` of three to five.
    The classical start of a table with missing entries takes that of five.
    Source: de Leeuw (1977); de Leeuw & Mair (2009); Kruskal (1964); for f linear in its
    parameters, Williams (2001), section 2.3.

    Examples
    --------
    >>> D = [[0, 5, 3, 4], [5, 0, 2, 2], [3, 2, 0, 1], [4, 2, 1, 0]]
    >>> fit = smacof(D)
    >>> round(fit.raw_stress, 4), bool((np.diff(fit.history) <= 0).all())
    (0.0348, True)
    """
    D, W, missing = _observed(D, weights)
    check_n_components(n_components, len(D) - 1)
    problem = _Problem(D, None if W is None else lambda i, j: W[i:j, i:])
    problem.disparities = _disparities(problem, transform, ties, degree)
    starts = _starts(problem, n_components, init, n_init, seed, missing)
    best, ends = _best(problem, starts, n_init, max_iter, tol)
    local_minima = np.array([problem.kruskal(end.state) for end in ends])
    stress = problem.kruskal(best.state)
    fitted = problem.refit(best.state)
    del problem, starts
    delta = D.copy() if missing is None else np.where(missing, np.nan, D)
    return SmacofResult(
        best.state.points,
        delta,
        best.state.loss,
        stress,
        np.array(best.history),
        best.converged,
        local_minima,
        fitted,
    )


def sammon(
    D: ArrayLike,
    n_components: int = 2,
    *,
    init: Start | ArrayLike = "classical",
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-5,
    seed: int | np.random.Generator | None = None,
) -> SammonResult:
    """Place objects as points with the least Sammon stress: errors relative to the dissimilarity.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared; positive between different objects.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    init : {"classical", "random"} or array_like of shape (n, k)
        First start: classical scaling, a random one, or a given configuration.
    n_init : int
        Number of starts; the second and all further ones are random. The best result is returned.
    max_iter : int
        Largest number of steps from each start.
    tol : float
        Stop when the Guttman transform moves the points by less than this part of their size, or
        the root of the stress is below it.
    seed : int, Generator or None
        Seed of the random starts.

    Returns
    -------
    SammonResult

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric matrix with a zero diagonal that is positive
        elsewhere, by more than the rounding of its largest entry, or a parameter is out of range.

    Warns
    -----
    NotConvergedWarning
        If the best start reached `max_iter` steps.

    Notes
    -----
    Derived in Chapter 9, Stress: it is `smacof` with weights 1 / delta, which is why an object
    that coincides with another has no place in it. New objects have none either, as the result
    is a configuration and not a function of the data. Source: Sammon (1969).

    Examples
    --------
    >>> fit = sammon([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> round(fit.stress, 6)
    0.0
    """
    D = as_dissimilarities(D, min_objects=2)
    check_n_components(n_components, len(D) - 1)
    _refuse_duplicates(D)
    problem = _Problem(D, lambda i, j: _reciprocals(D[i:j, i:]))
    starts = _starts(problem, n_components, init, n_init, seed, None)
    best, ends = _best(problem, starts, n_init, max_iter, tol)
    del problem, starts
    total = float(D.sum())
    return SammonResult(
        best.state.points,
        D.copy(),
        best.state.loss / total,
        np.array(best.history) / total,
        best.converged,
        np.array([end.state.loss for end in ends]) / total,
    )


def _refuse_duplicates(D: FloatArray) -> None:
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


def _reciprocals(block: FloatArray) -> FloatArray:
    """Return 1 / delta for a panel of the table, 0 on the diagonal."""
    return np.divide(1.0, block, out=np.zeros_like(block), where=block > 0)


def _observed(
    D: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray | None, NDArray[np.bool_] | None]:
    """Return the checked table, 0 where it is not observed; the weights; where it is missing."""
    table = as_numbers(D, "D")
    W, missing = None, None
    if weights is not None:
        W = as_gram(weights, "weights", min_objects=2)
        _check_weights(W)
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


def _check_weights(W: FloatArray) -> None:
    if W.min() < 0:
        i, j = np.unravel_index(np.argmin(W), W.shape)
        raise ValueError(f"weights[{i}, {j}] = {W[i, j]:.6g} is negative; give weights >= 0.")
    if not _is_connected(W):
        parts, labels = connected_components(coo_array(W), directed=False)
        sizes = ", ".join(str(size) for size in np.bincount(labels))
        raise ValueError(
            f"The pairs of positive weight split the objects into {parts} parts of sizes {sizes}: "
            "their places relative to each other are open. Observe a pair across, or scale each "
            "part by itself."
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


class _State(NamedTuple):
    """A configuration, its loss and its gradient."""

    points: FloatArray
    loss: float
    gradient: FloatArray


class _Problem:
    """Stress of a table: its value and gradient at a configuration, panel by panel.

    Only the panels on and above the diagonal are visited: rows i to j, columns from i on. No
    matrix of the size of the table is formed, but for the factor of V where there are weights.
    """

    def __init__(
        self, D: FloatArray, weights: Callable[[int, int], FloatArray] | None = None
    ) -> None:
        self.D = D
        self.weights = weights
        self.disparities: _Disparities = _Given()
        self.size = self._size()
        self._fitted_at: FloatArray | None = None

    def panels(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of each panel and the row after its last."""
        n = len(self.D)
        yield from ((i, min(i + _ROWS, n)) for i in range(0, n, _ROWS))

    def inner(self, a: FloatArray, b: FloatArray, i: int, j: int) -> float:
        """Return the sum of w a b over the ordered pairs of a panel and of its mirror image."""
        if self.weights is not None:
            a = a * self.weights(i, j)
        corner = float(np.einsum("ij,ij->", a[:, : j - i], b[:, : j - i]))
        return 2 * float(np.vdot(a, b)) - corner

    def weighted(self, block: FloatArray, i: int, j: int) -> FloatArray:
        """Multiply a panel by its weights, in place."""
        if self.weights is not None:
            block *= self.weights(i, j)
        return block

    def _size(self) -> float:
        """Return the sum of w delta^2 over ordered pairs."""
        blocks = ((self.D[i:j, i:], i, j) for i, j in self.panels())
        return sum(self.inner(block, block, i, j) for block, i, j in blocks)

    @cached_property
    def _factor(self) -> FloatArray | None:
        """Cholesky factor of V + c 11', V = diag(W1) - W; None where all weights are 1."""
        if self.weights is None:
            return None
        n = len(self.D)
        V = np.zeros((n, n))
        for i, j in self.panels():
            V[i:j, i:] = self.weights(i, j)
            V[j:, i:j] = V[i:j, j:].T
        np.fill_diagonal(V, 0.0)
        degrees = V.sum(axis=1)
        np.subtract(degrees.mean() / n, V, out=V)
        V[np.diag_indices(n)] += degrees
        return _factored(V)

    def precondition(self, gradient: FloatArray) -> FloatArray:
        """Return 1/4 V^+ gradient: how far the Guttman transform moves the points, negated."""
        if self._factor is None:
            return gradient / (4 * len(gradient))
        moved = cho_solve((self._factor, True), gradient, check_finite=False)
        return centred_columns(moved) / 4

    def evaluate(self, X: FloatArray) -> _State:
        """Fit the disparities to the distances of X; return loss and gradient at their scale."""
        scale, ratio = self.disparities.fit(X, self)
        X = centred_columns(X) * scale
        panels = list(self.panels())
        shares = [panels[first::_SHARES] for first in range(_SHARES)]
        done = self.dealt(partial(self._pulls, X, ratio), shares)
        pulls = np.sum([share for share, _ in done], axis=0)
        loss = sum(share for _, share in done)
        gradient = 4 * (X * pulls[:, -1:] - pulls[:, :-1])
        self._fitted_at = X
        return _State(X, loss, gradient)

    def dealt(self, work: Callable[[Any], Any], parts: list[Any]) -> list[Any]:
        """Return what the work makes of each part, by a thread for each where that pays."""
        if len(self.D) < _THREADS_FROM:
            return [work(part) for part in parts]
        return list(self._threads.map(work, parts))

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_SHARES)

    def _pulls(
        self, X: FloatArray, ratio: float, panels: list[tuple[int, int]]
    ) -> tuple[FloatArray, float]:
        """Return what some of the panels add to M [X, 1], M = w (1 - ratio dhat / d), and loss."""
        X1 = np.column_stack([X, np.ones(len(X))])
        pulls, loss = np.zeros_like(X1), 0.0
        room = np.empty((2, _ROWS * len(X)))
        with np.errstate(divide="ignore", invalid="ignore"):
            for i, j in panels:
                shape = (j - i, len(X) - i)
                d, error = (part[: math.prod(shape)].reshape(shape) for part in room)
                cdist(X[i:j], X[i:], out=d)
                target = self.disparities.block(self.D, i, j)
                np.subtract(d, target, out=error)
                loss += self.inner(error, error, i, j)
                if ratio != 1:
                    error -= (ratio - 1) * target
                _pull(self.weighted(np.divide(error, d, out=error), i, j), X1, i, j, pulls)
        return pulls, loss

    def kruskal(self, state: _State) -> float:
        """Return Kruskal's stress-1."""
        X = state.points
        if self.weights is None:
            return math.sqrt(state.loss / (2 * len(X) * float(np.vdot(X, X))))
        blocks = ((cdist(X[i:j], X[i:]), i, j) for i, j in self.panels())
        return math.sqrt(state.loss / sum(self.inner(d, d, i, j) for d, i, j in blocks))

    def has_direction(self, X: FloatArray) -> bool:
        """Tell whether some pair that should be apart is apart."""
        blocks = ((cdist(X[i:j], X[i:]), i, j) for i, j in self.panels())
        return any(self.inner(d, self.D[i:j, i:], i, j) > 0 for d, i, j in blocks)

    def best_scale(self, X: FloatArray) -> float:
        """Return the multiple of X whose distances are nearest to the dissimilarities."""
        crossed, squares = 0.0, 0.0
        for i, j in self.panels():
            d = cdist(X[i:j], X[i:])
            crossed += self.inner(d, self.D[i:j, i:], i, j)
            squares += self.inner(d, d, i, j)
        return crossed / squares if squares > 0 else 0.0

    def range_of_dissimilarities(self) -> tuple[float, float]:
        """Return the smallest and the largest dissimilarity of positive weight."""
        n, low, high = len(self.D), np.inf, 0.0
        for i, j in self.panels():
            seen = self.weighted(np.ones((j - i, n - i)), i, j) > 0
            np.fill_diagonal(seen, False)
            low = self.D[i:j, i:].min(initial=low, where=seen)
            high = self.D[i:j, i:].max(initial=high, where=seen)
        return float(low), float(high)

    def refit(self, state: _State) -> Callable[[FloatArray], FloatArray]:
        """Return the function from the table to the disparities that belong to a state."""
        if state.points is not self._fitted_at:
            self.disparities.fit(state.points, self)
        return self.disparities.table


def _factored(V: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor, written over V, if rounding leaves its digits."""
    with suppress(np.linalg.LinAlgError):
        factor: FloatArray = cholesky(V.T, lower=True, overwrite_a=True, check_finite=False)
        pivots = np.diagonal(factor) ** 2
        if pivots.min() > _SMALLEST_PIVOT * pivots.max():
            return factor
    raise ValueError(
        "The weights range too widely: those that tie some objects to the rest are lost in "
        "rounding beside the largest. Narrow their range. If they are the reciprocals of Sammon's "
        "stress, keep one of each set of nearly equal objects, or use smacof."
    )


def _pull(m: FloatArray, X1: FloatArray, i: int, j: int, pulls: FloatArray) -> None:
    """Add M [X, 1] for a panel of the symmetric matrix M, and for its mirror image."""
    np.fill_diagonal(m, 0.0)
    across = m @ X1[i:]
    if not np.isfinite(across).all():
        m[~np.isfinite(m)] = 0.0
        across = m @ X1[i:]
    pulls[i:j] += across
    pulls[j:] += m[:, j - i :].T @ X1[i:j]


class _Disparities(ABC):
    """What the distances are compared with."""

    @abstractmethod
    def fit(self, X: FloatArray, problem: _Problem) -> tuple[float, float]:
        """Fit to the distances d of X.

        Return the scale of X at which the disparities, of fixed size, are the projection of the
        distances, and the sum of w d^2 divided by that of w disparity^2 at this scale.
        """

    @abstractmethod
    def block(self, D: FloatArray, i: int, j: int) -> FloatArray:
        """Return the disparities of a panel, 0 on the diagonal."""

    @abstractmethod
    def table(self, D: FloatArray) -> FloatArray:
        """Return all disparities."""


class _Given(_Disparities):
    """The dissimilarities themselves: scale and ratio are 1, as nothing is fitted."""

    def fit(self, X: FloatArray, problem: _Problem) -> tuple[float, float]:
        return 1.0, 1.0

    def block(self, D: FloatArray, i: int, j: int) -> FloatArray:
        return D[i:j, i:]

    def table(self, D: FloatArray) -> FloatArray:
        return D


class _Linear(_Disparities):
    """A combination of basis functions of delta with non-negative coefficients."""

    def __init__(self, problem: _Problem, basis: Callable[[FloatArray], list[FloatArray]]) -> None:
        self._basis = basis
        self._theta = np.zeros(0)
        self._gram = np.sum([self._products(problem, i, j) for i, j in problem.panels()], axis=0)
        values, vectors = np.linalg.eigh(self._gram)
        kept = values > len(values) * EPS * values[-1]
        self._root = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
        self._inverse_root = vectors[:, kept].T / np.sqrt(values[kept])[:, None]

    def _terms(self, D: FloatArray, i: int, j: int) -> list[FloatArray]:
        terms = self._basis(D[i:j, i:])
        for term in terms:
            np.fill_diagonal(term, 0.0)
        return terms

    def _products(self, problem: _Problem, i: int, j: int) -> FloatArray:
        terms = self._terms(problem.D, i, j)
        return np.array([[problem.inner(f, g, i, j) for g in terms] for f in terms])

    def fit(self, X: FloatArray, problem: _Problem) -> tuple[float, float]:
        inner, squares = np.zeros(len(self._gram)), 0.0
        for i, j in problem.panels():
            d = cdist(X[i:j], X[i:])
            squares += problem.inner(d, d, i, j)
            terms = self._terms(problem.D, i, j)
            inner += [problem.inner(term, d, i, j) for term in terms]
        theta, _ = nnls(self._root, self._inverse_root @ inner)
        fitted = float(theta @ self._gram @ theta)
        scale = np.sqrt(problem.size / fitted)
        self._theta = theta * scale
        return scale, squares / fitted

    def block(self, D: FloatArray, i: int, j: int) -> FloatArray:
        terms = self._terms(D, i, j)
        return sum((c * term for c, term in zip(self._theta, terms, strict=True)), 0.0 * terms[0])

    def table(self, D: FloatArray) -> FloatArray:
        return self.block(D, 0, len(D))


class _Monotone(_Disparities):
    """Any increasing function of delta, by isotonic regression of the distances in its order."""

    def __init__(self, problem: _Problem, secondary: bool) -> None:
        self._values = np.zeros(0)
        delta = squareform(problem.D, checks=False)
        self._order = np.argsort(delta)
        self._weights = None if problem.weights is None else _condensed_weights(problem)
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

    def fit(self, X: FloatArray, problem: _Problem) -> tuple[float, float]:
        self._values = np.zeros(0)
        d = pdist(X)
        order = self._sorted_ties(d) if self._starts is None and len(self._tied) else self._order
        ordered, half = np.empty(len(order)), len(order) // 2
        problem.dealt(
            lambda part: np.take(d, order[part], mode="clip", out=ordered[part]),
            [slice(half), slice(half, None)],
        )
        w = None if self._weights is None else self._weights[order]
        squares = _inner(ordered, ordered, w)
        fitted = self._projected(ordered, w)
        size = 2 * _inner(fitted, fitted, w)
        scale = np.sqrt(problem.size / size)
        if len(order) < len(d):
            d[:] = 0.0
        fitted *= scale
        d[order] = fitted
        self._values = d
        return scale, 2 * squares / size

    def _sorted_ties(self, d: FloatArray) -> NDArray[np.intp]:
        """Return the order of delta, with equal ones in the order of their distances."""
        order = self._order.copy()
        tied = order[self._tied]
        order[self._tied] = tied[np.lexsort((d[tied], self._tie))]
        return order

    def _projected(self, ordered: FloatArray, w: FloatArray | None) -> FloatArray:
        """Return the increasing sequence nearest to the distances, equal on ties if secondary."""
        if self._starts is None:
            fitted: FloatArray = isotonic_regression(ordered, weights=w).x
            return fitted
        counts = np.diff(self._starts, append=len(ordered))
        total = counts if w is None else np.add.reduceat(w, self._starts)
        sums = np.add.reduceat(ordered if w is None else ordered * w, self._starts)
        return np.repeat(isotonic_regression(sums / total, weights=total).x, counts)

    def block(self, D: FloatArray, i: int, j: int) -> FloatArray:
        block = np.zeros((j - i, len(D) - i))
        for row in range(i, j):
            block[row - i, row - i + 1 :] = self._values[_row(len(D), row)]
        corner = block[:, : j - i]
        corner += corner.T
        return block

    def table(self, D: FloatArray) -> FloatArray:
        table: FloatArray = squareform(self._values)
        return table


def _row(n: int, i: int) -> slice:
    """Return where the pairs (i, i + 1), ..., (i, n - 1) stand in a condensed table."""
    start = i * (2 * n - i - 1) // 2
    return slice(start, start + n - 1 - i)


def _condensed_weights(problem: _Problem) -> FloatArray:
    n = len(problem.D)
    condensed = np.empty(n * (n - 1) // 2)
    for i, j in problem.panels():
        block = problem.weighted(np.ones((j - i, n - i)), i, j)
        for row in range(i, j):
            condensed[_row(n, row)] = block[row - i, row - i + 1 :]
    return condensed


def _inner(a: FloatArray, b: FloatArray, w: FloatArray | None) -> float:
    return float(np.dot(a, b) if w is None else np.einsum("i,i,i->", a, b, w))


def _disparities(problem: _Problem, transform: str, ties: str, degree: int) -> _Disparities:
    """Return the disparities of a transformation by name."""
    check_option(transform, Transform, "transform")
    check_option(ties, Ties, "ties")
    degree = check_n_components(degree, 8, "degree")
    if transform == "identity":
        return _Given()
    if transform == "ordinal":
        return _Monotone(problem, ties == "secondary")
    low, high = problem.range_of_dissimilarities()
    if transform == "ratio" or low == high:
        return _Linear(problem, _ratio)
    if transform == "interval":
        return _Linear(problem, partial(_interval, low=low, high=high))
    return _Linear(problem, partial(_bernstein, low=low, high=high, degree=degree))


def _ratio(delta: FloatArray) -> list[FloatArray]:
    return [delta.copy()]


def _interval(delta: FloatArray, low: float, high: float) -> list[FloatArray]:
    return [np.ones_like(delta), (delta - low) / (high - low)]


def _bernstein(delta: FloatArray, low: float, high: float, degree: int) -> list[FloatArray]:
    """Return binomial(q, j) t^j (1 - t)^(q - j), with t from 0 at low to 1 at high."""
    t = np.clip((delta - low) / (high - low), 0.0, 1.0)
    rising, falling = [np.ones_like(t)], [np.ones_like(t)]
    for _ in range(degree):
        rising.append(rising[-1] * t)
        falling.append(falling[-1] * (1 - t))
    return [math.comb(degree, j) * rising[j] * falling[degree - j] for j in range(degree + 1)]


def _starts(
    problem: _Problem,
    k: int,
    init: Start | ArrayLike,
    n_init: int,
    seed: int | np.random.Generator | None,
    missing: NDArray[np.bool_] | None,
) -> Iterator[FloatArray]:
    """Yield the starting configurations, those that were not given at their best scale."""
    rng, n = np.random.default_rng(seed), len(problem.D)
    if isinstance(init, str):
        check_option(init, Start, "init")
        classical = init == "classical"
        X = (
            _classical_start(problem.D, k, missing, rng)
            if classical
            else rng.standard_normal((n, k))
        )
        yield X * problem.best_scale(X)
    else:
        yield _given_start(problem, init, k)
    for _ in range(n_init - 1):
        X = rng.standard_normal((n, k))
        yield X * problem.best_scale(X)


def _given_start(problem: _Problem, init: ArrayLike, k: int) -> FloatArray:
    X, n = as_points(init, "init", smallest=0.0), len(problem.D)
    if X.shape != (n, k):
        raise ValueError(f"init has shape {X.shape}; n_components = {k} needs ({n}, {k}).")
    if not problem.has_direction(X):
        raise ValueError(
            "All points of init coincide, or all those that should be apart: there is no "
            "direction to move them in."
        )
    return X


def _classical_start(
    D: FloatArray, k: int, missing: NDArray[np.bool_] | None, rng: np.random.Generator
) -> FloatArray:
    """Return classical scaling of D; axes without a positive eigenvalue start with small noise."""
    if missing is not None:
        rows, columns = np.nonzero(np.triu(~missing, 1))
        graph = coo_array((D[rows, columns], (rows, columns)), shape=D.shape).tocsr()
        D = np.where(missing, shortest_path(graph, directed=False), D)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerComponentsWarning)
        X = classical_scaling(D, k).points
    noise = rng.standard_normal((len(D), k - X.shape[1]))
    return np.column_stack([X, 0.01 * np.sqrt(np.mean(X**2)) * noise])


class _Descent(NamedTuple):
    """Where a start ended: the state, the loss after each step, whether it converged."""

    state: _State
    history: list[float]
    converged: bool


def _best(
    problem: _Problem, starts: Iterator[FloatArray], n_init: int, max_iter: int, tol: float
) -> tuple[_Descent, list[_Descent]]:
    """Descend from every start; return the lowest end and all of them."""
    n_init, max_iter = check_count(n_init, "n_init"), check_count(max_iter, "max_iter")
    tol = check_number(tol, "tol", positive=True)
    shown = starts if n_init == 1 else progress(starts, n_init, "starts")
    ends = [_descend(problem, X, max_iter, tol) for X in shown]
    best = min(ends, key=lambda end: end.state.loss)
    if not best.converged:
        warn_caller(
            f"Stopped after {max_iter} steps, before the points came to rest. Give a larger "
            "max_iter, or a larger tol if that is near enough.",
            NotConvergedWarning,
        )
    return best, ends


def _descend(problem: _Problem, X: FloatArray, max_iter: int, tol: float) -> _Descent:
    """Step down until the Guttman transform moves the points by no more than tol."""
    state = problem.evaluate(X)
    history = [state.loss]
    memory: Memory = deque(maxlen=_MEMORY)
    while True:
        guttman = -problem.precondition(state.gradient)
        still = np.linalg.norm(guttman) <= tol * np.linalg.norm(state.points)
        rests = bool(still or state.loss <= tol**2 * problem.size)
        if rests or len(history) > max_iter:
            return _Descent(state, history, rests)
        new = _step(problem, state, guttman, memory)
        if not new.loss < state.loss:
            # Majorisation rules out a rise, so that only rounding is left.
            return _Descent(state, history, True)
        move, change = new.points - state.points, new.gradient - state.gradient
        if np.vdot(move, change) > 0:
            memory.append((move, change))
        history.append(new.loss)
        state = new


def _step(problem: _Problem, state: _State, guttman: FloatArray, memory: Memory) -> _State:
    """Take the quasi-Newton step if it lowers the loss enough, the Guttman transform if not."""
    if memory:
        direction = -_quasi_newton(problem, state.gradient, memory)
        new = problem.evaluate(state.points + direction)
        if new.loss < state.loss + _ARMIJO * np.vdot(state.gradient, direction):
            return new
        memory.clear()
    return problem.evaluate(state.points + guttman)


def _quasi_newton(problem: _Problem, gradient: FloatArray, memory: Memory) -> FloatArray:
    """Multiply by the L-BFGS estimate of the inverse Hessian, begun from that of the majoriser."""
    q, weights = gradient.copy(), []
    for move, change in reversed(memory):
        weights.append(np.vdot(move, q) / np.vdot(move, change))
        q -= weights[-1] * change
    move, change = memory[-1]
    stretch = np.vdot(move, change) / np.vdot(change, problem.precondition(change))
    r = stretch * problem.precondition(q)
    for (move, change), weight in zip(memory, reversed(weights), strict=True):
        r += (weight - np.vdot(change, r) / np.vdot(move, change)) * move
    return r
