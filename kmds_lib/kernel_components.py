"""Kernel PCA: principal components of the feature vectors, from the kernel matrix alone.

The feature vectors phi(x_i) never appear. Their centred Gram matrix HKH = V Lambda V^T gives
the scores Y = V_k Lambda_k^{1/2}, and a new point is projected through its kernel values with
the training points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    LARGEST,
    SMALLEST,
    FloatArray,
    as_coordinates,
    as_cross,
    as_gram,
    as_points,
    check_n_components,
)
from kmds_lib._eigen import Eigenpairs, all_eigenvalues, solve
from kmds_lib.embedding import Embedding, Spectrum, keep_positive
from kmds_lib.gram import squared_distances
from kmds_lib.kernels import Kernel

__all__ = [
    "GramPCAResult",
    "KernelEmbedding",
    "KernelPCAResult",
    "kernel_pca",
    "kernel_pca_from_gram",
]

_CHUNK_ENTRIES = 2**20


@dataclass(frozen=True, eq=False)
class KernelEmbedding(Embedding):
    """What every fit to a kernel matrix shares: kernel PCA and kernel MDS.

    Attributes
    ----------
    column_means : ndarray of shape (n,)
        Means of the columns of K.
    kernel_diagonal : ndarray of shape (n,)
        Diagonal of K: squared lengths of the feature vectors.
    definite : bool
        Whether HKH is known to be positive semidefinite.
    """

    column_means: FloatArray = field(repr=False)
    kernel_diagonal: FloatArray = field(repr=False)
    definite: bool = field(repr=False)

    @property
    def coefficients(self) -> FloatArray:
        """Expansion coefficients alpha_r = v_r / sqrt(lambda_r) in columns, shape (n, k).

        Each column sums to zero, and sum_i alpha_ir phi(x_i) is a unit vector.
        """
        return self._coefficients

    @cached_property
    def offsets(self) -> FloatArray:
        """The constant that uncentred projection leaves in each component, shape (k,)."""
        return self.column_means @ self.coefficients

    @cached_property
    def squared_radii(self) -> FloatArray:
        """Squared feature-space distances to the mean feature vector, shape (n,).

        The diagonal of HKH: k_ii - 2 mean_j k_ij + mean_jl k_jl.
        """
        mean = float(self.column_means.mean())
        return self.kernel_diagonal - 2 * self.column_means + mean

    @cached_property
    def explained(self) -> float:
        """Explained fraction gamma(k): kept eigenvalues, as a part of the sum of all moduli.

        Where the kernel is known to be conditionally positive definite the sum is the trace of
        HKH. Elsewhere the whole spectrum is computed on first use.
        """
        total = self.squared_radii.sum()
        if self.definite and len(self.eigenvalues) and total > 0:
            return min(1.0, float(self.eigenvalues.sum() / total))
        return super().explained

    @property
    def residual_sum(self) -> float:
        """Sum over ordered pairs of squared feature distance minus squared fitted distance.

        Equals 2 n times the sum of the eigenvalues left out (Williams 2001, Section 5).
        """
        left_out = self.squared_radii.sum() - self.eigenvalues.sum()
        return float(2 * len(self.points) * left_out)


@dataclass(frozen=True, eq=False)
class GramPCAResult(KernelEmbedding):
    """Fit of `kernel_pca_from_gram`; see `KernelEmbedding` for its attributes."""

    _gram: FloatArray = field(repr=False)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Project new points, given by their kernel values with the training points.

        Parameters
        ----------
        new : array_like of shape (m, n)
            Entries k(new point, training point), not centred.

        Returns
        -------
        ndarray of shape (m, k)
            Scores on the fitted components.

        Raises
        ------
        ValueError
            If `new` does not have n columns, or is not finite.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA. Since each alpha sums to zero, centring leaves one
        constant a component, `offsets`; it is subtracted before the product, entry by entry,
        which keeps the digits of components with small eigenvalues. Source: Schölkopf, Smola &
        Müller (1998).

        Examples
        --------
        >>> fit = kernel_pca_from_gram([[4.0, 2.0], [2.0, 4.0]], n_components=1)
        >>> fit.transform([[4.0, 2.0], [3.0, 3.0]]).round(6)
        array([[1.],
               [0.]])
        """
        K_new = as_cross(new, len(self.points), "new")
        return as_coordinates((K_new - self.column_means) @ self.coefficients, "new")

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._gram, centred=True))


