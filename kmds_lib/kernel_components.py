"""Kernel PCA: principal components of the feature vectors, from the kernel matrix alone.

The feature vectors phi(x_i) never appear. Their centred Gram matrix HKH = V Lambda V^T gives
the scores Y = V_k Lambda_k^{1/2}, and a new point is projected through its kernel values with
the training points.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

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
from kmds_lib._fast.blocks import over_rows
from kmds_lib.embedding import Embedding, Spectrum, keep_positive, keeps_names
from kmds_lib.gram import squared_distances
from kmds_lib.kernels import Kernel
from kmds_lib.kernels.base import check_kernel
from kmds_lib.kernels.values import check_varies

__all__ = ["KernelPCAResult", "kernel_pca", "kernel_pca_from_gram"]


@dataclass(frozen=True, eq=False)
class KernelPCAResult(Embedding):
    """A fit to a kernel matrix; see `Embedding` for its other attributes.

    Attributes
    ----------
    definite : bool
        Whether :math:`HKH` is known to be positive semidefinite.
    kernel : Kernel or None
        The kernel of the fit; None where its matrix was given.
    """

    _means: FloatArray = field(repr=False)
    _diagonal: FloatArray = field(repr=False)
    definite: bool = field(repr=False)
    kernel: Kernel | None
    _training: FloatArray | None = field(repr=False)
    _shift: FloatArray = field(repr=False)
    _gram: FloatArray | None = field(repr=False)

    @property
    def column_means(self) -> FloatArray:
        """Means of the columns of K, shape (n,)."""
        return self._sill + self._means

    @property
    def kernel_diagonal(self) -> FloatArray:
        """Diagonal of K, shape (n,): squared lengths of the feature vectors."""
        return self._sill + self._diagonal

    @property
    def _sill(self) -> float:
        """What K exceeds the matrix of the fit by, in every entry: `Kernel.less_sill`."""
        return 0.0 if self.kernel is None else self.kernel.sill

    @property
    def coefficients(self) -> FloatArray:
        r"""Expansion coefficients in columns, shape (n, k).

        Column r is :math:`\alpha_r = v_r / \sqrt{\lambda_r}`. It sums to zero, and
        :math:`\sum_i \alpha_{ir}\, \varphi(x_i)` is a unit vector.
        """
        return self._coefficients

    @cached_property
    def offsets(self) -> FloatArray:
        """The constant that uncentred projection leaves in each component, shape (k,)."""
        return self.column_means @ self.coefficients

    @cached_property
    def squared_radii(self) -> FloatArray:
        r"""Squared feature-space distances to the mean feature vector, shape (n,).

        The diagonal of :math:`HKH`:
        :math:`k_{ii} - \tfrac2n \sum_j k_{ij} + \tfrac1{n^2} \sum_{j,l} k_{jl}`.
        """
        return self._diagonal - 2 * self._means + float(self._means.mean())

    @cached_property
    def explained(self) -> float:
        """Explained fraction gamma(k): kept eigenvalues, as a part of the sum of all moduli.

        Where the kernel is known to be conditionally positive definite the sum is the trace of
        :math:`HKH`. Elsewhere the whole spectrum is computed on first use.
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

    def transform(self, new: ArrayLike) -> FloatArray:
        """Project new objects on the fitted components.

        Parameters
        ----------
        new : array_like of shape (m, p) or (m, n)
            What the fit was made from, for new objects: points in the variables of the training
            data; or, where a kernel matrix was given, the kernel values of each new object with
            every training object, not centred.

        Returns
        -------
        ndarray of shape (m, k)
            Scores. Training objects come back as ``points``.

        Raises
        ------
        ValueError
            If `new` does not have the columns of the fit, or is not finite.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA. Since each alpha sums to zero, centring leaves one
        constant a component, `offsets`; it is subtracted before the product, entry by entry,
        which keeps the digits of components with small eigenvalues. Rows are taken in chunks,
        whose kernel values fill 8 MiB, whatever m is. What a kernel makes on the way comes on
        top: in twenty variables 1 MiB for `RBF`, and up to 16 for others. Source: Schölkopf,
        Smola & Müller (1998).

        Examples
        --------
        >>> from kmds_lib.kernels import Linear
        >>> fit = kernel_pca([[0.0], [2.0], [7.0]], Linear(), n_components=1)
        >>> fit.transform([[3.0], [4.0]]).round(6)
        array([[0.],
               [1.]])
        >>> fit = kernel_pca_from_gram([[4.0, 2.0], [2.0, 4.0]], n_components=1)
        >>> fit.transform([[4.0, 2.0], [3.0, 3.0]]).round(6)
        array([[1.],
               [0.]])
        """

        def scores(rows: FloatArray, name: str) -> FloatArray:
            return self._less_means(rows) @ self.coefficients

        checked, k, n = self._checked(new), len(self.eigenvalues), len(self._means)
        with np.errstate(over="ignore", invalid="ignore"):
            placed = over_rows(scores, checked, k, n, shown=False, largest=LARGEST**2)
        return as_coordinates(placed, "new")

    def _checked(self, new: ArrayLike) -> FloatArray:
        """Check new objects: points, or rows of values with the training objects."""
        if self._training is None:
            return as_cross(new, len(self.points), "new")
        X_new, p = as_points(new, "new", min_points=0, smallest=0.0), self._training.shape[1]
        if X_new.shape[1] != p:
            raise ValueError(f"new has {X_new.shape[1]} columns, but the fit has {p} variables.")
        return X_new

    def _less_means(self, rows: FloatArray) -> FloatArray:
        """Return kernel values with the training objects, less the column means of the fit."""
        if self.kernel is None or self._training is None:
            return rows - self._means
        K_new = self.kernel.less_sill(rows - self._shift, self._training)
        K_new -= self._means
        return K_new

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
            If the fit has no training points, the kernel's profile has no inverse, `Y` does not
            have k columns, or `n_neighbors` is not between 1 and n.

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
        kernel, training, scores = self._for_preimages(Y)
        n, p = training.shape
        count = check_n_components(n_neighbors, n, "n_neighbors")
        unfitted = self.squared_radii - np.square(self.points).sum(axis=1)

        def place(rows: FloatArray, name: str) -> FloatArray:
            feature = squared_distances(rows, self.points) + unfitted
            near = np.argpartition(feature, count - 1, axis=1)[:, :count]
            values = self.kernel_diagonal[near] - np.take_along_axis(feature, near, axis=1) / 2
            delta = kernel.inverse_profile(values)
            return _place(training[near], np.square(delta))

        made = 4 * max(n, count * p)
        placed: FloatArray = over_rows(place, scores, p, made, shown=False)
        return placed + self._shift

    def _for_preimages(self, Y: ArrayLike) -> tuple[Kernel, FloatArray, FloatArray]:
        """Return the kernel, the training points and checked scores."""
        if self.kernel is None or self._training is None:
            raise ValueError("The fit was not made from points, among which to look: fit points.")
        Y = as_points(Y, "Y", min_points=0, min_columns=0, smallest=0.0)
        k = len(self.eigenvalues)
        if Y.shape[1] != k:
            raise ValueError(
                f"Y has {Y.shape[1]} column(s), but the fit has {k} component(s): give one row "
                f"of {k} score(s) for each pre-image, such as fit.transform(new) returns."
            )
        return self.kernel, self._training, Y

    def _full_spectrum(self) -> Spectrum:
        kernel, X, K = self.kernel, self._training, self._gram
        if K is None:
            assert kernel is not None
            assert X is not None
            K = kernel.less_sill(X)
        return Spectrum(all_eigenvalues(K, centred=True))


