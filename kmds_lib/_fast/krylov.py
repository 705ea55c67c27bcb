"""A Krylov method for the leading eigenpairs of a symmetric matrix that is known by its products.

`KrylovSearch.leading` makes these steps:

1. `_start` draws a random direction, which is orthogonal to the eigenvectors found so far.
2. `_grow` adds vectors to the Krylov space, one at a time, and computes the Ritz values.
3. `_find` repeats step 2 until the residuals of k pairs are small, and fails at the step limit. If
   the basis is full, `_restart` reduces it to its best vectors.
4. A Krylov space contains only one copy of a repeated eigenvalue. Therefore `_find_missing`
   repeats steps 1 and 2 for one more pair at a time, until no copy seems to be missing.

MAINTAINING.md says why no function of SciPy or scikit-learn is used instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import linalg
from scipy.linalg.blas import dgemv, dnrm2, dsymv

from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray

Product = Callable[[FloatArray], FloatArray]

REMAINING_PAIRS_DIVISOR = 40
"""The search stops if more than n / 40 pairs remain after n / 4 steps, and LAPACK is called."""

STEP_LIMIT_DIVISOR = 2
"""The search stops after n / 2 steps, which cost about as much as LAPACK."""

BUFFER = 20
"""The basis has at most 2 k + 20 vectors. A restart removes k / 2 + 10 of them, and after as many
steps the Ritz values are computed. In a second search, where k = 1, these are 11 steps, because a
copy is not visible earlier."""

PAIR_TOL = 2e-11
"""Residual at which a pair has converged, relative to its own eigenvalue: new objects are placed
with eigenvectors divided by the roots of their eigenvalues, so that small ones need more digits.
If `beta` is smaller, the space is closed, and not extended: the matrix maps it into itself."""

SECOND_SEARCH_TOL = 0.005
"""The second search ends if its largest Ritz value is below the k-th largest eigenvalue found, and
has a residual of at most this fraction of the Ritz value, and of five times the gap between the
two. A copy is still missed if the random start is almost orthogonal to it. `test_eigen` has
matrices on which ten times the tolerance, or ten times the factor five, misses a copy."""

DIRECTION_ROUNDING = EPS
"""Length, relative to the scale, below which a new direction or a residual is a rounding error."""


class RawEigenpairs(NamedTuple):
    """Eigenpairs as a solver returns them: see `Eigenpairs`, which has fixed signs."""

    values: FloatArray
    vectors: FloatArray
    residual: float
    scale: float


def symmetric_product(A: FloatArray) -> Product:
    """Return the function v -> A v, which reads one triangle of A."""
    stored = A if A.flags.f_contiguous else np.ascontiguousarray(A).T
    return lambda v: dsymv(1.0, stored, v)


def centred_product(A: FloatArray) -> Product:
    """Return the function v -> H A H v, which centres the vectors instead of the matrix."""
    multiply = symmetric_product(A)

    def apply(v: FloatArray) -> FloatArray:
        z = multiply(v - v.mean())
        z -= z.mean()
        return z

    return apply


def residual_denominator(largest: float, scale: float) -> float:
    """Return the leading eigenvalue, but at least 1e-5 of the scale."""
    return max(float(largest), 1e-5 * scale)


class KrylovSearch:
    """A Krylov space and the eigenpairs that have been found with it.

    Attributes
    ----------
    apply : callable
        Returns the product of the matrix with a vector.
    n : int
        Order of the matrix.
    found_values : ndarray
        Eigenvalues found so far, at first those of the known `null_vectors`, which are 0.
    W : ndarray of shape (n, len(found_values) + limit)
        Orthonormal columns: the eigenvectors found, then the m vectors of the basis.
    m : int
        Number of vectors in the basis, at most ``limit``.
    T : ndarray of shape (limit, limit)
        The projected matrix, in this basis.
    next : ndarray of shape (n,)
        The next direction, a unit vector.
    beta : float
        Its length before the normalisation: the coupling between the basis and its complement.
    ritz_values, ritz_coordinates : ndarray of shapes (m,) and (m, m)
        Eigenvalues of T, in ascending order, and its eigenvectors, in columns.
    scale : float
        Largest absolute Ritz value or length of a column of T so far.
    steps : int
        Number of products with the matrix so far.
    residual : float
        Largest residual of a pair found so far.
    """

    def __init__(self, apply: Product, null_vectors: FloatArray) -> None:
        self.apply = apply
        self.n: int = null_vectors.shape[0]
        self.rng = np.random.default_rng(0)
        self.found_values, self.W = np.zeros(null_vectors.shape[1]), null_vectors
        self.scale, self.steps, self.residual = 0.0, 0, 0.0
        # An empty basis
        self.m, self.beta, self.next = 0, 0.0, np.empty(0)
        self.T = np.empty((0, 0))
        self.ritz_values, self.ritz_coordinates = np.empty(0), np.empty((0, 0))

    @property
    def found_vectors(self) -> FloatArray:
        """Return the eigenvectors found, in columns."""
        return self.W[:, : len(self.found_values)]

    @property
    def basis(self) -> FloatArray:
        """Return the orthonormal basis of the space, orthogonal to the eigenvectors found."""
        return self.W[:, len(self.found_values) : len(self.found_values) + self.m]

    def leading(self, k: int) -> RawEigenpairs | None:
        """Return the k leading pairs, or None if the step limit is reached."""
        if not (self._find(k) and self._find_missing(k)):
            return None
        order = np.argsort(-self.found_values, kind="stable")[:k]
        values = self.found_values[order]
        residual = max(self.residual / (residual_denominator(values[0], self.scale) or 1.0), EPS)
        return RawEigenpairs(values, self.found_vectors[:, order], residual, self.scale)

    def _find(self, count: int) -> bool:
        """Find `count` leading pairs; return False if this takes too many steps."""
        for values, errors in self._leading_ritz_pairs(count):
            left = self._store_converged(values, errors)
            if not left:
                return True
            if self.steps > self.n / 4 and left > self.n / REMAINING_PAIRS_DIVISOR:
                break
        return False

    def _find_missing(self, k: int) -> bool:
        """Find pairs until no eigenvalue larger than the k-th largest found seems to be missing.

        Return False if this takes too many steps.
        """
        for _ in range(k + 1):
            smallest = float(np.sort(self.found_values)[-k])
            for values, errors in self._leading_ritz_pairs(1, smallest):
                if self._none_missing(values[0], errors[0], smallest):
                    return True
                if not self._store_converged(values, errors):
                    break
            else:
                break
        return False

    def _leading_ritz_pairs(
        self, count: int, size: float | None = None
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield `count` leading Ritz values and their residuals while a new space grows."""
        self._start(2 * count + BUFFER)
        leading = slice(None, -count - 1, -1)
        while self.steps <= self.n // STEP_LIMIT_DIVISOR:
            if self.m == len(self.T):
                self._restart(count)
            self._grow(min((count + BUFFER + 1) // 2, len(self.T) - self.m), size)
            if self.m >= count:
                errors = self.beta * np.abs(self.ritz_coordinates[-1, leading])
                yield self.ritz_values[leading], errors

    def _store_converged(self, values: FloatArray, errors: FloatArray) -> int:
        """Store leading Ritz pairs as found if all have converged; return how many have not."""
        tolerance = DIRECTION_ROUNDING * self._residual_denominator(values[0])
        left = int(np.count_nonzero(errors > np.maximum(PAIR_TOL * np.abs(values), tolerance)))
        if not left:
            vectors = self.basis @ self.ritz_coordinates[:, : -len(values) - 1 : -1]
            self.W = np.column_stack([self.found_vectors, vectors])
            self.found_values = np.concatenate([self.found_values, values])
            self.residual = max(self.residual, float(errors.max()))
        return left

    def _start(self, limit: int) -> None:
        """Empty the basis and draw a random first direction."""
        limit = min(limit, self.n - len(self.found_values))
        vectors, self.m, self.beta = self.found_vectors, 0, 0.0
        self.W = np.empty((self.n, vectors.shape[1] + limit), order="F")
        self.W[:, : vectors.shape[1]] = vectors
        self.T = np.zeros((limit, limit))
        self.next = self._random_direction()

    def _random_direction(self) -> FloatArray:
        """Return a random unit vector orthogonal to the basis and to the eigenvectors found."""
        q = self._orthogonal(self._orthogonal(self.rng.standard_normal(self.n)))
        return q / float(dnrm2(q))

    def _orthogonal(self, q: FloatArray) -> FloatArray:
        """Return q minus its projections onto the eigenvectors found and onto the basis."""
        W = self.W[:, : len(self.found_values) + self.m]
        return q - W @ (W.T @ q)

    def _grow(self, count: int, size: float | None) -> None:
        """Add `count` directions, or fewer if the space is closed.

        It is closed if `beta` is at most `PAIR_TOL` times `size` or, without it, the scale.
        """
        n_found, before = len(self.found_values), self.beta if self.m else np.inf
        for _ in range(count):
            self.W[:, n_found + self.m] = self.next
            self.m += 1
            W = self.W[:, : n_found + self.m]
            z = self.apply(self.next)
            part = W.T @ z
            column = part[n_found:]
            self.T[: self.m, self.m - 1] = self.T[self.m - 1, : self.m] = column
            z = dgemv(-1.0, W, part, 1.0, z)
            z = dgemv(-1.0, W, W.T @ z, 1.0, z)
            self.scale = max(self.scale, float(dnrm2(column)))
            self._set_next(z, self.scale)
            self.steps += 1
            if self.beta <= PAIR_TOL * (self.scale if size is None else size) < before:
                break
            before = self.beta
        self.ritz_values, self.ritz_coordinates = linalg.eigh(
            self.T[: self.m, : self.m], check_finite=False
        )
        extremes = np.abs(self.ritz_values[[0, -1]])
        self.scale = max(self.scale, float(extremes.max()))

    def _set_next(self, z: FloatArray, size: float) -> None:
        """Set the next direction to that of z, or to a random one if z is a rounding error."""
        self.beta = float(dnrm2(z))
        if self.beta > DIRECTION_ROUNDING**0.5 * size:
            self.next = z / self.beta
            return
        if self.beta > DIRECTION_ROUNDING * size:
            again = self._orthogonal(z / self.beta)
            if (length := float(dnrm2(again))) > 0.5:
                self.next = again / length
                return
        self.beta = 0.0
        if self.m < self.n - len(self.found_values):
            self.next = self._random_direction()

    def _residual_denominator(self, value: float) -> float:
        return residual_denominator(max([value, *self.found_values]), self.scale)

    def _none_missing(self, value: float, error: float, smallest: float) -> bool:
        """Return True if no eigenvalue larger than the smallest wanted one seems to be missing."""
        if error <= PAIR_TOL * self._residual_denominator(value):
            return bool(value <= smallest + PAIR_TOL * self._residual_denominator(value))
        return bool(error <= SECOND_SEARCH_TOL * min(abs(value), 5 * (smallest - value)))

    def _restart(self, count: int) -> None:
        """Reduce the basis to the `count` leading Ritz vectors and half of the others."""
        kept = count + (self.m - count) // 2
        self.basis[:, :kept] = self.basis @ self.ritz_coordinates[:, -kept:]
        self.T[:] = 0.0
        self.T[np.arange(kept), np.arange(kept)] = self.ritz_values[-kept:]
        self.m = kept