@dataclass(frozen=True, eq=False)
class KernelPCAResult(KernelEmbedding):
    """Fit of `kernel_pca`; see `KernelEmbedding` for its other attributes.

    Attributes
    ----------
    kernel : Kernel
        The kernel of the fit.
    """

    kernel: Kernel
    _training: FloatArray = field(repr=False)
    _shift: FloatArray = field(repr=False)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Project new points on the fitted components.

        Parameters
        ----------
        new : array_like of shape (m, p)
            Points in the variables of the training data.

        Returns
        -------
        ndarray of shape (m, k)
            Scores. Training points come back as ``points``.

        Raises
        ------
        ValueError
            If `new` is not a finite real matrix with p columns.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA. Rows are taken in chunks: beyond input and output the
        memory is about 8 MiB, whatever m is.

        Examples
        --------
        >>> from kmds_lib.kernels import Linear
        >>> fit = kernel_pca([[0.0], [2.0], [7.0]], Linear(), n_components=1)
        >>> fit.transform([[3.0], [4.0]]).round(6)
        array([[0.],
               [1.]])
        """
        return project_points(self, self.kernel, new, self._training, self._shift)

    def preimage(self, Y: ArrayLike, n_neighbors: int = 10) -> FloatArray:
        """Return points of the input space whose feature vectors come close to given scores.

        Parameters
        ----------
        Y : array_like of shape (m, k)
            Scores, for example ``fit.transform(X_noisy)``.
        n_neighbors : int
            Number of training points, nearest in feature space, that fix each pre-image.

        Returns
        -------
        ndarray of shape (m, p)
            Approximate pre-images, in the affine span of their neighbours.

        Raises
        ------
        ValueError
            If the kernel's profile has no inverse, `Y` does not have k columns, or
            `n_neighbors` is not between 1 and n.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA. Feature distances to the training points are turned
        into input distances by the inverse profile, and the point is placed by them as Gower
        places a new point. No iteration. Source: Kwok & Tsang (2004).

        Examples
        --------
        >>> from kmds_lib.kernels import RBF
        >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
        >>> fit = kernel_pca(X, RBF(0.5), n_components=3)
        >>> fit.preimage(fit.points[3:], n_neighbors=4).round(6)
        array([[2., 2.]])
        """
        Y = as_points(Y, "Y", min_points=0, min_columns=0, smallest=0.0)
        k, (n, p) = len(self.eigenvalues), self._training.shape
        if Y.shape[1] != k:
            raise ValueError(
                f"Y has {Y.shape[1]} column(s), but the fit has {k} component(s): give one row "
                f"of {k} score(s) for each pre-image, such as fit.transform(new) returns."
            )
        count = check_n_components(n_neighbors, n, "n_neighbors")
        unfitted = self.squared_radii - np.square(self.points).sum(axis=1)
        preimages = np.empty((len(Y), p))
        for rows in _chunks(len(Y), 4 * max(n, count * p)):
            feature = squared_distances(Y[rows], self.points) + unfitted
            near = np.argpartition(feature, count - 1, axis=1)[:, :count]
            values = self.kernel_diagonal[near] - np.take_along_axis(feature, near, axis=1) / 2
            delta = self.kernel.inverse_profile(values)
            preimages[rows] = _place(self._training[near], np.square(delta))
        return preimages + self._shift

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self.kernel.gram(self._training), centred=True))


def kernel_pca(X: ArrayLike, kernel: Kernel, n_components: int = 2) -> KernelPCAResult:
    """Find the principal components of the feature vectors of points.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    kernel : Kernel
        From `kmds_lib.kernels`, for example ``RBF(theta)``.
    n_components : int
        Number of components, from 1 to n - 1.

    Returns
    -------
    KernelPCAResult
        Scores, eigenvalues of HKH, and `transform`, `preimage`, `spectrum`. It keeps the
        points, not the kernel matrix.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix of at least two rows, `kernel` is not a `Kernel`, the
        kernel matrix over- or underflows, or `n_components` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on R^p.

    Notes
    -----
    Derived in Chapter 7, Kernel PCA. Scores are sqrt(lambda) v, as in scikit-learn; kernlab's
    are larger by sqrt(n). The only array of size n x n is the kernel matrix itself. Source:
    Schölkopf, Smola & Müller (1998); Williams (2001), Section 3.

    Examples
    --------
    >>> from kmds_lib.kernels import Linear
    >>> fit = kernel_pca([[0.0], [2.0], [7.0]], Linear(), n_components=1)
    >>> fit.points.round(6).ravel(), fit.eigenvalues.round(6)
    (array([-3., -1.,  4.]), array([26.]))
    """
    fit = fit_points(X, kernel, n_components)
    return KernelPCAResult(*fit.to_gram, kernel, fit.points, fit.shift)


def kernel_pca_from_gram(K: ArrayLike, n_components: int = 2) -> GramPCAResult:
    """Find principal components from a kernel matrix that is already there.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Kernel matrix of the training points, not centred. It need not be positive
        semidefinite: see ``negative_mass`` of the fit.
    n_components : int
        Number of components, from 1 to n - 1.

    Returns
    -------
    GramPCAResult
        Scores, eigenvalues of HKH, `transform`, `spectrum`. It keeps a copy of `K`.

    Raises
    ------
    ValueError
        If `K` is not a real, finite, symmetric matrix of order at least 2, or `n_components`
        is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.

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
    k = check_n_components(n_components, len(K) - 1)
    return GramPCAResult(*fit_gram(K, k, definite=False), K.copy())


