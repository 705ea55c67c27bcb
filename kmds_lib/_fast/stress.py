"""Raw stress, its gradient and the Guttman transform, computed block by block.

D, the weights and the distances are symmetric. Therefore each block of rows i to j is read from
column i on only, and its transpose is added in the sums. No second matrix of the size of D is
formed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import cho_solve, cholesky
from scipy.spatial.distance import cdist, squareform

from kmds_lib._rounding import EPS, ROUNDING_TOLERANCE
from kmds_lib._types import FloatArray

BlockOfWeights = Callable[[int, int], FloatArray]
"""A function (i, j) -> W[i:j, i:]."""

_BLOCK_ROWS = 40
"""Rows of a block, which fits in the processor's cache."""
_MIN_RELATIVE_LOSS = 0.01
"""Smallest loss, relative to the sum of squared disparities, that is computed as a difference."""
_MIN_RELATIVE_PIVOT = 100 * EPS
"""Smallest accepted ratio of two pivots of L: below it the Guttman transform is mostly rounding
error."""


class WeightedDissimilarities:
    """Dissimilarities and their weights, with sums over all ordered pairs.

    Attributes
    ----------
    D : ndarray of shape (n, n)
        Dissimilarities.
    weight_block : callable or None
        Returns the weights ``W[i:j, i:]`` of a block; None if all weights are 1.
    tolerance : float
        Rounding error that is accepted in D, by which ties are judged.
    squared_norm : float
        Sum of w delta^2.
    """

    def __init__(
        self,
        D: FloatArray,
        weight_block: BlockOfWeights | None = None,
        tolerance: float = ROUNDING_TOLERANCE,
    ) -> None:
        self.D = D
        self.weight_block = weight_block
        self.tolerance = tolerance
        blocks = ((D[i:j, i:], i, j) for i, j in self.blocks())
        self.squared_norm = sum(self.inner(delta, delta, i, j) for delta, i, j in blocks)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the first row i of each block and the row j after its last."""
        n = len(self.D)
        yield from ((i, min(i + _BLOCK_ROWS, n)) for i in range(0, n, _BLOCK_ROWS))

    def distances(self, X: FloatArray) -> Iterator[tuple[FloatArray, int, int]]:
        """Yield the distances of a configuration, block by block, with the rows i and j."""
        yield from ((cdist(X[i:j], X[i:]), i, j) for i, j in self.blocks())

    def inner(self, a: FloatArray, b: FloatArray, i: int, j: int) -> float:
        """Return the sum of w a b over a block and its transpose."""
        if self.weight_block is not None:
            a = a * self.weight_block(i, j)
        corner = float(np.einsum("ij,ij->", a[:, : j - i], b[:, : j - i]))
        return 2 * float(np.vdot(a, b)) - corner

    def multiply_by_weights(self, block: FloatArray, i: int, j: int) -> FloatArray:
        """Multiply a block by its weights, in place, and return it."""
        if self.weight_block is not None:
            block *= self.weight_block(i, j)
        return block

    def squared_norm_of_distances(self, X: FloatArray) -> float:
        """Return the sum of w d^2 for a centred configuration."""
        if self.weight_block is None:
            return 2 * len(X) * float(np.vdot(X, X))
        return sum(self.inner(d, d, i, j) for d, i, j in self.distances(X))

    def inner_products(self, X: FloatArray) -> tuple[float, float]:
        """Return the sum of w d delta and the sum of w d^2."""
        with_delta, with_itself = 0.0, 0.0
        for d, i, j in self.distances(X):
            with_delta += self.inner(d, self.D[i:j, i:], i, j)
            with_itself += self.inner(d, d, i, j)
        return with_delta, with_itself

    def losses(self, X: FloatArray, fitted: FittedDisparities) -> FloatArray:
        """Return the raw stress of the pairs of each point."""
        total = np.zeros(len(X))
        for d, i, j in self.distances(X):
            d -= fitted.block(self.D, i, j)
            losses = self.multiply_by_weights(np.square(d, out=d), i, j)
            total[i:j] += losses.sum(axis=1)
            total[j:] += losses[:, j - i :].sum(axis=0)
        return total

    def dissimilarity_range(self) -> tuple[float, float]:
        """Return the smallest and the largest dissimilarity of positive weight."""
        n, low, high = len(self.D), np.inf, 0.0
        for i, j in self.blocks():
            observed = self.multiply_by_weights(np.ones((j - i, n - i)), i, j) > 0
            np.fill_diagonal(observed, False)
            low = self.D[i:j, i:].min(initial=low, where=observed)
            high = self.D[i:j, i:].max(initial=high, where=observed)
        return float(low), float(high)

    def condensed_weights(self) -> FloatArray | None:
        """Return the weights of the pairs i < j in the order of `scipy.spatial.distance.pdist`."""
        if self.weight_block is None:
            return None
        return squareform(self.weight_block(0, len(self.D)), checks=False)


@dataclass(frozen=True, eq=False)
class FittedDisparities:
    """Target values, with a fixed norm, for the distances d of a configuration.

    They are the projection of the distances if the configuration is multiplied by ``scale``. Then
    the sum of w d^2 is ``ratio`` times that of w disparity^2. ``block(D, i, j)`` returns the
    disparities of ``D[i:j, i:]``, with 0 on the diagonal, and ``predict(new, D)`` those of new
    dissimilarities; there, D is NaN where it is missing.
    """

    scale: float
    ratio: float
    block: Callable[[FloatArray, int, int], FloatArray]
    predict: Callable[[FloatArray, FloatArray], FloatArray]


class Disparities(Protocol):
    """The dissimilarities themselves, or a family of transformations of them."""

    def fit(self, X: FloatArray, data: WeightedDissimilarities) -> FittedDisparities:
        """Return the disparities fitted to the distances of X."""


class State(NamedTuple):
    """A configuration, its raw stress and the gradient of the raw stress."""

    points: FloatArray
    loss: float
    gradient: FloatArray


class StressFunction:
    """The raw stress as a function of the configuration, with disparities fitted to each.

    As in Chapter 9, L is the Laplacian of the weights w and L(Y) that of w disparity / d.
    """

    def __init__(self, data: WeightedDissimilarities, disparities: Disparities) -> None:
        self.data, self.disparities = data, disparities

    def evaluate(self, X: FloatArray) -> State:
        """Fit the disparities to X; return the scaled points Y, the stress and its gradient.

        The gradient is 4 (L - L(Y)) Y, four times the Laplacian of M = w (1 - disparity / d)
        applied to Y. Without weights, M = disparity / d suffices, because L Y = n Y.
        """
        fitted = self.disparities.fit(X, self.data)
        Y: FloatArray = (X - X.mean(axis=0)) * fitted.scale
        if self.data.weight_block is None:
            product = _laplacian_product(self._sum_ratios(Y, fitted), Y)
            # The sum of d^2 is 2 tr Y'LY with L Y = n Y, that of disparity d is 2 tr Y'L(Y)Y.
            total = self.data.squared_norm
            loss = total + 2 * len(Y) * float(np.vdot(Y, Y)) - 4 * float(np.vdot(Y, product))
            if not loss > _MIN_RELATIVE_LOSS * total:  # cancellation would lose digits
                loss = float(self.data.losses(Y, fitted).sum())
            return State(Y, loss, 4 * (len(Y) * Y - fitted.ratio * product))
        product, loss = self._sum_blocks(Y, fitted)
        return State(Y, loss, 4 * _laplacian_product(product, Y))

    def guttman_step(self, gradient: FloatArray) -> FloatArray:
        """Return -1/4 L^+ gradient, the step to the minimum of the majorising function.

        From Y, with the gradient 4 (L - L(Y)) Y, it leads to the Guttman transform L^+ L(Y) Y.
        """
        if self._cholesky_factor is None:
            return -gradient / (4 * len(gradient))
        step = cho_solve((self._cholesky_factor, True), gradient, check_finite=False)
        step -= step.mean(axis=0)
        return -step / 4

    @cached_property
    def _cholesky_factor(self) -> FloatArray | None:
        """Return the Cholesky factor of L + c 11', or None if all weights are 1."""
        if self.data.weight_block is None:
            return None
        n = len(self.data.D)
        L = np.zeros((n, n))
        for i, j in self.data.blocks():
            L[i:j, i:] = self.data.weight_block(i, j)
            L[j:, i:j] = L[i:j, j:].T
        np.fill_diagonal(L, 0.0)
        degrees = L.sum(axis=1)
        np.subtract(degrees.mean() / n, L, out=L)
        L[np.diag_indices(n)] += degrees
        return _cholesky(L)

    def _sum_ratios(self, Y: FloatArray, fitted: FittedDisparities) -> FloatArray:
        """Return M [Y, 1], where M = disparity / d."""
        extended = np.column_stack([Y, np.ones(len(Y))])
        total, buffer = np.zeros_like(extended), np.empty(_BLOCK_ROWS * len(Y))
        with np.errstate(divide="ignore", invalid="ignore"):
            for i, j in self.data.blocks():
                d = buffer[: (j - i) * (len(Y) - i)].reshape(j - i, len(Y) - i)
                cdist(Y[i:j], Y[i:], out=d)
                np.divide(fitted.block(self.data.D, i, j), d, out=d)
                _add_product(d, extended, i, j, total)
        return total

    def _sum_blocks(self, Y: FloatArray, fitted: FittedDisparities) -> tuple[FloatArray, float]:
        """Return M [Y, 1], where M = w (1 - ratio disparity / d), and the raw stress."""
        extended = np.column_stack([Y, np.ones(len(Y))])
        total, loss = np.zeros_like(extended), 0.0
        buffers = np.empty((2, _BLOCK_ROWS * len(Y)))
        with np.errstate(divide="ignore", invalid="ignore"):
            for i, j in self.data.blocks():
                shape = (j - i, len(Y) - i)
                d, error = (part[: math.prod(shape)].reshape(shape) for part in buffers)
                cdist(Y[i:j], Y[i:], out=d)
                target = fitted.block(self.data.D, i, j)
                np.subtract(d, target, out=error)
                loss += self.data.inner(error, error, i, j)
                if fitted.ratio != 1:
                    error -= (fitted.ratio - 1) * target
                M = self.data.multiply_by_weights(np.divide(error, d, out=error), i, j)
                _add_product(M, extended, i, j, total)
        return total, loss


