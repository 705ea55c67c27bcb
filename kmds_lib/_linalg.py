"""Linear algebra: invariants, signs, the nearest PSD matrix, Procrustes and principal angles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg

from kmds_lib._eigen import with_canonical_signs
from kmds_lib._labels import as_square_frame, check_same_objects
from kmds_lib._messages import plural
from kmds_lib._parameters import check_count, check_count_up_to, check_flag
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_gram, as_points


@dataclass(frozen=True, eq=False)
class Alignment:
    """The result of `procrustes_align`: ``points = scale * Y @ rotation + translation``.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        The aligned configuration.
    rotation : ndarray of shape (k, k)
        Orthogonal matrix. It may include a reflection unless ``reflection=False``.
    translation : ndarray of shape (k,)
        Vector added to every row.
    scale : float
        Scale factor; 1 unless ``scaling=True``.
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
    """The quantities of a square matrix that a change of basis preserves.

    Attributes
    ----------
    trace, determinant : float
    rank : int
    eigenvalues : ndarray of shape (n,)
        Sorted by decreasing real part, then imaginary part; with a real dtype if all are real.
    characteristic_polynomial : ndarray of shape (n + 1,)
        Coefficients of det(x I - M), highest power first.
    """

    trace: float
    determinant: float
    rank: int
    eigenvalues: NDArray[Any]
    characteristic_polynomial: FloatArray


def similarity_invariants(M: ArrayLike) -> Invariants:
    """Return the `Invariants` of a square matrix under a change of basis.

    Parameters
    ----------
    M : array_like of shape (n, n)
        Real square matrix; it need not be symmetric.

    Raises
    ------
    ValueError
        If `M` is not a finite real square matrix, or its determinant or a coefficient of its
        characteristic polynomial leaves the range of float64.

    Notes
    -----
    Derived in Chapter 1, Similarity transforms and the spectral theorem. Source: Horn & Johnson
    (2013), section 1.3.

    Examples
    --------
    >>> invariants = similarity_invariants([[2.0, 1.0], [1.0, 2.0]])
    >>> invariants.rank, invariants.trace
    (2, 4.0)
    >>> invariants.eigenvalues.round(6)
    array([3., 1.])
    """
    M = as_points(M, "M")
    if M.shape[0] != M.shape[1]:
        raise ValueError(f"M has shape {M.shape}; a square matrix is needed.")
    eigenvalues = _eigenvalues(M)
    with np.errstate(over="ignore", invalid="ignore"):
        determinant = float(linalg.det(M))
        polynomial = np.real(np.poly(eigenvalues))
    rank = int(np.linalg.matrix_rank(M))
    underflow = determinant == 0 and rank == len(M)
    if underflow or not np.isfinite([determinant, *polynomial]).all():
        raise ValueError(
            "The determinant or the characteristic polynomial of M leaves the range of float64, "
            f"because the largest eigenvalue is {np.abs(eigenvalues).max():.3g} in absolute "
            "value. Choose another unit."
        )
    return Invariants(float(np.trace(M)), determinant, rank, eigenvalues, polynomial)


def _eigenvalues(M: FloatArray) -> NDArray[Any]:
    """Return the eigenvalues of a matrix by decreasing real part, as floats if all are real."""
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
        Number of points, at least 1.

    Returns
    -------
    ndarray of shape (n, n)

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
    """Return the columns with signs such that the largest entry in absolute value is positive.

    Entries whose absolute values agree to eight digits count as tied, and the first of them
    decides. Otherwise rounding errors would choose the signs of a symmetric configuration.

    Parameters
    ----------
    V : array_like of shape (n, k)
        Finite vectors, in columns.

    Returns
    -------
    ndarray of shape (n, k)
        A new array whose columns are those of `V` times +1 or -1. Zero columns stay zero.

    Notes
    -----
    Used from Chapter 1, Similarity transforms and the spectral theorem, onwards, because an
    eigenvector is determined only up to its sign.

    Examples
    --------
    >>> canonical_signs([[0.6, 0.0], [-0.8, 1.0]])
    array([[-0.6,  0. ],
           [ 0.8,  1. ]])
    """
    return with_canonical_signs(as_points(V, "V", min_columns=0))


