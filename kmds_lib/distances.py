"""Distances and Gram matrices: two forms of the same information."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_cross,
    as_dissimilarities,
    as_gram,
    as_points,
    check_number,
    scale_exponent,
)
from kmds_lib.linalg import formed, leading_eigenpairs, smallest_eigenvalue, squared_product

Method = Literal["cailliez", "lingoes"]

_PANEL_ROWS = 128
_NEAR = 1e-3
_CHUNK = 2**16
_DENSE_BELOW = 100


def squared_distances(X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
    """Return the squared Euclidean distances between rows.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    Y : array_like of shape (m, p), optional
        Other points. Without it, distances run between the rows of `X`.

    Returns
    -------
    ndarray of shape (n, m) or (n, n)
        Squared distances, never negative. For one set of points the matrix is exactly symmetric
        with a zero diagonal.

    Raises
    ------
    ValueError
        If the input is not a finite real matrix, the column counts differ, or the squares leave
        the range of float64.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. The expansion
    ``|x|^2 + |y|^2 - 2 x'y`` loses digits where points are close together and far from the
    origin: the mean is subtracted first, and close pairs are computed again from their
    difference.

    Examples
    --------
    >>> squared_distances([[0.0, 0.0], [3.0, 4.0]])
    array([[ 0., 25.],
           [25.,  0.]])
    """

    def finish(squares: FloatArray, exponent: int) -> FloatArray:
        return _in_range(squares, 2 * exponent, "Squared distances")

    return map_squared_distances(X, Y, finish)


def distances(X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
    """Return the Euclidean distances between rows.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    Y : array_like of shape (m, p), optional
        Other points. Without it, distances run between the rows of `X`.

    Returns
    -------
    ndarray of shape (n, m) or (n, n)
        Distances in the units of the input.

    Raises
    ------
    ValueError
        If the input is not a finite real matrix, or the column counts differ.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. See `squared_distances`.

    Examples
    --------
    >>> distances([[0.0, 0.0], [3.0, 4.0]])
    array([[0., 5.],
           [5., 0.]])
    """
    return map_squared_distances(
        X, Y, lambda squares, exponent: _rescaled(np.sqrt(squares, out=squares), exponent)
    )


def map_squared_distances(
    X: ArrayLike, Y: ArrayLike | None, finish: Callable[[FloatArray, int], FloatArray]
) -> FloatArray:
    """Apply a function to every squared distance, panel by panel, each while it is in cache.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    Y : array_like of shape (m, p) or None
        Other points. With None, pairs run between the rows of `X`.
    finish : callable
        Called as ``finish(squares, exponent)`` on a panel that it may overwrite. The squared
        distances are ``squares * 2**(2 * exponent)``; the exponent is 0 for data of ordinary
        size.

    Returns
    -------
    ndarray of shape (n, m) or (n, n)
        The values of `finish`, the only array of this size that is made. Exactly symmetric
        for one set of points, where the squared distances on the diagonal are exactly zero.

    Raises
    ------
    ValueError
        If the input is not a finite real matrix, or the column counts differ.

    Examples
    --------
    >>> map_squared_distances([[0.0], [2.0]], None, lambda squares, exponent: -squares)
    array([[-0., -4.],
           [-4., -0.]])
    """
    X = as_points(X, min_columns=0)
    other = X if Y is None else as_points(Y, "Y", min_columns=0)
    if X.shape[1] != other.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} columns but Y has {other.shape[1]}; both need the same variables."
        )
    exponent = scale_exponent(max(np.abs(X).max(initial=0.0), np.abs(other).max(initial=0.0)))
    if exponent:
        X = np.ldexp(X, -exponent)
        other = X if Y is None else np.ldexp(other, -exponent)
    out = np.empty((len(X), len(other)))
    _fill(out, X, other, lambda squares: finish(squares, exponent), symmetric=Y is None)
    return out


def gram_from_distances(D: ArrayLike) -> FloatArray:
    """Return B = -1/2 H D^(2) H, the centred Gram matrix that belongs to distances.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Distances or dissimilarities, not squared.

    Returns
    -------
    ndarray of shape (n, n)
        Symmetric, rows and columns sum to zero. Positive semidefinite exactly when `D` is
        Euclidean.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix with a zero diagonal, or
        its squares leave the range of float64.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. Source: Torgerson (1952); Gower (1966).

    Examples
    --------
    >>> gram_from_distances([[0.0, 2.0], [2.0, 0.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    D, exponent = _scaled(as_dissimilarities(D))
    B = formed(D, "distances")
    return _in_range(B, 2 * exponent, "Squared dissimilarities")


def distances_from_gram(G: ArrayLike) -> FloatArray:
    """Return distances from inner products: d_ij^2 = g_ii + g_jj - 2 g_ij.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Gram matrix, from any origin; a matrix of similarities.

    Returns
    -------
    ndarray of shape (n, n)

    Raises
    ------
    ValueError
        If `G` is not a real, finite, symmetric matrix, or a squared distance is negative by
        more than rounding.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. Source: Gower (1966).

    Examples
    --------
    >>> distances_from_gram([[1.0, -1.0], [-1.0, 1.0]])
    array([[0., 2.],
           [2., 0.]])
    """
    G = as_gram(G, "G")
    diagonal = np.diagonal(G)
    squares = diagonal[:, None] + diagonal - (G + G.T)
    lowest = squares.min()
    if lowest < -1e-8 * np.abs(G).max():
        i, j = np.unravel_index(np.argmin(squares), squares.shape)
        raise ValueError(
            f"G[{i}, {i}] + G[{j}, {j}] - 2 G[{i}, {j}] = {lowest:.6g} is negative, so G is not "
            "a Gram matrix. Project it with nearest_psd(G), or check the similarities."
        )
    np.fill_diagonal(squares, 0.0)
    return np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)


def center_gram(K: ArrayLike) -> FloatArray:
    """Return H K H: the Gram matrix with the origin moved to the mean of the points.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Gram or kernel matrix.

    Returns
    -------
    ndarray of shape (n, n)

    Raises
    ------
    ValueError
        If `K` is not a real, finite, symmetric matrix.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices; for kernels in Chapter 7, Kernel PCA.
    Source: Schölkopf, Smola & Müller (1998).

    Examples
    --------
    >>> center_gram([[4.0, 2.0], [2.0, 4.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return formed(as_gram(K), "centered")


def center_cross_gram(K_new: ArrayLike, K: ArrayLike) -> FloatArray:
    """Centre inner products of new points with training points, at the training mean.

    Parameters
    ----------
    K_new : array_like of shape (m, n)
        Inner products of each new point with the n training points.
    K : array_like of shape (n, n)
        Inner products of the training points, not centred.

    Returns
    -------
    ndarray of shape (m, n)
        ``center_cross_gram(K, K)`` equals ``center_gram(K)``.

    Raises
    ------
    ValueError
        If `K` is not a real, finite, symmetric matrix, or `K_new` does not have n columns.

    Notes
    -----
    Derived in Chapter 7, Kernel PCA. Source: Schölkopf, Smola & Müller (1998).

    Examples
    --------
    >>> center_cross_gram([[3.0, 1.0]], [[4.0, 2.0], [2.0, 4.0]])
    array([[ 1., -1.]])
    """
    K = as_gram(K)
    K_new = as_cross(K_new, len(K), "K_new")
    means = K.mean(axis=0)
    return (K_new - K_new.mean(axis=1, keepdims=True)) - (means - means.mean())


def is_euclidean(D: ArrayLike, *, tol: float = 1e-10) -> bool:
    """Tell whether points exist in some Euclidean space with exactly these distances.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities.
    tol : float
        Negative eigenvalues of B smaller than `tol` times the largest count as rounding. For
        data recorded to few digits, give a larger value.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix with a zero diagonal, or
        `tol` is negative.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices: B must be positive semidefinite. Tested
    by a Cholesky factorisation of B shifted by the tolerance. Source: Schoenberg (1935);
    Young & Householder (1938).

    Examples
    --------
    >>> is_euclidean([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    True
    >>> is_euclidean([[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]])
    False
    """
    tol = check_number(tol, "tol")
    D, _ = _scaled(as_dissimilarities(D))
    return _is_euclidean(D, tol)


def additive_constant(D: ArrayLike, method: Method = "cailliez") -> float:
    """Return the smallest constant that makes dissimilarities Euclidean.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities.
    method : {"cailliez", "lingoes"}
        Cailliez: the smallest c with d_ij + c Euclidean, in the units of `D`.
        Lingoes: the smallest c with sqrt(d_ij^2 + 2 c) Euclidean, in squared units.

    Returns
    -------
    float
        Zero where `D` is Euclidean already.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix with a zero diagonal,
        `method` is unknown, or Lingoes's constant leaves the range of float64.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. Cailliez's constant is the largest real eigenvalue
    of a matrix of order 2n that is never formed for large n; Lingoes's is minus the smallest
    eigenvalue of B. Source: Cailliez (1983); Lingoes (1971).

    Examples
    --------
    >>> D = [[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    >>> round(additive_constant(D), 6), round(additive_constant(D, "lingoes"), 6)
    (1.0, 0.833333)
    """
    _check_method(method)
    D, exponent = _scaled(as_dissimilarities(D))
    if _is_euclidean(D, 1e-12):
        return 0.0
    if method == "lingoes":
        constant = np.array(-smallest_eigenvalue(D, "distances"))
        return float(_in_range(constant, 2 * exponent, "Squared dissimilarities"))
    return float(np.ldexp(_cailliez(D), exponent))


def add_constant(D: FloatArray, constant: float, method: Method) -> FloatArray:
    """Return every entry with an additive constant; zeros are not spared.

    Parameters
    ----------
    D : ndarray
        Checked dissimilarities.
    constant : float
        As from `additive_constant`.
    method : {"cailliez", "lingoes"}
        Which kind of constant it is.

    Returns
    -------
    ndarray
        ``D + c`` for Cailliez, ``sqrt(D**2 + 2 c)`` for Lingoes.

    Examples
    --------
    >>> add_constant(np.array([[3.0, 4.0]]), 3.5, "lingoes")
    array([[4.        , 4.79583152]])
    """
    if method == "cailliez":
        return D + constant
    return np.sqrt(np.square(D) + 2 * constant)


def _check_method(method: str) -> None:
    if method not in ("cailliez", "lingoes"):
        raise ValueError(f"method = {method!r} is unknown; use 'cailliez' or 'lingoes'.")


def _scaled(D: FloatArray) -> tuple[FloatArray, int]:
    exponent = scale_exponent(float(D.max(initial=0.0)))
    return (np.ldexp(D, -exponent), exponent) if exponent else (D, 0)


def _in_range(values: FloatArray, exponent: int, what: str) -> FloatArray:
    if not exponent:
        return values
    with np.errstate(over="ignore", under="ignore"):
        rescaled = np.ldexp(values, exponent)
    largest = np.abs(rescaled).max(initial=0.0)
    if np.isinf(largest) or (largest < np.finfo(float).tiny and values.any()):
        raise ValueError(
            f"{what} leave the range of float64: choose another unit, for example by dividing "
            f"the input by 2.0**{exponent // 2}."
        )
    return rescaled


def _rescaled(values: FloatArray, exponent: int) -> FloatArray:
    return np.ldexp(values, exponent, out=values) if exponent else values


def _fill(
    out: FloatArray,
    X: FloatArray,
    Y: FloatArray,
    finish: Callable[[FloatArray], FloatArray],
    *,
    symmetric: bool,
) -> None:
    mean = Y.mean(axis=0)
    left, right = X - mean, Y - mean
    norms, other_norms = _row_squares(left), _row_squares(right)
    augmented = np.column_stack([-2.0 * left, norms, np.ones(len(left))])
    other = np.column_stack([right, np.ones(len(right)), other_norms]).T
    for start in range(0, len(X), _PANEL_ROWS):
        rows = slice(start, start + _PANEL_ROWS)
        first = start if symmetric else 0
        panel = np.matmul(augmented[rows], other[:, first:], out=out[rows, first:])
        corner = panel[:, : len(panel)]
        if symmetric:
            corner[...] = 0.5 * (corner + corner.T)
            np.fill_diagonal(corner, np.inf)
        _refine(panel, X[rows], Y[first:], norms[rows], other_norms[first:])
        if symmetric:
            np.fill_diagonal(corner, 0.0)
        values = finish(panel)
        if values is not panel:
            panel[...] = values
        if symmetric:
            out[rows.stop :, rows] = panel[:, len(panel) :].T


def _row_squares(X: FloatArray) -> FloatArray:
    return np.einsum("ij,ij->i", X, X)


def _refine(
    panel: FloatArray,
    left: FloatArray,
    right: FloatArray,
    norms: FloatArray,
    other_norms: FloatArray,
) -> None:
    """Compute again, from the differences, the pairs the expansion is too coarse for."""
    bound = _NEAR * (norms + other_norms.max(initial=0.0))
    suspects = np.flatnonzero(panel.min(axis=1) <= bound)
    rows, columns = np.nonzero(panel[suspects] <= bound[suspects, None])
    rows = suspects[rows]
    close = panel[rows, columns] <= _NEAR * (norms[rows] + other_norms[columns])
    rows, columns = rows[close], columns[close]
    for start in range(0, len(rows), _CHUNK):
        i, j = rows[start : start + _CHUNK], columns[start : start + _CHUNK]
        panel[i, j] = _row_squares(left[i] - right[j])


def _is_euclidean(D: FloatArray, tol: float) -> bool:
    if len(D) == 1:
        return True
    B = formed(D, "distances")
    largest = leading_eigenpairs(D, 1, form="distances", check=False).values[0]
    B[np.diag_indices_from(B)] += max(tol, len(D) * EPS) * largest
    if largest <= 0:
        return not D.any()
    try:
        linalg.cholesky(B, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return False
    return True


def _cailliez(D: FloatArray) -> float:
    """Largest real eigenvalue of [[0, 2 B(D^2)], [-I, -4 B(D)]], as in Cailliez (1983)."""
    n = len(D)
    if n <= _DENSE_BELOW:
        return max(0.0, float(_cailliez_spectrum(D).real.max()))

    product = squared_product(D)

    def apply(v: FloatArray) -> FloatArray:
        top, bottom = v[:n], v[n:]
        centred = bottom - bottom.mean()
        upper = -product(centred[:, None])[:, 0]
        lower = 2 * (D @ centred)
        return np.concatenate([upper - upper.mean(), lower - lower.mean() - top])

    operator = LinearOperator((2 * n, 2 * n), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(2 * n)
    try:
        values = eigs(operator, k=1, which="LR", v0=start, return_eigenvectors=False)
    except ArpackError:
        values = _cailliez_spectrum(D)
    return max(0.0, float(values.real.max()))


def _cailliez_spectrum(D: FloatArray) -> NDArray[np.complexfloating]:
    n = len(D)
    zero, double = np.zeros((n, n)), 2 * formed(D, "distances")
    rooted = 2 * formed(D, "centered")
    return linalg.eigvals(np.block([[zero, double], [-np.eye(n), rooted]]), check_finite=False)
