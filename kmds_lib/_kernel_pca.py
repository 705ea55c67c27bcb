"""Kernel PCA: principal components of the feature vectors, computed from the kernel matrix.

The feature vectors phi(x_i) are not needed. The scores are Y = V_k Lambda_k^{1/2}, from the
spectral decomposition HKH = V Lambda V^T of their centred Gram matrix, and a new point is
projected by means of its kernel values with the training points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._eigen import Eigenpairs
from kmds_lib._embedding import positive_eigenpairs
from kmds_lib._kernel_pca_result import GivenGram, GivenPoints, KernelPCAResult
from kmds_lib._labels import store_labels
from kmds_lib._types import FloatArray
from kmds_lib._validation import LARGEST, SMALLEST, as_gram, as_points
from kmds_lib.kernels import Kernel
from kmds_lib.kernels._kernel_validation import check_kernel
from kmds_lib.kernels._matrices import check_not_constant


@store_labels()
def kernel_pca(X: ArrayLike, kernel: Kernel, n_components: int | float = 2) -> KernelPCAResult:
    r"""Compute the principal components of the feature vectors of points.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    kernel : Kernel
        From `kmds_lib.kernels`, for example ``RBF(theta)``.
    n_components : int or float
        As in `classical_scaling`, with the same errors and warnings.

    Returns
    -------
    KernelPCAResult
        Scores, eigenvalues of :math:`HKH`, and `transform`, `preimage`, `spectrum`. It stores the
        points and not the kernel matrix.

    Raises
    ------
    ValueError
        If `X` has fewer than two rows or is not a finite real matrix, or the kernel matrix
        overflows, underflows or is constant to rounding.

    Warns
    -----
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on :math:`\mathbb R^p`.

    Notes
    -----
    Derived in Chapter 7, Kernel PCA. Scores are :math:`\sqrt\lambda\, v`, as in scikit-learn;
    those of kernlab are :math:`\sqrt n` times as large. The kernel matrix is the only n x n array.
    Source: Schölkopf, Smola & Müller (1998); Williams (2001), Section 3.

    Examples
    --------
    >>> from kmds_lib.kernels import Linear
    >>> fit = kernel_pca([[0.0], [2.0], [7.0]], Linear(), n_components=1)
    >>> fit.points.round(6).ravel(), fit.eigenvalues.round(6)
    (array([-3., -1.,  4.]), array([26.]))
    """
    check_kernel(kernel, "kernel", "pass your own kernel matrix to kernel_pca_from_gram")
    X = as_points(X, min_points=2)
    dimension = X.shape[1]
    kernel.warn_if_indefinite(dimension)
    # If HKH does not change when all points are translated, subtract their mean for accuracy.
    origin = X.mean(axis=0) if kernel.translation_invariant else np.zeros(dimension)
    X = X - origin
    with np.errstate(over="ignore", invalid="ignore"):
        K = kernel.k_minus_value_at_zero(X)
    definite = dimension <= kernel.definiteness.conditional
    decomposition = decompose_centred(K, n_components, distinct=bool((X[0] != X).any()))
    return KernelPCAResult(*decomposition, definite, GivenPoints(kernel, X, origin))


@store_labels(square=True)
def kernel_pca_from_gram(K: ArrayLike, n_components: int | float = 2) -> KernelPCAResult:
    """Compute the principal components of feature vectors from their kernel matrix.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Kernel matrix of at least two training points, not centred: finite and symmetric, but not
        necessarily positive semidefinite (see ``negative_mass`` of the fit).
    n_components : int or float
        As in `classical_scaling`, with the same errors and warnings.

    Returns
    -------
    KernelPCAResult
        Scores, eigenvalues of :math:`HKH`, `transform`, `spectrum`. It stores a copy of `K`.

    Notes
    -----
    Derived in Chapter 7, Kernel PCA. Source: Schölkopf, Smola & Müller (1998).

    Examples
    --------
    >>> fit = kernel_pca_from_gram([[4.0, 2.0], [2.0, 4.0]], n_components=1)
    >>> fit.points.round(6).ravel(), fit.eigenvalues.round(6)
    (array([ 1., -1.]), array([2.]))
    """
    K = as_gram(K, min_objects=2)
    decomposition = decompose_centred(K, n_components)
    return KernelPCAResult(*decomposition, definite=False, _data=GivenGram(K.copy()))


def decompose_centred(
    K: FloatArray, n_components: int | float, *, distinct: bool = False
) -> tuple[Eigenpairs, FloatArray, FloatArray]:
    """Return the leading eigenpairs of HKH, the means of the columns of K, and its diagonal.

    With `distinct`, raise an error if all entries of K are equal, although the objects differ.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        means = K.mean(axis=0)
    diagonal = np.diagonal(K).copy()
    largest = float(np.abs([means, diagonal]).max())
    if not largest <= LARGEST**2 or 0 < largest < SMALLEST**2:
        what = "underflows" if largest < SMALLEST**2 else "overflows"
        raise ValueError(f"The kernel matrix {what}: rescale the data or the kernel's parameters.")
    if distinct:
        check_not_constant(K)
    pairs = positive_eigenpairs(K, n_components, rounding_scale=float(np.abs(diagonal).max()))
    return pairs, means, diagonal
