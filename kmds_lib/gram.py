"""Distances and Gram matrices: two forms of the same information."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from scipy.spatial.distance import cdist

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

Panel = Callable[[FloatArray, FloatArray, slice, slice, FloatArray], FloatArray]

_PANEL_ROWS, _PANEL_ENTRIES = 192, 2**16
"""A panel holds half a MiB, or 192 rows where those are more. With 784 variables these cost 6.2 ms
at n = 500 and 298 ms at n = 4000; 128 rows 6.6 and 307, 256 rows 6.9 and 299."""

_NO_SHIFT = 0.5
"""Part of the mean square up to which moving the origin to the mean gains no digit."""

_DIRECT_UP_TO = 8
"""Variables up to which differences are no slower than the expansion, whatever is made of them."""

_CDIST_UP_TO = 12
"""The same for plain distances: at n = 500 ten variables take 0.67 ms by differences and 0.85 ms
by the expansion, sixteen 1.01 and 0.97."""

_NEAR = 1e-3
"""Squared distance, relative to the squared norms, below which the expansion loses digits."""

_DIRECT_FROM = 0.2
"""Part of a panel that is too coarse from which the whole panel is computed from differences."""


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
    X, other = _same_variables(X, Y)
    if X.shape[1] <= _CDIST_UP_TO:
        return cdist(X, other)
    return _filled(X, other, lambda squares: np.sqrt(squares, out=squares))


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
    return _filled(*_same_variables(X, Y), finish)


def _same_variables(X: ArrayLike, Y: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Return both sets of points, checked; one array twice where there is one set."""
    X = as_points(X, min_columns=0)
    other = X if Y is None else as_points(Y, "Y", min_columns=0)
    if X.shape[1] != other.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} columns but Y has {other.shape[1]}; both need the same variables."
        )
    return X, other


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
    means: FloatArray = K.mean(axis=0)
    rows: FloatArray = K_new.mean(axis=1, keepdims=True)
    centred: FloatArray = (K_new - rows) - (means - means.mean())
    return centred


def is_euclidean(D: ArrayLike, *, tol: float = 1e-10) -> bool:
    """Tell whether points exist in some Euclidean space with exactly these distances.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities.
    tol : float
        Negative eigenvalues of B smaller than `tol` times the largest count as rounding, and so
        do those below n times the machine precision. For data recorded to few digits, give a
        larger value.

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
        Halved squares -1/2 D^(2), so that HAH has a positive eigenvalue unless A = 0.
    tol : float
        The shift, relative to the largest eigenvalue; at least n times the machine precision.

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


def _filled(
    X: FloatArray, Y: FloatArray, finish: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Work panel by panel; for one set of points on the upper triangle, which is mirrored."""
    out = np.empty((len(X), len(Y)))
    direct = X.shape[1] <= _DIRECT_UP_TO
    panel = _direct_panel if direct else _expansion(X, Y)
    mirrored = X is Y and not direct
    height = max(_PANEL_ROWS, _PANEL_ENTRIES // max(len(Y), 1))
    for top in range(0, len(X), height):
        rows = slice(top, top + height)
        columns = slice(top if mirrored else 0, len(Y))
        view = out[rows, columns]
        squares = panel(X, Y, rows, columns, view)
        if mirrored:
            corner = squares[:, : len(squares)]
            corner[...] = 0.5 * (corner + corner.T)
            np.fill_diagonal(corner, 0.0)
        values = finish(squares)
        if values is not view:
            view[...] = values
        if mirrored:
            out[rows.stop :, rows] = view[:, len(view) :].T
    return out


def _direct_panel(
    X: FloatArray, Y: FloatArray, rows: slice, columns: slice, view: FloatArray
) -> FloatArray:
    """Squared distances from the differences of coordinates."""
    if not view.flags.c_contiguous:
        return cdist(X[rows], Y[columns], "sqeuclidean")
    return cdist(X[rows], Y[columns], "sqeuclidean", out=view)


def _expansion(X: FloatArray, Y: FloatArray) -> Panel:
    """Return a maker of panels that expands |x - y|^2 and repairs what is too coarse.

    Norms are taken about the mean where that makes them smaller: fewer pairs are too coarse.
    """
    mean, right, other_norms = Y.mean(axis=0), Y, _row_squares(Y)
    shifted = mean @ mean > _NO_SHIFT * other_norms.mean()
    if shifted:
        right = Y - mean
        other_norms = _row_squares(right)

    def panel(
        X: FloatArray, Y: FloatArray, rows: slice, columns: slice, view: FloatArray
    ) -> FloatArray:
        left = right[rows] if X is Y else X[rows] - mean if shifted else X[rows]
        norms = other_norms[rows] if X is Y else _row_squares(left)
        near = right[columns]
        # The fewer rows take the factor: a copy of a block's rows is more than its panel.
        fewer_left = len(left) <= len(near)
        factors = (-2.0 * left, near) if fewer_left else (left, -2.0 * near)
        squares = np.matmul(factors[0], factors[1].T, out=view)
        squares += norms[:, None]
        squares += other_norms[columns]
        if X is Y:
            np.fill_diagonal(squares[:, : len(squares)], np.inf)
        i, j = _too_coarse(squares, norms, other_norms[columns])
        if len(i) > _DIRECT_FROM * squares.size:
            return _direct_panel(X, Y, rows, columns, view)
        chunk = max(1, _PANEL_ENTRIES // X.shape[1])
        for start in range(0, len(i), chunk):
            a, b = i[start : start + chunk], j[start : start + chunk]
            squares[a, b] = _row_squares(X[rows][a] - Y[columns][b])
        return squares

    return panel


def _too_coarse(
    squares: FloatArray, norms: FloatArray, other_norms: FloatArray
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places where the expansion has cancelled more than three digits."""
    bound = _NEAR * (norms + other_norms.max())
    suspects = np.flatnonzero(squares.min(axis=1) <= bound)
    near = squares[suspects] <= _NEAR * (norms[suspects, None] + other_norms)
    i, j = np.nonzero(near)
    return suspects[i], j


def _row_squares(X: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", X, X))
