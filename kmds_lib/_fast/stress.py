"""Stress of a table and its slope in one pass over panels of distances; the Guttman transform."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, cholesky
from scipy.spatial.distance import cdist, squareform

from kmds_lib._checks import EPS, FloatArray
from kmds_lib._embedding import centred_columns

Weights = Callable[[int, int], FloatArray]
"""Gives the weights of a panel."""

_ROWS = 40
"""Rows of a panel: few, for the processor's cache; enough that threads rarely meet in Python."""
_SHARES = 2
"""Parts that the panels are dealt to: the sum is the same on one core and on many."""
_THREADS_FROM = 1000
"""Objects from which on a thread for each part is worth its start, some 0.1 ms."""
_SMALLEST_PIVOT = 100 * EPS
"""Least pivot of L beside its largest, below which the Guttman transform is mostly rounding."""


class Table:
    """Dissimilarities and weights, read in panels: rows i to j, columns from i on.

    Panels on and above the diagonal hold every pair, so that nothing of the size of the table is
    formed. Sums run over ordered pairs.

    Attributes
    ----------
    D : ndarray of shape (n, n)
        Dissimilarities.
    weights : callable or None
        ``weights(i, j)`` gives the weights of a panel; None where all are 1.
    size : float
        Sum of w delta^2.
    """

    def __init__(self, D: FloatArray, weights: Weights | None = None) -> None:
        self.D = D
        self.weights = weights
        blocks = ((D[i:j, i:], i, j) for i, j in self.panels())
        self.size = sum(self.inner(block, block, i, j) for block, i, j in blocks)

    def panels(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of each panel and the row after its last."""
        n = len(self.D)
        yield from ((i, min(i + _ROWS, n)) for i in range(0, n, _ROWS))

    def distances(self, X: FloatArray) -> Iterator[tuple[FloatArray, int, int]]:
        """Yield the distances of a configuration, panel by panel."""
        yield from ((cdist(X[i:j], X[i:]), i, j) for i, j in self.panels())

    def inner(self, a: FloatArray, b: FloatArray, i: int, j: int) -> float:
        """Return the sum of w a b over a panel and its mirror image."""
        if self.weights is not None:
            a = a * self.weights(i, j)
        corner = float(np.einsum("ij,ij->", a[:, : j - i], b[:, : j - i]))
        return 2 * float(np.vdot(a, b)) - corner

    def weighted(self, block: FloatArray, i: int, j: int) -> FloatArray:
        """Multiply a panel by its weights, in place."""
        if self.weights is not None:
            block *= self.weights(i, j)
        return block

    def squared_size(self, X: FloatArray) -> float:
        """Return the sum of w d^2 for a centred configuration."""
        if self.weights is None:
            return 2 * len(X) * float(np.vdot(X, X))
        return sum(self.inner(d, d, i, j) for d, i, j in self.distances(X))

    def products(self, X: FloatArray) -> tuple[float, float]:
        """Return the sums of w d delta and of w d^2."""
        crossed, squares = 0.0, 0.0
        for d, i, j in self.distances(X):
            crossed += self.inner(d, self.D[i:j, i:], i, j)
            squares += self.inner(d, d, i, j)
        return crossed, squares

    def shares(self, X: FloatArray, disparities: Disparities) -> FloatArray:
        """Return the share of each point in the loss, with disparities fitted to X already."""
        found = np.zeros(len(X))
        for d, i, j in self.distances(X):
            d -= disparities.panel(self.D, i, j)
            losses = self.weighted(np.square(d, out=d), i, j)
            found[i:j] += losses.sum(axis=1)
            found[j:] += losses[:, j - i :].sum(axis=0)
        return found / (found.sum() or 1.0)

    def dissimilarity_range(self) -> tuple[float, float]:
        """Return the smallest and the largest dissimilarity of positive weight."""
        n, low, high = len(self.D), np.inf, 0.0
        for i, j in self.panels():
            seen = self.weighted(np.ones((j - i, n - i)), i, j) > 0
            np.fill_diagonal(seen, False)
            low = self.D[i:j, i:].min(initial=low, where=seen)
            high = self.D[i:j, i:].max(initial=high, where=seen)
        return float(low), float(high)

    def condensed_weights(self) -> FloatArray | None:
        """Return the weights of the pairs i < j in the order of `scipy.spatial.distance.pdist`."""
        if self.weights is None:
            return None
        return squareform(self.weights(0, len(self.D)), checks=False)

    def taken(self, values: FloatArray, order: NDArray[np.intp]) -> FloatArray:
        """Return ``values[order]``, where pairs are in condensed order."""
        found, half = np.empty(len(order)), len(order) // 2
        self.dealt(
            lambda part: np.take(values, order[part], mode="clip", out=found[part]),
            [slice(half), slice(half, None)],
        )
        return found

    def dealt(self, work: Callable[[Any], Any], parts: list[Any]) -> list[Any]:
        """Return what the work makes of each part, by a thread for each where that pays."""
        if len(self.D) < _THREADS_FROM:
            return [work(part) for part in parts]
        return list(self._threads.map(work, parts))

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_SHARES)


def condensed_panel(values: FloatArray, n: int, i: int, j: int) -> FloatArray:
    """Return a panel of the symmetric table whose pairs i < j are given in condensed order."""
    block = np.zeros((j - i, n - i))
    for row in range(i, j):
        first = row * (2 * n - row - 1) // 2  # where the pairs (row, row + 1), ... begin
        block[row - i, row - i + 1 :] = values[first : first + n - 1 - row]
    corner = block[:, : j - i]
    corner += corner.T
    return block


class Disparities(Protocol):
    """What the distances are compared with."""

    def fit(self, X: FloatArray, table: Table) -> tuple[float, float]:
        """Fit to the distances d of X.

        Return the scale of X at which the disparities, of fixed size, are the projection of the
        distances, and the sum of w d^2 divided by that of w disparity^2 at this scale.
        """

    def panel(self, D: FloatArray, i: int, j: int) -> FloatArray:
        """Return the disparities of a panel, 0 on the diagonal."""

    def of(self, new: FloatArray, D: FloatArray) -> FloatArray:
        """Return the disparities of new dissimilarities; D is the table, NaN where missing."""


class State(NamedTuple):
    """A configuration, its raw stress and the slope there."""

    points: FloatArray
    loss: float
    slope: FloatArray


class Stress:
    """Raw stress of configurations of a table, with disparities that are fitted to each.

    L is the Laplacian of the weights, L(Y) that of w disparity / d, as in Chapter 9.
    """

    def __init__(self, table: Table, disparities: Disparities) -> None:
        self.table, self.disparities = table, disparities

    def at(self, X: FloatArray) -> State:
        """Fit the disparities to the distances of X; return stress and slope at their scale.

        The slope is 4 (L - L(Y)) Y, four times the Laplacian of M = w (1 - disparity / d).
        """
        scale, ratio = self.disparities.fit(X, self.table)
        Y = centred_columns(X) * scale
        panels = list(self.table.panels())
        shares = [panels[first::_SHARES] for first in range(_SHARES)]
        done = self.table.dealt(partial(self._pulls, Y, ratio), shares)
        pulls = np.sum([share for share, _ in done], axis=0)
        slope = 4 * (Y * pulls[:, -1:] - pulls[:, :-1])
        return State(Y, sum(share for _, share in done), slope)

    def guttman_step(self, slope: FloatArray) -> FloatArray:
        """Return -1/4 L^+ slope: the way to the lowest point of the parabola above the stress.

        From Y with the slope 4 (L - L(Y)) Y it leads to the Guttman transform, L^+ L(Y) Y.
        """
        if self._factor is None:
            return -slope / (4 * len(slope))
        moved = cho_solve((self._factor, True), slope, check_finite=False)
        return -centred_columns(moved) / 4

    @cached_property
    def _factor(self) -> FloatArray | None:
        """Cholesky factor of L + c 11'; None where all weights are 1, and L^+ Y = Y / n."""
        if self.table.weights is None:
            return None
        n = len(self.table.D)
        L = np.zeros((n, n))
        for i, j in self.table.panels():
            L[i:j, i:] = self.table.weights(i, j)
            L[j:, i:j] = L[i:j, j:].T
        np.fill_diagonal(L, 0.0)
        degrees = L.sum(axis=1)
        np.subtract(degrees.mean() / n, L, out=L)
        L[np.diag_indices(n)] += degrees
        return _cholesky(L)

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
                target = self.disparities.panel(self.table.D, i, j)
                np.subtract(d, target, out=error)
                loss += self.table.inner(error, error, i, j)
                if ratio != 1:
                    error -= (ratio - 1) * target
                M = self.table.weighted(np.divide(error, d, out=error), i, j)
                _add_pull(M, X1, i, j, pulls)
        return pulls, loss


def _add_pull(M: FloatArray, X1: FloatArray, i: int, j: int, pulls: FloatArray) -> None:
    """Add M [X, 1] for a panel of the symmetric matrix M, and for its mirror image.

    Where two points coincide the pull is 0.
    """
    np.fill_diagonal(M, 0.0)
    across = M @ X1[i:]
    if not np.isfinite(across).all():
        M[~np.isfinite(M)] = 0.0
        across = M @ X1[i:]
    pulls[i:j] += across
    pulls[j:] += M[:, j - i :].T @ X1[i:j]


def _cholesky(L: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor, written over L, if rounding leaves its digits."""
    with suppress(np.linalg.LinAlgError):
        factor = cholesky(L.T, lower=True, overwrite_a=True, check_finite=False)
        pivots = np.diagonal(factor) ** 2
        if pivots.min() > _SMALLEST_PIVOT * pivots.max():
            return factor
    raise ValueError(
        "The weights range too widely: those that tie some objects to the rest are lost in "
        "rounding beside the largest. Narrow their range. If they are the reciprocals of Sammon's "
        "stress, keep one of each set of nearly equal objects, or use smacof."
    )
