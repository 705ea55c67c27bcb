"""The result of kernel PCA and kernel MDS, which give the same configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._disparities import Shepard
from kmds_lib._eigen import all_eigenvalues
from kmds_lib._embedding import Embedding, Spectrum
from kmds_lib._gram import distances, squared_distances
from kmds_lib._messages import plural
from kmds_lib._parameters import check_count_up_to
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_coordinates, as_new_points, as_new_rows, as_points
from kmds_lib.kernels import Kernel

BLOCK_ENTRIES = 2**20
"""Entries of an intermediate array, which needs 8 MiB."""


@dataclass(frozen=True, eq=False)
class GivenPoints:
    """The points of a fit, in the rows of X, after `origin` was subtracted from each."""

    kernel: Kernel
    X: FloatArray
    origin: FloatArray

    @property
    def dissimilarities(self) -> FloatArray:
        """Return the distances between the points."""
        return distances(self.X)

    def gram(self) -> FloatArray:
        """Return K - k(0)."""
        return self.kernel.k_minus_value_at_zero(self.X)

    def checked_new(self, new: ArrayLike) -> FloatArray:
        """Return the new points, from which the origin is not subtracted."""
        return as_new_points(new, len(self.origin))

    def cross(self, new: FloatArray) -> FloatArray:
        """Return k(x, x_j) - k(0) for new points x, as a new array."""
        return self.kernel.k_minus_value_at_zero(new - self.origin, self.X)


@dataclass(frozen=True, eq=False)
class GivenDissimilarities:
    """The dissimilarities of a fit."""

    kernel: Kernel
    dissimilarities: FloatArray

    def gram(self) -> FloatArray:
        """Return K - k(0)."""
        return self.kernel.r_minus_value_at_zero(self.dissimilarities)

    def checked_new(self, new: ArrayLike) -> FloatArray:
        """Return the dissimilarities between new objects and those of the fit."""
        D = self.dissimilarities
        return as_new_rows(new, len(D), "new", nonnegative=True, fit_scale=D.max)

    def cross(self, new: FloatArray) -> FloatArray:
        """Return r(delta) - r(0) for the dissimilarities of new objects, as a new array."""
        return self.kernel.r_minus_value_at_zero(new)


@dataclass(frozen=True, eq=False)
class GivenGram:
    """The kernel matrix of a fit."""

    K: FloatArray
    kernel = None

    def gram(self) -> FloatArray:
        """Return K."""
        return self.K

    def checked_new(self, new: ArrayLike) -> FloatArray:
        """Return the kernel values of new objects with those of the fit."""
        return as_new_rows(new, len(self.K), "new")

    def cross(self, new: FloatArray) -> FloatArray:
        """Return the kernel values of new objects, as a new array."""
        return new.copy()


@dataclass(frozen=True, eq=False, repr=False)
class KernelPCAResult(Embedding):
    """Result of `kernel_pca` and `kernel_mds`; see `Embedding` for its other attributes.

    The configuration approximates the feature vectors up to translation and rotation, and the
    distances between them. The result stores the data of the fit, from which it computes the
    kernel matrix again on demand.

    Attributes
    ----------
    definite : bool
        True if :math:`HKH` is known to be positive semidefinite.
    """

    _printed = ("eigenvalues", "kernel")
    _means: FloatArray
    _diagonal: FloatArray
    definite: bool
    _data: GivenPoints | GivenDissimilarities | GivenGram

    @property
    def kernel(self) -> Kernel | None:
        """Return the kernel of the fit, or None if its matrix was given."""
        return self._data.kernel

    @property
    def dissimilarities(self) -> FloatArray:
        """Return the given dissimilarities, or the distances between the points, shape (n, n).

        A fit to a kernel matrix raises AttributeError.
        """
        if isinstance(self._data, GivenGram):
            raise AttributeError(
                "A fit to a kernel matrix has no dissimilarities; use feature_distances."
            )
        return self._data.dissimilarities

    @property
    def gram(self) -> FloatArray:
        """Return the kernel matrix K, not centred, shape (n, n)."""
        return self._value_at_zero + self._data.gram()

    @property
    def feature_distances(self) -> FloatArray:
        r"""Return the distances between feature vectors, shape (n, n).

        They are :math:`\sqrt{k_{ii} + k_{jj} - 2 k_{ij}}`, which for an isotropic kernel is
        :math:`\sqrt{2\,(r(0) - r(\delta))}`.
        """
        squares = self._diagonal[:, None] + self._diagonal - 2 * self._data.gram()
        return np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)

    @property
    def column_means(self) -> FloatArray:
        """Return the means of the columns of K, shape (n,)."""
        return self._value_at_zero + self._means

    @property
    def kernel_diagonal(self) -> FloatArray:
        """Return the diagonal of K, shape (n,): squared lengths of the feature vectors."""
        return self._value_at_zero + self._diagonal

    @property
    def _value_at_zero(self) -> float:
        """Return the constant that `Kernel.k_minus_value_at_zero` subtracts from all entries."""
        return 0.0 if self.kernel is None else self.kernel.value_at_zero

    @property
    def coefficients(self) -> FloatArray:
        r"""Return the expansion coefficients in columns, shape (n, k).

        Column r is :math:`\alpha_r = v_r / \sqrt{\lambda_r}`. It sums to zero, and
        :math:`\sum_i \alpha_{ir}\, \varphi(x_i)` is a unit vector.
        """
        return self._coefficients

    @cached_property
    def offsets(self) -> FloatArray:
        """Return the constants that centring the kernel subtracts from the scores, shape (k,)."""
        return self.column_means @ self.coefficients

    @cached_property
    def squared_radii(self) -> FloatArray:
        r"""Return the squared distances between feature vectors and their mean, shape (n,).

        They are the diagonal of :math:`HKH`,
        :math:`k_{ii} - \tfrac2n \sum_j k_{ij} + \tfrac1{n^2} \sum_{j,l} k_{jl}`.
        """
        return self._diagonal - 2 * self._means + float(self._means.mean())

    @cached_property
    def explained(self) -> float:
        """Return the sum of the kept eigenvalues, divided by the sum of all absolute values.

        If the kernel is known to be conditionally positive definite, this sum is the trace of
        :math:`HKH`. Otherwise the whole spectrum is computed on first use.
        """
        total = self.squared_radii.sum()
        if self.definite and len(self.eigenvalues) and total > 0:
            return min(1.0, float(self.eigenvalues.sum() / total))
        return super().explained

    @property
    def residual_sum(self) -> float:
        """Return the sum, over ordered pairs, of squared feature minus squared fitted distances.

        It equals 2 n times the sum of the discarded eigenvalues (Williams 2001, Section 5).
        """
        discarded = self.squared_radii.sum() - self.eigenvalues.sum()
        return float(2 * len(self.points) * discarded)

    def shepard(self) -> Shepard:
        """Return a `Shepard` with dissimilarity, feature and fitted distance of every pair.

        Notes
        -----
        Used in Chapter 8, Kernel multidimensional scaling. Source: Williams (2001), Section 5.

        Examples
        --------
        >>> from kmds_lib import RBF, kernel_mds
        >>> fit = kernel_mds([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]], RBF(0.1), 1)
        >>> shepard = fit.shepard()
        >>> shepard.delta
        array([3., 4., 5.])
        >>> bool(np.all(shepard.fitted <= shepard.target))
        True
        """
        return Shepard.of_pairs(self.dissimilarities, self.feature_distances, self.points)

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Project new objects on the fitted components.

        Parameters
        ----------
        new : array_like of shape (m, p) or (m, n)
            After a fit to points, points in the same variables. After a fit to dissimilarities,
            those between each new and each training object, in the same units. After a fit to a
            kernel matrix, the kernel values of each new object with each training object, not
            centred.

        Returns
        -------
        ndarray of shape (m, k)
            Scores. Training objects get those in ``points``.

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns, is not finite, or contains negative
            dissimilarities.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA, and Chapter 8, Kernel multidimensional scaling. Since
        each column alpha of the coefficients sums to zero, centring the kernel changes each
        component by a constant (see `offsets`). The column means are subtracted from the kernel
        values before the product, so that components with small eigenvalues are accurate. The rows
        are processed in blocks with 8 MiB of kernel values. Intermediate results of the kernel
        need further memory: for twenty variables 1 MiB with `RBF`, and up to 16 MiB with others.
        Source: Schölkopf, Smola & Müller (1998); Williams (2001), Remark 3, with the coefficients
        divided by :math:`\sqrt\lambda` and the kernel centred.

        Examples
        --------
        >>> from kmds_lib import Linear, kernel_pca, kernel_pca_from_gram
        >>> fit = kernel_pca([[0.0], [2.0], [7.0]], Linear(), n_components=1)
        >>> fit.transform([[3.0], [4.0]]).round(6)
        array([[0.],
               [1.]])
        >>> fit = kernel_pca_from_gram([[4.0, 2.0], [2.0, 4.0]], n_components=1)
        >>> fit.transform([[4.0, 2.0], [3.0, 3.0]]).round(6)
        array([[1.],
               [0.]])
        """
        self._check_columns(new)

        def scores(rows: FloatArray) -> FloatArray:
            values = self._data.cross(rows)
            values -= self._means
            # The product with few rows in front takes a third less time than the other order.
            return (self.coefficients.T @ values.T).T

        checked, k, n = self._data.checked_new(new), len(self.eigenvalues), len(self._means)
        with np.errstate(over="ignore", invalid="ignore"):
            return as_coordinates(_map_rows(scores, checked, k, n))

    def preimage(self, Y: ArrayLike, n_neighbors: int = 10) -> FloatArray:
        """Return pre-images: points whose feature vectors are close to those with given scores.

        Parameters
        ----------
        Y : array_like of shape (m, k)
            Scores, for example ``fit.transform(X_noisy)``.
        n_neighbors : int
            Number of training points, the closest in feature space, that determine each pre-image.

        Returns
        -------
        ndarray of shape (m, p)
            Approximate pre-images, in the affine spans of their neighbours.

        Raises
        ------
        ValueError
            If the fit has no training points, the profile of the kernel has no inverse, `Y` does
            not have k columns, or `n_neighbors` is not between 1 and n.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA. The inverse profile converts the feature distances to
        the neighbours into input distances, and Gower's formula for an added point places the
        pre-image. There is no iteration. Source: Kwok & Tsang (2004).

        Examples
        --------
        >>> from kmds_lib import RBF, kernel_pca
        >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
        >>> fit = kernel_pca(X, RBF(0.5), n_components=3)
        >>> fit.preimage(fit.points[3:], n_neighbors=4).round(6)
        array([[2., 2.]])
        """
        data = self._data
        if not isinstance(data, GivenPoints):
            raise ValueError(
                "Pre-images need a fit to points, but this fit was not made from points."
            )
        scores, (n, p) = self._checked_scores(Y), data.X.shape
        count = check_count_up_to(n_neighbors, n, "n_neighbors")
        outside = self.squared_radii - np.square(self.points).sum(axis=1)

        def place(rows: FloatArray) -> FloatArray:
            feature_squares = squared_distances(rows, self.points) + outside
            near = np.argpartition(feature_squares, count - 1, axis=1)[:, :count]
            to_near = np.take_along_axis(feature_squares, near, axis=1)
            delta = data.kernel.inverse_profile(self.kernel_diagonal[near] - to_near / 2)
            return _add_points(data.X[near], np.square(delta))

        return _map_rows(place, scores, p, values=4 * max(n, count * p)) + data.origin

    def _checked_scores(self, Y: ArrayLike) -> FloatArray:
        Y = as_points(Y, "Y", min_points=0, min_columns=0, smallest=0.0)
        k = len(self.eigenvalues)
        if Y.shape[1] != k:
            raise ValueError(
                f"Y has {plural(Y.shape[1], 'column')}, but the fit has "
                f"{plural(k, 'component')}: give a score for each, such as those of "
                "fit.transform(new)."
            )
        return Y

    @cached_property
    def _spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._data.gram(), centring=True))