@keeps_names
def kernel_pca(X: ArrayLike, kernel: Kernel, n_components: int = 2) -> KernelPCAResult:
    r"""Find the principal components of the feature vectors of points.

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
        Scores, eigenvalues of :math:`HKH`, and `transform`, `preimage`, `spectrum`. It keeps the
        points, not the kernel matrix.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix of at least two rows, `kernel` is not a `Kernel`, the
        kernel matrix overflows, underflows or is constant to rounding, or `n_components` is out
        of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on :math:`\mathbb R^p`.

    Notes
    -----
    Derived in Chapter 7, Kernel PCA. Scores are :math:`\sqrt\lambda\, v`, as in scikit-learn;
    kernlab's are larger by :math:`\sqrt n`. The only array of size n x n is the kernel matrix
    itself. Source: Schölkopf, Smola & Müller (1998); Williams (2001), Section 3.

    Examples
    --------
    >>> from kmds_lib.kernels import Linear
    >>> fit = kernel_pca([[0.0], [2.0], [7.0]], Linear(), n_components=1)
    >>> fit.points.round(6).ravel(), fit.eigenvalues.round(6)
    (array([-3., -1.,  4.]), array([26.]))
    """
    return fit_points(X, kernel, n_components)[0]


@keeps_names
def kernel_pca_from_gram(K: ArrayLike, n_components: int = 2) -> KernelPCAResult:
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
    KernelPCAResult
        Scores, eigenvalues of :math:`HKH`, `transform`, `spectrum`. It keeps a copy of `K`.

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
    spectral = decompose(K, k)
    return KernelPCAResult(*spectral, False, None, None, np.zeros(0), K.copy())


def fit_points(
    X: ArrayLike, kernel: Kernel, n_components: int
) -> tuple[KernelPCAResult, FloatArray]:
    """Check points and kernel; return the fit and the kernel matrix, less its sill.

    Where HKH does not see a common shift, the points are first moved to their mean.
    """
    check_kernel(kernel, "kernel", "pass your own kernel matrix to kernel_pca_from_gram")
    X = as_points(X, min_points=2)
    k = check_n_components(n_components, len(X) - 1)
    dimension = X.shape[1]
    kernel.warn_outside(dimension)
    shift = X.mean(axis=0) if kernel.shift_free else np.zeros(dimension)
    X = X - shift
    with np.errstate(over="ignore", invalid="ignore"):
        K = kernel.less_sill(X)
    definite = dimension <= kernel.definiteness.conditional
    spectral = decompose(K, k, distinct=bool((X[0] != X).any()))
    return KernelPCAResult(*spectral, definite, kernel, X, shift, None), K


def decompose(
    K: FloatArray, k: int, *, distinct: bool = False
) -> tuple[Eigenpairs, FloatArray, FloatArray]:
    """Return the k leading eigenpairs of HKH, the means of the columns of K, and its diagonal.

    Where the objects are known to be distinct, a kernel matrix of equal values is refused.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        means = K.mean(axis=0)
    diagonal = np.diagonal(K).copy()
    largest = float(np.abs([means, diagonal]).max())
    if not largest <= LARGEST**2 or 0 < largest < SMALLEST**2:
        what = "underflows" if largest < SMALLEST**2 else "overflows"
        raise ValueError(f"The kernel matrix {what}: rescale the data or the kernel's parameters.")
    if distinct:
        check_varies(K)
    pairs = solve(K, k, centred=True)
    scale = max(pairs.scale, float(np.abs(diagonal).max()))
    return keep_positive(replace(pairs, scale=scale)), means, diagonal


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
