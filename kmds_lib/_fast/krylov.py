"""A Krylov space for the leading eigenpairs of a symmetric matrix known by its products.

The space grows one vector at a time and is restarted from its best part, so that it stays small.
Such a space sees one copy of a repeated eigenvalue. Where the sum of squares of all eigenvalues
is known, what the space leaves of it bounds each eigenvalue that is left, and on a spectrum that
falls no copy fits in. Elsewhere comes a second look: a space orthogonal to what was found, from a
start of its own, either meets a copy that was missed, which is then added, or shows that none is
left.

The constants were chosen on points with 10 and with 300 variables and on random tables, n from
300 to 4000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import linalg
from scipy.linalg.blas import dgemv, dnrm2, dsymv

from kmds_lib._checks import EPS, FloatArray

Product = Callable[[FloatArray], FloatArray]
SumOfSquares = Callable[[], tuple[float, float]]
"""Gives the sum of squares of the eigenvalues that are searched, and what may be its rounding."""

LATE_PART = 40
"""It gives up where after n / 4 steps more than n / 40 pairs are left. At k = n / 20 a flat
spectrum has fewer left, from n = 500 on; on noise there are more, and LAPACK is faster."""

PATIENCE = 2
"""It gives up after n / 2 steps, which cost about as much as LAPACK needs from there on."""

SPARE = 20
"""A basis has room for 2 k + 20 directions: with 30 or 40 a flat spectrum takes as many steps,
each of which costs more; with 10 noise takes up to 15 % more. Its Ritz values are looked at each
time that k / 2 + 10 are new, as many as a restart makes room for: a look costs as much as three
steps at n = 500, and for k = 100 at n = 2000 looks at every eighth step took a fifth of the time.
The second look at the spectrum takes no fewer, unless its space is closed: after two steps 42 of
2530 repeated eigenvalues went unseen."""

TARGET = 2e-11
"""Residual at which a pair is done, relative to its own eigenvalue, down to rounding: new objects
are placed by vectors divided by the root of theirs. A spectrum that falls by nine powers of ten
over seven pairs costs 24 steps instead of 16. A space whose next direction is coupled less than
this is closed: what it has not met has no part in its start, which was drawn at random."""

SURE = 0.005
"""Residual of the second look, relative to its Ritz value and to five times its distance from the
smallest pair found, from which on that distance is believed. A start almost orthogonal to a copy
settles below it: at 0.05, with looks at every eighth step, a copy was missed in 7 of 7000
matrices, here in none of them."""

ROOM = 1e-6
"""Part by which the bound of what is left must stay below the smallest eigenvalue found."""

ROUNDING = EPS
"""Length, relative to the scale, below which a new direction or a residual is rounding noise. With
1e-13 the last pairs came out up to a hundred times less exact than LAPACK's."""


class LeadingPairs(NamedTuple):
    """Eigenvalues in descending order, eigenvectors in columns, residual and scale."""

    values: FloatArray
    vectors: FloatArray
    residual: float
    scale: float


def symmetric_product(A: FloatArray) -> Product:
    """Return v -> A v, reading one triangle of A."""
    stored = A if A.flags.f_contiguous else np.ascontiguousarray(A).T
    return lambda v: dsymv(1.0, stored, v)


def centred_product(A: FloatArray) -> Product:
    """Return v -> H A H v, centring the vectors and not the matrix."""
    multiply = symmetric_product(A)

    def apply(v: FloatArray) -> FloatArray:
        z = multiply(v - v.mean())
        z -= z.mean()
        return z

    return apply


def sum_of_squares(A: FloatArray, known: FloatArray) -> tuple[float, float]:
    """Return the sum of squares of the eigenvalues of P A P, and a bound of its rounding.

    P is the projection that takes away the orthonormal columns of `known`.
    """
    across = np.column_stack([symmetric_product(A)(z) for z in known.T] or [known])
    whole = float(np.einsum("ij,ij->i", A, A).sum())
    part = 2 * float(np.square(across).sum()) - float(np.square(known.T @ across).sum())
    return whole - part, 16 * len(A) * EPS * whole