def _map_rows(
    function: Callable[[FloatArray], FloatArray], X: FloatArray, k: int, values: int
) -> FloatArray:
    """Return the (n, k) values of a function of the rows of X, in blocks to limit the memory.

    The function needs an intermediate array with `values` numbers for each row.
    """
    out, height = np.empty((len(X), k)), max(1, BLOCK_ENTRIES // max(values, 1))
    for start in range(0, len(X), height):
        rows = slice(start, start + height)
        out[rows] = function(X[rows])
    return out


def _add_points(neighbours: FloatArray, squares: FloatArray) -> FloatArray:
    """Place points in the affine spans of their neighbours by Gower's formula.

    Neighbours have shape (m, count, p), squared distances to them (m, count).
    """
    mean: FloatArray = neighbours.mean(axis=1)
    centred = neighbours - mean[:, None]
    left, s, axes = np.linalg.svd(centred, full_matrices=False)
    nonzero = s > 1e-10 * np.maximum(s[:, :1], np.finfo(float).tiny)
    squared_lengths = np.square(centred).sum(axis=2)
    scores = np.einsum("mcr,mc->mr", left, squared_lengths - squares)
    scores = np.divide(scores, 2 * s, out=np.zeros_like(s), where=nonzero)
    from_mean: FloatArray = np.einsum("mr,mrp->mp", scores, axes)
    return mean + from_mean
