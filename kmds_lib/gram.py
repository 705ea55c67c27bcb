"""Distances and Gram matrices: two forms of the same information."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_cross,
    as_dissimilarities,
    as_gram,
    as_points,
    check_number,
)
from kmds_lib._eigen import centre, halved_squares, solve

__all__ = [
    "center_cross_gram",
    "center_gram",
    "distances",
    "distances_from_gram",
    "gram_from_distances",
    "is_euclidean",
    "squared_distances",
]

_PANEL_ROWS = 128
_NEAR = 1e-3
_CHUNK = 2**16


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
        If the input is not a finite real matrix, or the column counts differ.

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
    return map_squared_distances(X, Y, lambda squares: squares)


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
    return map_squared_distances(X, Y, lambda squares: np.sqrt(squares, out=squares))


def map_squared_distances(
    X: ArrayLike, Y: ArrayLike | None, finish: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Apply a function to every squared distance, panel by panel, each while it is in cache.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    Y : array_like of shape (m, p) or None
        Other points. With None, pairs run between the rows of `X`.
    finish : callable
        Called as ``finish(squares)`` on a panel of squared distances that it may overwrite.

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
    >>> map_squared_distances([[0.0], [2.0]], None, lambda squares: -squares)
    array([[-0., -4.],
           [-4., -0.]])
    """
    X = as_points(X, min_columns=0)
    other = X if Y is None else as_points(Y, "Y", min_columns=0)
    if X.shape[1] != other.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} columns but Y has {other.shape[1]}; both need the same variables."
        )
    out = np.empty((len(X), len(other)))
    _fill(out, X, other, finish, symmetric=Y is None)
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
        If `D` is not a real, finite, symmetric, non-negative matrix with a zero diagonal.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. Source: Torgerson (1952); Gower (1966).

    Examples
    --------
    >>> gram_from_distances([[0.0, 2.0], [2.0, 0.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return centre(halved_squares(as_dissimilarities(D)))


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
    return centre(as_gram(K))


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
    return has_no_negative_eigenvalue(halved_squares(as_dissimilarities(D)), tol)


def has_no_negative_eigenvalue(A: FloatArray, tol: float) -> bool:
    """Tell whether HAH is positive semidefinite, by a Cholesky factorisation after a small shift.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Symmetric matrix.
    tol : float
        The shift, relative to the largest eigenvalue.

    Returns
    -------
    bool

    Examples
    --------
    >>> has_no_negative_eigenvalue(np.array([[0.0, -2.0], [-2.0, 0.0]]), 1e-10)
    True
    """
    largest = float(solve(A, 1, centred=True).values[0])
    if largest <= 0:
        return not A.any()
    B = centre(A)
    B[np.diag_indices_from(B)] += max(tol, len(B) * EPS) * largest
    try:
        linalg.cholesky(B, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return False
    return True


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
