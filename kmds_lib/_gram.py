"""Distances and Gram matrices, and the conversions between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._eigen import double_centre, has_no_negative_eigenvalue, minus_half_squares
from kmds_lib._fast.distances import euclidean, squared_euclidean
from kmds_lib._labels import (
    as_cross_frame,
    as_labelled,
    as_square_frame,
    check_columns,
    check_variables,
    column_labels,
)
from kmds_lib._metrics import Metric, distances_by_metric
from kmds_lib._parameters import check_number
from kmds_lib._rounding import rounding_tolerance, tie_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_dissimilarities, as_gram, as_new_rows, as_two_sets


def squared_distances(X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
    r"""Return the squared Euclidean distances between rows.

    Parameters
    ----------
    X, Y
        As in `distances`, with the same errors.

    Returns
    -------
    ndarray of shape (n, m) or (n, n)
        Squared distances, never negative; otherwise as in `distances`.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. The expansion :math:`|x|^2 + |y|^2 - 2
    x^\top y` loses digits if points are close together and far from the origin. Therefore the mean
    is subtracted first, and close pairs are computed again from their differences.

    Examples
    --------
    >>> squared_distances([[0.0, 0.0], [3.0, 4.0]])
    array([[ 0., 25.],
           [25.,  0.]])
    """
    return as_cross_frame(squared_euclidean(*as_two_sets(X, Y, min_columns=0)), X, Y)


def distances(
    X: ArrayLike, Y: ArrayLike | None = None, *, metric: Metric = "euclidean", **options: Any
) -> FloatArray:
    """Return the distances between rows, Euclidean by default.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    Y : array_like of shape (m, p), optional
        Other points. Without it, the distances between the rows of `X` are computed.
    metric : str or callable
        A metric of `scipy.spatial.distance.pdist`, such as "cityblock", "chebyshev", "cosine",
        "braycurtis" or "jaccard"; or a function of two rows that returns a number. The function is
        called in both orders, because it must be symmetric, and for each row with itself, because
        this distance must be 0.
    **options
        Parameters of the metric: ``p`` of "minkowski", which may be ``np.inf``; ``V`` of
        "seuclidean" and ``VI`` of "mahalanobis", the inverse of the covariances, which are
        otherwise estimated from all rows of X and Y; and weights ``w``.

    Returns
    -------
    ndarray of shape (n, m) or (n, n)
        Distances; Euclidean ones are in the units of the input. For one set of points the matrix
        is exactly symmetric with a zero diagonal. If `X` or `Y` is a data frame with an index, the
        result is one with the labels of the objects in its rows and columns.

    Raises
    ------
    ValueError
        If the input is not a finite real matrix, the columns differ, or the metric is unknown,
        does not accept the input or an option, or is undefined for a pair of rows. "braycurtis"
        and "jensenshannon" refuse negative entries, "jaccard" and similar metrics all but 0 and 1,
        "cosine" rows of zeros, "correlation" constant rows, and "seuclidean" constant columns. A
        function is refused if it returns anything but finite numbers, is not symmetric, or does
        not give 0 for a row and itself.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. See `squared_distances`. A distance matrix
    of another metric need not be Euclidean: see `is_euclidean`. If columns are collinear,
    "mahalanobis" takes the pseudo-inverse of their covariances, which ignores the directions in
    which no rows differ. "russellrao" does not give 0 for two equal rows with zeros in them; only
    the diagonal of one set of points is 0.

    Examples
    --------
    >>> distances([[0.0, 0.0], [3.0, 4.0]])
    array([[0., 5.],
           [5., 0.]])
    >>> distances([[0.0, 0.0], [3.0, 4.0]], metric="cityblock")
    array([[0., 7.],
           [7., 0.]])
    """
    if not callable(metric):
        check_variables(options, column_labels(X))
    points, other = as_two_sets(X, Y, min_columns=0)
    if metric == "euclidean" and not options:
        return as_cross_frame(euclidean(points, other), X, Y)
    tolerance = rounding_tolerance(X, Y)
    D = distances_by_metric(points, other, metric, options, tolerance)
    return as_cross_frame(D, X, Y)


def gram_from_distances(D: ArrayLike) -> FloatArray:
    r"""Return the centred Gram matrix of distances: :math:`B = -\tfrac12 H D^{(2)} H`.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Distances or dissimilarities, not squared.

    Returns
    -------
    ndarray of shape (n, n)
        A symmetric matrix whose rows and columns sum to zero. It is positive semidefinite if and
        only if `D` is Euclidean. A data frame if `D` is one with an index.

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
    return as_square_frame(double_centre(minus_half_squares(as_dissimilarities(D))), D)