class GramFit(NamedTuple):
    """A fit to a kernel matrix: the attributes of `KernelEmbedding`, in their order."""

    pairs: Eigenpairs
    column_means: FloatArray
    kernel_diagonal: FloatArray
    definite: bool


class PointFit(NamedTuple):
    """A fit to points.

    Attributes
    ----------
    to_gram : GramFit
        The fit to their kernel matrix.
    points, shift : ndarray
        What the kernel was applied to, and what had been subtracted from it.
    gram : ndarray of shape (n, n)
        The kernel matrix.
    """

    to_gram: GramFit
    points: FloatArray
    shift: FloatArray
    gram: FloatArray


def fit_points(X: ArrayLike, kernel: Kernel, n_components: int) -> PointFit:
    """Check points and kernel, and fit; called by `kernel_pca` and `kernel_mds_from_points`.

    Where HKH does not see a common shift, the points are first moved to their mean.

    Parameters
    ----------
    X, kernel, n_components
        As in `kernel_pca`.

    Returns
    -------
    PointFit
    """
    if not isinstance(kernel, Kernel):
        raise ValueError(
            f"kernel is {kernel!r}; give one from kmds_lib.kernels, or pass your own kernel "
            "matrix to kernel_pca_from_gram."
        )
    X = as_points(X, min_points=2)
    k = check_n_components(n_components, len(X) - 1)
    dimension = X.shape[1]
    kernel.warn_outside(dimension)
    shift = X.mean(axis=0) if kernel.shift_free else np.zeros(dimension)
    X = X - shift
    with np.errstate(over="ignore", invalid="ignore"):
        K = kernel.gram(X)
    definite = dimension <= kernel.definiteness.conditional
    return PointFit(
        fit_gram(K, k, definite=definite, distinct=bool((X[0] != X).any())), X, shift, K
    )


def fit_gram(K: FloatArray, k: int, *, definite: bool, distinct: bool = False) -> GramFit:
    """Fit to a kernel matrix.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Symmetric kernel matrix.
    k : int
        Number of components, already checked.
    definite : bool
        Whether HKH is known to be positive semidefinite.
    distinct : bool
        Whether the objects are known to differ, so that a kernel matrix of zeros is underflow.

    Returns
    -------
    GramFit

    Raises
    ------
    ValueError
        If the kernel matrix overflows or underflows.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        means = K.mean(axis=0)
    diagonal = np.diagonal(K).copy()
    largest = float(np.abs([means, diagonal]).max())
    if not largest <= LARGEST or (0 < largest < SMALLEST) or (distinct and largest == 0):
        what = "underflows" if largest < SMALLEST else "overflows"
        raise ValueError(f"The kernel matrix {what}: rescale the data or the kernel's parameters.")
    pairs = solve(K, k, centred=True)
    scale = max(pairs.scale, float(np.abs(diagonal).max()))
    return GramFit(keep_positive(replace(pairs, scale=scale)), means, diagonal, definite)


def project_points(
    fit: KernelEmbedding,
    kernel: Kernel,
    new: ArrayLike,
    training: FloatArray,
    shift: FloatArray,
) -> FloatArray:
    """Project new points through their kernel values, a chunk of rows at a time.

    Parameters
    ----------
    fit : KernelEmbedding
        The fit.
    kernel : Kernel
        Its kernel.
    new : array_like of shape (m, p)
        New points.
    training, shift : ndarray
        What the kernel of the fit was applied to, and what had been subtracted from it.

    Returns
    -------
    ndarray of shape (m, k)
    """
    X_new = as_points(new, "new", min_points=0, smallest=0.0)
    if X_new.shape[1] != training.shape[1]:
        raise ValueError(
            f"new has {X_new.shape[1]} columns, but the fit has {training.shape[1]} variables."
        )
    scores = np.empty((len(X_new), len(fit.eigenvalues)))
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in _chunks(len(X_new), len(training)):
            K_new = kernel.cross(X_new[rows] - shift, training)
            K_new -= fit.column_means
            scores[rows] = K_new @ fit.coefficients
    return as_coordinates(scores, "new")


def _chunks(n_new: int, n_training: int) -> Iterator[slice]:
    rows = max(1, _CHUNK_ENTRIES // n_training)
    return (slice(start, start + rows) for start in range(0, n_new, rows))


def _place(neighbours: FloatArray, squares: FloatArray) -> FloatArray:
    """Gower's add-a-point: the points in the spans of their neighbours nearest to the distances.

    Neighbours have shape (m, count, p), squared distances (m, count).
    """
    mean: FloatArray = neighbours.mean(axis=1)
    centred = neighbours - mean[:, None]
    left, s, axes = np.linalg.svd(centred, full_matrices=False)
    kept = s > 1e-10 * np.maximum(s[:, :1], np.finfo(float).tiny)
    own = np.square(centred).sum(axis=2)
    scores = np.einsum("mcr,mc->mr", left, own - squares)
    scores = np.divide(scores, 2 * s, out=np.zeros_like(s), where=kept)
    moves: FloatArray = np.einsum("mr,mrp->mp", scores, axes)
    return mean + moves