def nearest_psd(M: ArrayLike, rank: int | None = None) -> FloatArray:
    """Return the nearest positive semidefinite matrix, optionally of bounded rank.

    Parameters
    ----------
    M : array_like of shape (n, n)
        Finite symmetric matrix.
    rank : int, optional
        Largest rank allowed, from 1 to n; by default n.

    Returns
    -------
    ndarray of shape (n, n)
        The nearest matrix in the Frobenius norm: negative eigenvalues and all but the `rank`
        largest are set to zero. A data frame if `M` is one with an index.

    Notes
    -----
    Derived in Chapter 2, Low-rank approximation. Source: Mardia (1978); without a bound on the
    rank, Higham (1988).

    Examples
    --------
    >>> nearest_psd([[1.0, 0.0], [0.0, -2.0]])
    array([[1., 0.],
           [0., 0.]])
    """
    table, M = M, as_gram(M, "M")
    rank = len(M) if rank is None else check_count_up_to(rank, len(M), "rank")
    values, vectors = linalg.eigh(M, check_finite=False)
    keep = values > 0
    keep[: len(M) - rank] = False
    root = vectors[:, keep] * np.sqrt(values[keep])
    return as_square_frame(root @ root.T, table)


def procrustes_align(
    Y: ArrayLike, *, target: ArrayLike, scaling: bool = False, reflection: bool = True
) -> Alignment:
    """Align a configuration with a target by the best rotation, reflection and translation.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Configuration to align.
    target : array_like of shape (n, k)
        Target configuration; row i of `Y` belongs to row i of `target`.
    scaling : bool
        Also fit a scale factor.
    reflection : bool
        Allow reflections. If False, the determinant of the rotation is 1, as is needed if mirror
        images differ: for example, for molecules or geographical maps.

    Returns
    -------
    Alignment
        The aligned points, the rotation, translation and scale factor, and the residual.

    Raises
    ------
    ValueError
        If an input is not a finite real matrix, or the shapes or the labels of the rows differ.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. The rotation is the orthogonal polar factor of the
    centred cross product. If it is not unique because the rank of a configuration is too low, one
    of the best is returned. Without reflections, the last singular vector changes its sign if the
    determinant of the polar factor is -1. Source: Schönemann (1966); without reflections, Kabsch
    (1976).

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> rotated = square @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + 5.0
    >>> bool(procrustes_align(square, target=rotated).residual < 1e-12)
    True
    """
    check_same_objects(target, Y, ("target", "Y"))
    Y, target = as_points(Y, "Y"), as_points(target, "target")
    if Y.shape != target.shape:
        raise ValueError(
            f"Y has shape {Y.shape} but target has shape {target.shape}; they must match. "
            "Append columns of zeros to the smaller one."
        )
    scaling, reflection = check_flag(scaling, "scaling"), check_flag(reflection, "reflection")
    mean, target_mean = Y.mean(axis=0), target.mean(axis=0)
    centred, centred_target = Y - mean, target - target_mean
    size, target_size = linalg.norm(centred.ravel()), linalg.norm(centred_target.ravel())
    cross = (centred / (size or 1.0)).T @ (centred_target / (target_size or 1.0))
    rotation, correlation = _best_rotation(cross, reflection)
    scale = float(correlation * target_size / size) if scaling and size > 0 else 1.0
    rotated = scale * centred @ rotation
    translation = target_mean - scale * mean @ rotation
    residual = float(linalg.norm((rotated - centred_target).ravel()))
    return Alignment(rotated + target_mean, rotation, translation, scale, residual)


def _best_rotation(cross: FloatArray, reflection: bool) -> tuple[FloatArray, float]:
    """Return the orthogonal matrix R that maximises tr(R' cross), and the maximum if it is >= 0.

    In one dimension, the only rotation is the identity. If the maximum is negative, the best scale
    factor is therefore 0.
    """
    rotation, correlation = linalg.orthogonal_procrustes(np.eye(len(cross)), cross)
    if not reflection and linalg.det(rotation) < 0:
        U, s, Vt = np.linalg.svd(cross)
        U[:, -1] *= -1
        return U @ Vt, max(0.0, float(s.sum() - 2 * s[-1]))
    return np.asarray(rotation, dtype=np.float64), float(correlation)


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
        Angles between 0 and pi/2, in ascending order. There are fewer if the columns are linearly
        dependent.

    Raises
    ------
    ValueError
        If an input is not a finite real matrix, or the numbers or labels of the rows differ.

    Notes
    -----
    Used in Chapter 5, Principal component analysis. Source: Björck & Golub (1973); small angles
    are computed from their sines, after Knyazev & Argentati (2002), as in
    `scipy.linalg.subspace_angles`.

    Examples
    --------
    >>> principal_angles([[1.0], [0.0]], [[1.0], [1.0]]).round(6)
    array([0.785398])
    """
    check_same_objects(U, V, ("U", "V"))
    U, V = as_points(U, "U"), as_points(V, "V")
    if len(U) != len(V):
        raise ValueError(
            f"U has {plural(len(U), 'row')} but V has {len(V)}; both must be in the same space."
        )
    return linalg.subspace_angles(U, V)[::-1]
