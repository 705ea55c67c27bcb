"""The one solver: leading eigenpairs of a symmetric matrix, or of the matrix centred.

Two routes. LAPACK decomposes small matrices and gives many pairs. For the rest a Krylov space
grows one vector at a time and is restarted from its best part, so that it stays small. Such a
space sees one copy of a repeated eigenvalue. So after it comes a second look: a space orthogonal
to what was found, from a start of its own, either meets a copy that was missed, which is then
added, or shows that none is left.

The constants were chosen on points with 10 and with 300 variables and on random tables, n from
300 to 4000, one BLAS thread; ``benchmarks/README.md`` has the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.linalg.blas import dgemv, dnrm2, dsymv

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_dissimilarities,
    as_gram,
    check_n_components,
    check_option,
)
from kmds_lib.linalg import canonical_signs

__all__ = [
    "Eigenpairs",
    "Form",
    "all_eigenvalues",
    "centre",
    "centred_product",
    "halved_squares",
    "leading_eigenpairs",
    "smallest_eigenvalue",
    "solve",
    "solve_operator",
]

Form = Literal["symmetric", "centered", "distances"]
Product = Callable[[FloatArray], FloatArray]

DENSE_UP_TO = 300
"""LAPACK takes 2 to 3 ms at n = 300, a Krylov space 2 to 5 ms on a flat spectrum."""

KRYLOV_PART = 16
"""The Krylov route takes k <= n / 16. On a flat spectrum of n = 2000 it needs 0.32 s for k = 100,
LAPACK 0.5 s; at n = 500 and 1000 the two meet between k = n / 16 and n / 10."""

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

SCALE_STEPS = 20
"""Powers that bring the estimate of the largest modulus to within a factor of two: they miss it
only from a start whose part along its eigenvector is below 2^-20."""

SURE = 0.005
"""Residual of the second look, relative to its Ritz value and to five times its distance from the
smallest pair found, from which on that distance is believed. A start almost orthogonal to a copy
settles below it: at 0.05, with looks at every eighth step, a copy was missed in 7 of 7000
matrices, here in none of them."""

ROUNDING = EPS
"""Length, relative to the scale, below which a new direction or a residual is rounding noise. With
1e-13 the last pairs came out up to a hundred times less exact than LAPACK's."""


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Leading eigenpairs of a symmetric matrix.

    Attributes
    ----------
    values : ndarray of shape (k,)
        The k algebraically largest eigenvalues, in descending order.
    vectors : ndarray of shape (n, k)
        Orthonormal eigenvectors in columns, with the signs of `canonical_signs`.
    residual : float
        Largest norm of M v - lambda v over the pairs, divided by the largest eigenvalue or, where
        that is more, by a hundred thousandth of `scale`. LAPACK's pairs are multiplied by M; a
        Krylov space knows the norm without that, but not the rounding of its products.
    solver : str
        ``"krylov"`` or ``"dense"``.
    scale : float
        Estimate, from below and within a factor of two, of the largest modulus of any
        eigenvalue: the yardstick for what is zero.
    """

    values: FloatArray
    vectors: FloatArray
    residual: float
    solver: str
    scale: float


def leading_eigenpairs(
    M: ArrayLike, n_components: int = 2, *, form: Form = "symmetric"
) -> Eigenpairs:
    """Return the algebraically largest eigenpairs; the one solver every method goes through.

    Parameters
    ----------
    M : array_like of shape (n, n)
        A symmetric matrix, or dissimilarities when ``form="distances"``.
    n_components : int
        How many pairs, from 1 to n.
    form : {"symmetric", "centered", "distances"}
        Whose eigenpairs: of M itself; of H M H (a kernel matrix, centred); or of
        -1/2 H M^(2) H (dissimilarities, squared and centred).

    Returns
    -------
    Eigenpairs
        Largest eigenvalues first, each pair with a residual of at most 1e-10 as `Eigenpairs`
        measures it, unless rounding alone is more: where the negative eigenvalues, or what
        centring takes away, are many times larger than the largest eigenvalue.

    Raises
    ------
    ValueError
        If `M` fails the checks of its form, `n_components` is out of range or `form` unknown.

    Notes
    -----
    Introduced in Chapter 4, Classical scaling. LAPACK where n is at most 300 or more than n / 16
    pairs are asked for. Elsewhere a Krylov space with full reorthogonalisation and thick
    restarts, with a second look for copies of repeated eigenvalues; LAPACK again where it does
    not converge. Same input, same output, same signs. Source: Wu & Simon (2000).

    Examples
    --------
    >>> pairs = leading_eigenpairs([[2.0, 1.0], [1.0, 2.0]], 1)
    >>> pairs.values.round(6), pairs.vectors.round(6).ravel()
    (array([3.]), array([0.707107, 0.707107]))
    """
    check_option(form, Form, "form")
    distances = form == "distances"
    A = halved_squares(as_dissimilarities(M, "M")) if distances else as_gram(M, "M")
    k = check_n_components(n_components, len(A))
    return solve(A, k, centred=form != "symmetric")


def halved_squares(D: FloatArray) -> FloatArray:
    """Return A = -1/2 D^(2), a new array: step 1 of classical scaling.

    Parameters
    ----------
    D : ndarray of shape (n, n)
        Checked dissimilarities.

    Returns
    -------
    ndarray of shape (n, n)

    Examples
    --------
    >>> halved_squares(np.array([[0.0, 2.0], [2.0, 0.0]]))
    array([[-0., -2.],
           [-2., -0.]])
    """
    A = np.square(D)
    A *= -0.5
    return A


def centre(A: FloatArray) -> FloatArray:
    """Return H A H, a new array: step 2 of classical scaling.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Checked symmetric matrix.

    Returns
    -------
    ndarray of shape (n, n)

    Examples
    --------
    >>> centre(np.array([[0.0, -2.0], [-2.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    B: FloatArray = A - A.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    return B


def solve(A: FloatArray, k: int, *, centred: bool) -> Eigenpairs:
    """Return the k leading eigenpairs of A, or of H A H, for checked input.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Finite and symmetric; its largest entry between 1e-150 and 1e150 in size, or 0.
    k : int
        How many pairs, from 1 to n.
    centred : bool
        Whether the matrix is H A H, which only the dense route forms.

    Returns
    -------
    Eigenpairs

    Examples
    --------
    >>> solve(np.diag([1.0, 3.0]), 1, centred=False).values
    array([3.])
    """
    pairs = None
    if len(A) > DENSE_UP_TO and k * KRYLOV_PART <= len(A):
        pairs = _search(A, centred).leading(k)
    return _dense(A, k, centred) if pairs is None else pairs


def all_eigenvalues(A: FloatArray, *, centred: bool) -> FloatArray:
    """Return every eigenvalue of A, or of H A H, in descending order.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Checked input.
    centred : bool
        As in `solve`.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> all_eigenvalues(np.diag([1.0, 3.0]), centred=False)
    array([3., 1.])
    """
    values = linalg.eigvalsh(centre(A) if centred else A, check_finite=False)
    return np.asarray(values[::-1], dtype=np.float64)


def smallest_eigenvalue(A: FloatArray, *, centred: bool) -> float:
    """Return the algebraically smallest eigenvalue of A, or of H A H, from the same solver.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Checked input.
    centred : bool
        As in `solve`.

    Returns
    -------
    float

    Examples
    --------
    >>> round(smallest_eigenvalue(np.array([[2.0, 1.0], [1.0, 2.0]]), centred=False), 6)
    1.0
    """
    return -float(solve(-A, 1, centred=centred).values[0])


def solve_operator(apply: Product, known: FloatArray, k: int) -> Eigenpairs | None:
    """Return the k leading eigenpairs of a symmetric matrix that is known by its products.

    Parameters
    ----------
    apply : callable
        v -> M v.
    known : ndarray of shape (n, m)
        Orthonormal eigenvectors for the eigenvalue 0 that are known beforehand.
    k : int
        How many pairs, from 1 to n.

    Returns
    -------
    Eigenpairs or None
        None where the Krylov space does not converge in time.

    Examples
    --------
    >>> values = 0.5 ** np.arange(200)
    >>> pairs = solve_operator(lambda v: values * v, np.empty((200, 0)), 2)
    >>> pairs.values.round(6)
    array([1. , 0.5])
    """
    return _Search(apply, known).leading(k)


def _search(A: FloatArray, centred: bool) -> _Search:
    """Search A, or H A H, of which the eigenvalue 0 and the vector of ones are known."""
    known = np.full((len(A), int(centred)), len(A) ** -0.5)
    return _Search(product(A), known)


def _dense(A: FloatArray, k: int, centred: bool) -> Eigenpairs:
    """LAPACK for the k leading pairs, or for all where its choice of a few fails.

    The driver for a few pairs ends in an error, or loses vectors without one, on some matrices
    with a highly repeated eigenvalue, such as that of the regular simplex.
    """
    A = centre(A) if centred else A
    n = len(A)
    try:
        values, V = linalg.eigh(A, subset_by_index=[n - k, n - 1], check_finite=False)
        sound = V.shape[1] == k and np.abs(V.T @ V - np.eye(k)).max() <= n * EPS**0.75
    except linalg.LinAlgError:
        sound = False
    if not sound:
        values, V = linalg.eigh(A, driver="evd", check_finite=False)
    values, V = values[: -k - 1 : -1], V[:, : -k - 1 : -1]
    scale = max(_largest_modulus(A), float(np.abs(values).max()))
    errors = linalg.norm(A @ V - V * values, axis=0)
    residual = float(errors.max()) / (_yardstick(values[0], scale) or 1.0)
    return Eigenpairs(values, canonical_signs(V), residual, "dense", scale)


def _largest_modulus(A: FloatArray) -> float:
    """Estimate, from below, the largest modulus of an eigenvalue by powers of A."""
    v, size = np.random.default_rng(0).standard_normal(len(A)), 1.0
    for _ in range(SCALE_STEPS):
        v = A @ (v / size)
        size = dnrm2(v)
        if size == 0:
            break
    return float(size)


def _yardstick(largest: float, scale: float) -> float:
    """Return what residuals are measured against: the leading eigenvalue, if that is not tiny."""
    return max(float(largest), 1e-5 * scale)


def product(A: FloatArray) -> Product:
    """Return v -> A v, reading one triangle of A.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Symmetric matrix.

    Returns
    -------
    callable

    Examples
    --------
    >>> product(np.array([[0.0, 2.0], [2.0, 0.0]]))(np.array([1.0, 0.0]))
    array([0., 2.])
    """
    stored = A if A.flags.f_contiguous else np.ascontiguousarray(A).T
    return lambda v: dsymv(1.0, stored, v)


def centred_product(A: FloatArray) -> Product:
    """Return v -> HAH v, centring the vectors and not the matrix.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Symmetric matrix.

    Returns
    -------
    callable

    Examples
    --------
    >>> centred_product(np.array([[0.0, -2.0], [-2.0, 0.0]]))(np.array([1.0, 0.0]))
    array([ 1., -1.])
    """
    multiply = product(A)

    def apply(v: FloatArray) -> FloatArray:
        z = multiply(v - v.mean())
        z -= z.mean()
        return z

    return apply


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

    def leading(self, k: int) -> Eigenpairs | None:
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
            wanted, look = 1, True
        else:
            return None
        order = np.argsort(-self.found_values, kind="stable")[:k]
        values = self.found_values[order]
        residual = max(residual / (_yardstick(values[0], self.scale) or 1.0), EPS)
        vectors = canonical_signs(self.found[:, order])
        return Eigenpairs(values, vectors, residual, "krylov", self.scale)

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
                self._keep(values, self.basis @ self.ritz_coordinates[:, leading])
                return errors
            if self.steps > self.n / 4 and left > self.n / LATE_PART:
                return None
            if self.m == len(self.T):
                self._restart(wanted)
        return None

    def _largest(self, value: float) -> float:
        return _yardstick(max([value, *self.found_values]), self.scale)

    def _least(self, k: int) -> float:
        return float(np.sort(self.found_values)[-k])

    def _nothing_left(self, value: float, error: float, k: int) -> bool:
        """Whether no eigenvalue above the k-th found is left, as far as this space can tell."""
        least = self._least(k)
        if error <= TARGET * self._largest(value):
            return bool(value <= least + TARGET * self._largest(value))
        return bool(error <= SURE * min(abs(value), 5 * (least - value)))

    def _keep(self, values: FloatArray, vectors: FloatArray) -> None:
        self.W = np.column_stack([self.found, vectors])
        self.found_values = np.concatenate([self.found_values, values])

    def _restart(self, wanted: int) -> None:
        """Keep the best part of the basis: the wanted pairs and half of the others."""
        kept = wanted + (self.m - wanted) // 2
        self.basis[:, :kept] = self.basis @ self.ritz_coordinates[:, -kept:]
        self.T[:] = 0.0
        self.T[np.arange(kept), np.arange(kept)] = self.ritz_values[-kept:]
        self.m = kept
