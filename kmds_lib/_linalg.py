"""Linear algebra under the book: invariants, signs, the nearest PSD matrix, alignment, angles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg

from kmds_lib._checks import (
    FloatArray,
    as_gram,
    as_points,
    check_count,
    check_flag,
    check_n_components,
)

__all__ = [
    "Alignment",
    "Invariants",
    "canonical_signs",
    "centering_matrix",
    "nearest_psd",
    "principal_angles",
    "procrustes_align",
    "similarity_invariants",
]


@dataclass(frozen=True, eq=False)
class Alignment:
    """A configuration moved onto a target: ``points = scale * Y @ rotation + translation``.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        The configuration after the move.
    rotation : ndarray of shape (k, k)
        Orthogonal matrix; a reflection is allowed.
    translation : ndarray of shape (k,)
        Shift added to every row.
    scale : float
        Factor on the configuration; 1 unless scaling was asked for.
    residual : float
        Frobenius norm of ``points - target``.
    """

    points: FloatArray
    rotation: FloatArray
    translation: FloatArray
    scale: float
    residual: float


@dataclass(frozen=True, eq=False)
class Invariants:
    """What stays the same when a square matrix changes basis.

    Attributes
    ----------
    trace, determinant : float
    rank : int
    eigenvalues : ndarray of shape (n,)
        Sorted by descending real part, then imaginary part; real dtype where all are real.
    characteristic_polynomial : ndarray of shape (n + 1,)
        Coefficients of det(x I - M), highest power first.
    """

    trace: float
    determinant: float
    rank: int
    eigenvalues: NDArray[Any]
    characteristic_polynomial: FloatArray


def similarity_invariants(M: ArrayLike) -> Invariants:
    """Return the invariants of a square matrix under a change of basis.

    Parameters
    ----------
    M : array_like of shape (n, n)
        Real square matrix; it need not be symmetric.

    Returns
    -------
    Invariants

    Raises
    ------
    ValueError
        If `M` is not a finite real square matrix, or its determinant or a coefficient of its
        characteristic polynomial leaves the range of float64.

    Notes
    -----
    Derived in Chapter 1, One map, many matrices. Source: Horn & Johnson (2013), section 1.3.

    Examples
    --------
    >>> invariants = similarity_invariants([[2.0, 1.0], [1.0, 2.0]])
    >>> invariants.rank, invariants.trace
    (2, 4.0)
    >>> invariants.eigenvalues.round(6)
    array([3., 1.])
    """
    M = _as_square_points(M, "M")
    eigenvalues = _eigenvalues(M)
    with np.errstate(over="ignore", invalid="ignore"):
        determinant = float(linalg.det(M))
        polynomial = np.real(np.poly(eigenvalues))
    rank = int(np.linalg.matrix_rank(M))
    vanished = determinant == 0 and rank == len(M)
    if vanished or not np.isfinite([determinant, *polynomial]).all():
        raise ValueError(
            "The determinant or the characteristic polynomial of M leaves the range of float64: "
            f"its {len(M)} eigenvalues are up to {np.abs(eigenvalues).max():.3g} in size. Choose "
            "another unit."
        )
    return Invariants(float(np.trace(M)), determinant, rank, eigenvalues, polynomial)


def _eigenvalues(M: FloatArray) -> NDArray[Any]:
    """Return the eigenvalues of a square matrix, largest real part first; real ones as floats."""
    roots = linalg.eigvalsh(M) if np.array_equal(M, M.T) else linalg.eigvals(M)
    real: FloatArray = np.real(roots)
    imaginary: FloatArray = np.imag(roots)
    order = np.lexsort((-imaginary, -real))
    return (roots if np.any(imaginary) else real)[order]


def centering_matrix(n: int) -> FloatArray:
    r"""Return :math:`H = I - \mathbf{11}^\top / n`, the projection that subtracts the mean.

    Parameters
    ----------
    n : int
        Number of points.

    Returns
    -------
    ndarray of shape (n, n)

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. Source: Gower (1966).

    Examples
    --------
    >>> centering_matrix(2)
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    n = check_count(n, "n")
    return np.eye(n) - 1.0 / n


def canonical_signs(V: ArrayLike) -> FloatArray:
    """Return the columns with signs fixed: the entry of largest modulus is positive.

    Entries whose moduli agree to eight digits count as tied, and the first of them decides, so
    that rounding does not choose the sign of a symmetric picture.

    Parameters
    ----------
    V : array_like of shape (n, k)
        Vectors in columns.

    Returns
    -------
    ndarray of shape (n, k)
        A new array whose columns are those of `V` times +1 or -1. Zero columns stay zero.

    Raises
    ------
    ValueError
        If `V` is not a finite real matrix.

    Notes
    -----
    Used from Chapter 1, One map, many matrices, on: an eigenvector is known up to its sign.

    Examples
    --------
    >>> canonical_signs([[0.6, 0.0], [-0.8, 1.0]])
    array([[-0.6,  0. ],
           [ 0.8,  1. ]])
    """
    V = as_points(V, "V", min_columns=0)
    moduli = np.abs(V.T, order="C")
    first = np.argmax(moduli >= (1 - 1e-8) * moduli.max(axis=1, keepdims=True), axis=1)
    return V * np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)