def distances_from_gram(G: ArrayLike) -> FloatArray:
    """Return the distances of inner products: :math:`d_{ij}^2 = g_{ii} + g_{jj} - 2 g_{ij}`.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Gram matrix with any origin, or a similarity matrix.

    Returns
    -------
    ndarray of shape (n, n)
        A data frame if `G` is one with an index.

    Raises
    ------
    ValueError
        If `G` is not a real, finite, symmetric matrix, or a squared distance is negative by
        more than 1e-10 of the largest entry (7.6e-6 if `G` is of type float32).

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. Source: Gower (1966).

    Examples
    --------
    >>> distances_from_gram([[1.0, -1.0], [-1.0, 1.0]])
    array([[0., 2.],
           [2., 0.]])
    """
    return as_square_frame(distances_from_checked_gram(as_gram(G, "G"), rounding_tolerance(G)), G)


def distances_from_checked_gram(G: FloatArray, tolerance: float) -> FloatArray:
    """Return the distances of inner products; `tolerance` is that of `rounding_tolerance`."""
    diagonal = np.diagonal(G)
    squares = diagonal[:, None] + diagonal - (G + G.T)
    lowest = squares.min()
    if lowest < -tie_tolerance(tolerance) * np.abs(G).max():
        i, j = np.unravel_index(np.argmin(squares), squares.shape)
        raise ValueError(
            f"G[{i}, {i}] + G[{j}, {j}] - 2 G[{i}, {j}] = {lowest:.6g} is negative, so G is not "
            "a Gram matrix. Project it with nearest_psd(G), or check the similarities."
        )
    np.fill_diagonal(squares, 0.0)
    return np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)


def center_gram(K: ArrayLike) -> FloatArray:
    """Return :math:`H K H`, the Gram matrix of the centred points.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Gram or kernel matrix.

    Returns
    -------
    ndarray of shape (n, n)
        A data frame if `K` is one with an index.

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
    return as_square_frame(double_centre(as_gram(K)), K)


def center_cross_gram(K_new: ArrayLike, K: ArrayLike) -> FloatArray:
    """Centre the inner products of new points with training points at the training mean.

    Parameters
    ----------
    K_new : array_like of shape (m, n)
        Inner products of each new point with the n training points.
    K : array_like of shape (n, n)
        Inner products of the training points, not centred.

    Returns
    -------
    ndarray of shape (m, n)
        ``center_cross_gram(K, K)`` equals ``center_gram(K)``. If `K_new` or `K` is a data frame
        with an index, the result is one with the labels of the objects.

    Raises
    ------
    ValueError
        If `K` is not a real, finite, symmetric matrix, or `K_new` is not a real, finite matrix
        with n columns.

    Notes
    -----
    Derived in Chapter 7, Kernel PCA. Source: Schölkopf, Smola & Müller (1998).

    Examples
    --------
    >>> center_cross_gram([[3.0, 1.0]], [[4.0, 2.0], [2.0, 4.0]])
    array([[ 1., -1.]])
    """
    labelled = as_labelled(K, "K", square=True)
    check_columns(K_new, "K_new", column_labels(labelled), "K", "K_new[K.columns]")
    training = as_gram(labelled)
    new = as_new_rows(K_new, len(training), "K_new")
    means: FloatArray = training.mean(axis=0)
    rows: FloatArray = new.mean(axis=1, keepdims=True)
    centred: FloatArray = (new - rows) - (means - means.mean())
    return as_cross_frame(centred, K_new, K)


def is_euclidean(D: ArrayLike, *, tol: float = 1e-10) -> bool:
    """Return True if the dissimilarities are the distances of points in a Euclidean space.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared.
    tol : float
        Negative eigenvalues of B count as rounding errors if they are smaller than `tol`, or than
        n times the machine precision, relative to the largest. Use a larger value for data that
        were recorded to few digits.

    Raises
    ------
    ValueError
        As in `gram_from_distances`, or if `tol` is negative.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices: B must be positive semidefinite. This is
    tested by a Cholesky factorisation of B plus a multiple of the identity. Source: Schoenberg
    (1935); Young & Householder (1938).

    Examples
    --------
    >>> is_euclidean([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    True
    >>> is_euclidean([[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]])
    False
    """
    tol = check_number(tol, "tol")
    checked = as_dissimilarities(D)
    tol = max(tol, len(checked) * rounding_tolerance(D) ** 2)
    return has_no_negative_eigenvalue(minus_half_squares(checked), tol)