def _laplacian_product(product: FloatArray, Y: FloatArray) -> FloatArray:
    """Return the product of the Laplacian of M and Y, from M [Y, 1]."""
    return np.asarray(Y * product[:, -1:] - product[:, :-1])


def _add_product(M: FloatArray, extended: FloatArray, i: int, j: int, total: FloatArray) -> None:
    """Add to `total` the product of a block of M, and of its transpose, with `extended`, [Y, 1].

    M is symmetric. Its entries for two points that coincide are not finite, and count as 0.
    """
    np.fill_diagonal(M, 0.0)
    product = M @ extended[i:]
    if not np.isfinite(product).all():
        M[~np.isfinite(M)] = 0.0
        product = M @ extended[i:]
    total[i:j] += product
    total[j:] += M[:, j - i :].T @ extended[i:j]


def _cholesky(L: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor, which overwrites L; raise if it is inaccurate."""
    with suppress(np.linalg.LinAlgError):
        factor = cholesky(L.T, lower=True, overwrite_a=True, check_finite=False)
        pivots = np.diagonal(factor) ** 2
        if pivots.min() > _MIN_RELATIVE_PIVOT * pivots.max():
            return factor
    raise ValueError(
        "The weights range too widely: compared with the largest, the weights that connect some "
        "objects to the rest are lost in rounding. Narrow their range. If they are the "
        "reciprocals of Sammon's stress, keep one of each set of nearly equal objects, or use "
        "smacof."
    )