def krylov_eigenpairs(
    apply: Product, known: FloatArray, k: int, squares: SumOfSquares | None = None
) -> LeadingPairs | None:
    """Return the k leading eigenpairs of v -> M v, or None where patience ends before that.

    Orthonormal vectors of the eigenvalue 0 that are known beforehand come in columns of `known`.
    With `squares`, copies of repeated eigenvalues may be ruled out without a second look.
    """
    return _Search(apply, known).leading(k, squares)


def residual_unit(largest: float, scale: float) -> float:
    """Return what residuals are measured against: the leading eigenvalue, if that is not tiny."""
    return max(float(largest), 1e-5 * scale)


class _Search:
    """A Krylov space that grows, is restarted, and remembers what it has found.

    Vectors of the eigenvalue 0 that are known beforehand count as found.

    Attributes
    ----------
    found_values : ndarray
        Eigenvalues known so far.
    W : ndarray of shape (n, len(found_values) + limit)
        Orthonormal columns: the vectors found, then the m of the basis.
    T : ndarray of shape (limit, limit)
        The matrix in this basis.
    beta : float
        Length of the next direction: the coupling to what is not in the basis.
    scale : float
        Largest modulus of any Ritz value seen.
    """

    def __init__(self, apply: Product, known: FloatArray) -> None:
        self.apply = apply
        self.n: int = known.shape[0]
        self.rng = np.random.default_rng(0)
        self.found_values, self.W = np.zeros(known.shape[1]), known
        self.scale, self.steps = 0.0, 0

    @property
    def found(self) -> FloatArray:
        """Vectors of the eigenvalues found, in columns."""
        return self.W[:, : len(self.found_values)]

    @property
    def basis(self) -> FloatArray:
        """Orthonormal basis of the space, orthogonal to the vectors found."""
        return self.W[:, len(self.found_values) : len(self.found_values) + self.m]

    @property
    def room(self) -> int:
        """Dimension of the space that is left to search."""
        return self.n - len(self.found_values)

    def leading(self, k: int, squares: SumOfSquares | None) -> LeadingPairs | None:
        """Return the k leading pairs; None where patience ends before that."""
        residual = 0.0
        wanted, look = k, False
        for _ in range(k + 2):
            self._start(2 * wanted + SPARE)
            errors = self._converge(wanted, k if look else 0)
            if errors is None:
                return None
            if not len(errors):
                break
            residual = max(residual, float(errors.max()))
            if not look and squares is not None:
                least = (1 - ROOM) * self._least(k)
                if self._bound_of_the_rest(k, *squares()) < least:
                    break
            wanted, look = 1, True
        else:
            return None
        order = np.argsort(-self.found_values, kind="stable")[:k]
        values = self.found_values[order]
        residual = max(residual / (residual_unit(values[0], self.scale) or 1.0), EPS)
        return LeadingPairs(values, self.found[:, order], residual, self.scale)

    def _start(self, limit: int) -> None:
        """Empty the basis and draw a new first direction."""
        limit = min(limit, self.room)
        found, self.m, self.beta = self.found, 0, 0.0
        self.W = np.empty((self.n, found.shape[1] + limit), order="F")
        self.W[:, : found.shape[1]] = found
        self.T = np.zeros((limit, limit))
        self.next = self._fresh()

    def _fresh(self) -> FloatArray:
        """Return a random unit vector orthogonal to basis and found vectors."""
        q = self._orthogonal(self._orthogonal(self.rng.standard_normal(self.n)))
        return q / float(dnrm2(q))

    def _orthogonal(self, q: FloatArray) -> FloatArray:
        """Return q without its part in the vectors found and in the basis."""
        W = self.W[:, : len(self.found_values) + self.m]
        return q - W @ (W.T @ q)

    def grow(self, count: int, close: float) -> None:
        """Add directions until so many are new, or the coupling falls to `close`."""
        found, before = len(self.found_values), self.beta if self.m else np.inf
        for _ in range(count):
            self.W[:, found + self.m] = self.next
            self.m += 1
            W = self.W[:, : found + self.m]
            z = self.apply(self.next)
            part = W.T @ z
            column = part[found:]
            self.T[: self.m, self.m - 1] = self.T[self.m - 1, : self.m] = column
            z = dgemv(-1.0, W, part, 1.0, z)
            z = dgemv(-1.0, W, W.T @ z, 1.0, z)
            self._turn_to(z, max(self.scale, dnrm2(column)))
            self.steps += 1
            if self.beta <= close < before:
                break
            before = self.beta
        self.ritz_values, self.ritz_coordinates = linalg.eigh(
            self.T[: self.m, : self.m], check_finite=False
        )
        extremes = np.abs(self.ritz_values[[0, -1]])
        self.scale = max(self.scale, float(extremes.max()))

    def _turn_to(self, z: FloatArray, size: float) -> None:
        """Take the direction of z next, or a fresh one where z is rounding noise."""
        self.beta = float(dnrm2(z))
        if self.beta > ROUNDING**0.5 * size:
            self.next = z / self.beta
            return
        if self.beta > ROUNDING * size:
            again = self._orthogonal(z / self.beta)
            if (length := float(dnrm2(again))) > 0.5:
                self.next = again / length
                return
        self.beta = 0.0
        if self.m < self.room:
            self.next = self._fresh()

    def _converge(self, wanted: int, look_for: int) -> FloatArray | None:
        """Grow until the wanted leading pairs are exact, and add them to those found.

        With ``look_for = k``, stop with no pair as soon as none above the k-th found can be left.
        Return the residuals of the pairs, or None where patience ends.
        """
        while self.steps <= self.n // PATIENCE:
            count = min((wanted + SPARE + 1) // 2, len(self.T) - self.m)
            self.grow(count, TARGET * (self._least(look_for) if look_for else self.scale))
            if self.m < wanted:
                continue
            leading = slice(None, -wanted - 1, -1)
            values = self.ritz_values[leading]
            errors = self.beta * np.abs(self.ritz_coordinates[-1, leading])
            if look_for and self._nothing_left(values[0], errors[0], look_for):
                return np.empty(0)
            rounding = ROUNDING * self._largest(values[0])
            left = np.count_nonzero(errors > np.maximum(TARGET * np.abs(values), rounding))
            if not left:
                vectors = self.basis @ self.ritz_coordinates[:, leading]
                self.W = np.column_stack([self.found, vectors])
                self.found_values = np.concatenate([self.found_values, values])
                return errors
            if self.steps > self.n / 4 and left > self.n / LATE_PART:
                return None
            if self.m == len(self.T):
                self._restart(wanted)
        return None

    def _largest(self, value: float) -> float:
        return residual_unit(max([value, *self.found_values]), self.scale)

    def _least(self, k: int) -> float:
        return float(np.sort(self.found_values)[-k])

    def _nothing_left(self, value: float, error: float, k: int) -> bool:
        """Whether no eigenvalue above the k-th found is left, as far as this space can tell."""
        least = self._least(k)
        if error <= TARGET * self._largest(value):
            return bool(value <= least + TARGET * self._largest(value))
        return bool(error <= SURE * min(abs(value), 5 * (least - value)))

    def _bound_of_the_rest(self, k: int, squares: float, rounding: float) -> float:
        """Return a number that no eigenvalue but the k found exceeds, from the sum of squares.

        In an orthonormal basis that begins with the Ritz vectors the matrix is diagonal, but for
        their coupling to the next direction and a block R outside. No eigenvalue of R is larger
        than the root of what the rest leaves of the sum of squares, which takes the place of R.
        """
        taken = np.square(self.ritz_values).sum() + 2 * self.beta**2
        outside = max(0.0, squares - float(taken)) + rounding
        arrow = np.diag(np.append(self.ritz_values[:-k], outside**0.5))
        arrow[-1, :-1] = self.beta * self.ritz_coordinates[-1, :-k]
        return float(linalg.eigvalsh(arrow, check_finite=False)[-1])

    def _restart(self, wanted: int) -> None:
        """Keep the best part of the basis: the wanted pairs and half of the others."""
        kept = wanted + (self.m - wanted) // 2
        self.basis[:, :kept] = self.basis @ self.ritz_coordinates[:, -kept:]
        self.T[:] = 0.0
        self.T[np.arange(kept), np.arange(kept)] = self.ritz_values[-kept:]
        self.m = kept