def nearest_psd(M: ArrayLike, rank: int | None = None) -> FloatArray:
    """Return the nearest positive semidefinite matrix, optionally of bounded rank.

    Parameters
    ----------
    M : array_like of shape (n, n)
        Symmetric matrix.
    rank : int, optional
        Largest rank allowed, from 1 to n. Without it the rank is free.

    Returns
    -------
    ndarray of shape (n, n)
        Nearest in the Frobenius norm: negative eigenvalues are set to zero and the `rank`
        largest kept.

    Raises
    ------
    ValueError
        If `M` is not a finite real symmetric matrix, or `rank` is out of range.

    Notes
    -----
    Derived in Chapter 2, The best approximation keeps the largest singular values. Source: Mardia
    (1978); for free rank, Higham (1988).

    Examples
    --------
    >>> nearest_psd([[1.0, 0.0], [0.0, -2.0]])
    array([[1., 0.],
           [0., 0.]])
    """
    M = as_gram(M, "M")
    rank = len(M) if rank is None else check_n_components(rank, len(M), "rank")
    values, vectors = linalg.eigh(M, check_finite=False)
    keep = values > 0
    keep[: len(M) - rank] = False
    root = vectors[:, keep] * np.sqrt(values[keep])
    return root @ root.T


def procrustes_align(Y: ArrayLike, *, target: ArrayLike, scaling: bool = False) -> Alignment:
    """Move a configuration onto a target by the best rotation, reflection and shift.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Configuration to move.
    target : array_like of shape (n, k)
        Where it should go; row i of `Y` belongs to row i of `target`.
    scaling : bool
        Allow a change of size as well.

    Returns
    -------
    Alignment
        The moved points, the rotation, shift and scale that move them, and the residual.

    Raises
    ------
    ValueError
        If an input is not a finite real matrix, the shapes differ, or `scaling` is neither True
        nor False.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. The rotation is the orthogonal polar factor of the
    centred cross product. Where it is not unique (a configuration of too low rank), one of the
    best is returned. Source: Schönemann (1966).

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> turned = square @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + 5.0
    >>> bool(procrustes_align(square, target=turned).residual < 1e-12)
    True
    """
    Y, target = _same_shape(Y, target)
    scaling = check_flag(scaling, "scaling")
    mean, target_mean = Y.mean(axis=0), target.mean(axis=0)
    centred, goal = Y - mean, target - target_mean
    size, goal_size = linalg.norm(centred.ravel()), linalg.norm(goal.ravel())
    cross = (centred / (size or 1.0)).T @ (goal / (goal_size or 1.0))
    rotation, strength = linalg.orthogonal_procrustes(np.eye(len(cross)), cross)
    scale = float(strength * goal_size / size) if scaling and size > 0 else 1.0
    turned = scale * centred @ rotation
    translation = target_mean - scale * mean @ rotation
    residual = float(linalg.norm((turned - goal).ravel()))
    return Alignment(turned + target_mean, rotation, translation, scale, residual)


def principal_angles(U: ArrayLike, V: ArrayLike) -> FloatArray:
    """Return the principal angles between two subspaces, in radians, smallest first.

    Parameters
    ----------
    U : array_like of shape (n, k)
        Columns that span the first subspace; they need not be orthonormal.
    V : array_like of shape (n, l)
        Columns that span the second.

    Returns
    -------
    ndarray of shape (min(k, l),)
        Angles between 0 and pi/2, in ascending order; fewer where columns depend on each
        other, since the angles are those of the spans.

    Raises
    ------
    ValueError
        If an input is not a finite real matrix, or the row counts differ.

    Notes
    -----
    Used in Chapter 5, PCA and classical scaling are one computation. Source: Björck & Golub
    (1973); small angles come from the sines, after Knyazev & Argentati (2002), as in
    `scipy.linalg.subspace_angles`.

    Examples
    --------
    >>> principal_angles([[1.0], [0.0]], [[1.0], [1.0]]).round(6)
    array([0.785398])
    """
    U, V = as_points(U, "U"), as_points(V, "V")
    if len(U) != len(V):
        raise ValueError(
            f"U has {len(U)} rows but V has {len(V)}; both must live in the same space."
        )
    return linalg.subspace_angles(U, V)[::-1]


def _as_square_points(M: ArrayLike, name: str) -> FloatArray:
    M = as_points(M, name)
    if M.shape[0] != M.shape[1]:
        raise ValueError(f"{name} has shape {M.shape}; a square matrix is needed.")
    return M


def _same_shape(Y: ArrayLike, target: ArrayLike) -> tuple[FloatArray, FloatArray]:
    Y, target = as_points(Y, "Y"), as_points(target, "target")
    if Y.shape != target.shape:
        raise ValueError(
            f"Y has shape {Y.shape} but target has shape {target.shape}; they must match. "
            "Columns of zeros can be appended to the smaller one."
        )
    return Y, target
