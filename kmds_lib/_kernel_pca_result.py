"""What kernel PCA and kernel MDS return: one configuration, from a kernel matrix alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    LARGEST,
    FloatArray,
    as_coordinates,
    as_cross,
    as_points,
    check_n_components,
)
from kmds_lib._disparities import Shepard
from kmds_lib._eigen import all_eigenvalues
from kmds_lib._embedding import Embedding, Spectrum
from kmds_lib._fast.blocks import map_rows
from kmds_lib._gram import distances, squared_distances
from kmds_lib.kernels import Kernel
from kmds_lib.kernels._base import profile_of

__all__ = ["KernelPCAResult"]


@dataclass(frozen=True, eq=False)
class KernelPCAResult(Embedding):
    """A fit to a kernel matrix; see `Embedding` for its other attributes.

    What `kernel_pca` and `kernel_mds` return: one configuration, seen from the feature vectors or
    from the distances between them. It keeps what was given, and makes the kernel matrix from it
    again where it is asked for.

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
    _training: FloatArray = field(repr=False)
    _shift: FloatArray | None = field(repr=False)

    @property
    def dissimilarities(self) -> FloatArray:
        """The given dissimilarities, or the distances between the given points, shape (n, n).

        A fit to a kernel matrix has none.
        """
        if self.kernel is None:
            raise AttributeError(
                "The fit was made from a kernel matrix: it has feature_distances."
            )
        return self._training if self._shift is None else distances(self._training)

    @property
    def gram(self) -> FloatArray:
        """Kernel matrix K, not centred, shape (n, n)."""
        return self._value_at_zero + self._gram_minus_value_at_zero()

    @property
    def feature_distances(self) -> FloatArray:
        r"""Distances between feature vectors, shape (n, n).

        They are :math:`\sqrt{k_{ii} + k_{jj} - 2 k_{ij}}`, which for an isotropic kernel is
        :math:`\sqrt{2\,(r(0) - r(\delta))}`.
        """
        squares = self._diagonal[:, None] + self._diagonal - 2 * self._gram_minus_value_at_zero()
        return np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)

    @property
    def column_means(self) -> FloatArray:
        """Means of the columns of K, shape (n,)."""
        return self._value_at_zero + self._means

    @property
    def kernel_diagonal(self) -> FloatArray:
        """Diagonal of K, shape (n,): squared lengths of the feature vectors."""
        return self._value_at_zero + self._diagonal

    @property
    def _value_at_zero(self) -> float:
        """Return k(0), which `Kernel.minus_value_at_zero` has subtracted from every entry."""
        return 0.0 if self.kernel is None else self.kernel.value_at_zero

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

    def shepard(self) -> Shepard:
        """Return dissimilarity, feature distance and fitted distance of every pair.

        Returns
        -------
        Shepard

        Notes
        -----
        Used in Chapter 8, Kernel MDS. Source: Williams (2001), Section 5.

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
            What the fit was made from, for new objects: points in the variables of the training
            data; the dissimilarity of each to every training object, in the units of the fit; or,
            where a kernel matrix was given, the kernel values of each new object with every
            training object, not centred.

        Returns
        -------
        ndarray of shape (m, k)
            Scores. Training objects come back as ``points``.

        Raises
        ------
        ValueError
            If `new` does not have the columns of the fit, is not finite, or holds negative
            dissimilarities.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA, and Chapter 8, Kernel MDS. Since each alpha sums to zero,
        centring leaves one constant a component, `offsets`; it is subtracted before the product,
        entry by entry, which keeps the digits of components with small eigenvalues. Rows are taken
        in chunks, whose kernel values fill 8 MiB, whatever m is. What a kernel makes on the way
        comes on top: in twenty variables 1 MiB for `RBF`, and up to 16 for others. Source:
        Schölkopf, Smola & Müller (1998); Williams (2001), Remark 3, with the coefficients divided
        by :math:`\sqrt\lambda` and the kernel centred.

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

        def scores(rows: FloatArray, name: str) -> FloatArray:
            return self._less_means(rows) @ self.coefficients

        checked, k, n = self._checked(new), len(self.eigenvalues), len(self._means)
        with np.errstate(over="ignore", invalid="ignore"):
            placed = map_rows(scores, checked, k, n, show_progress=False, largest=LARGEST**2)
        return as_coordinates(placed)

    def _checked(self, new: ArrayLike) -> FloatArray:
        """Check new objects: points, or rows of a table with the training objects."""
        if self._shift is None:
            nonnegative = self.kernel is not None
            return as_cross(new, len(self.points), "new", nonnegative=nonnegative)
        X_new, p = as_points(new, "new", min_points=0, smallest=0.0), len(self._shift)
        if X_new.shape[1] != p:
            raise ValueError(f"new has {X_new.shape[1]} columns, but the fit has {p} variables.")
        return X_new

    def _less_means(self, rows: FloatArray) -> FloatArray:
        """Return kernel values with the training objects, less the column means of the fit."""
        if self.kernel is None:
            return rows - self._means
        if self._shift is None:
            values = profile_of(self.kernel).r_minus_value_at_zero(rows)
        else:
            values = self.kernel.minus_value_at_zero(rows - self._shift, self._training)
        values -= self._means
        return values

    def _gram_minus_value_at_zero(self) -> FloatArray:
        """Return K less the sill, from the points, the dissimilarities or the given K."""
        if self.kernel is None:
            return self._training
        if self._shift is None:
            return profile_of(self.kernel).r_minus_value_at_zero(self._training)
        return self.kernel.minus_value_at_zero(self._training)

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
        >>> from kmds_lib import RBF, kernel_pca
        >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
        >>> fit = kernel_pca(X, RBF(0.5), n_components=3)
        >>> fit.preimage(fit.points[3:], n_neighbors=4).round(6)
        array([[2., 2.]])
        """
        kernel, shift, scores = self._for_preimages(Y)
        training, (n, p) = self._training, self._training.shape
        count = check_n_components(n_neighbors, n, "n_neighbors")
        unfitted = self.squared_radii - np.square(self.points).sum(axis=1)

        def place(rows: FloatArray, name: str) -> FloatArray:
            feature = squared_distances(rows, self.points) + unfitted
            near = np.argpartition(feature, count - 1, axis=1)[:, :count]
            values = self.kernel_diagonal[near] - np.take_along_axis(feature, near, axis=1) / 2
            delta = kernel.inverse_profile(values)
            return _place(training[near], np.square(delta))

        made = 4 * max(n, count * p)
        placed: FloatArray = map_rows(place, scores, p, made, show_progress=False)
        return placed + shift

    def _for_preimages(self, Y: ArrayLike) -> tuple[Kernel, FloatArray, FloatArray]:
        """Return the kernel, the shift of the training points and checked scores."""
        if self.kernel is None or self._shift is None:
            raise ValueError("The fit was not made from points, among which to look: fit points.")
        Y = as_points(Y, "Y", min_points=0, min_columns=0, smallest=0.0)
        k = len(self.eigenvalues)
        if Y.shape[1] != k:
            raise ValueError(
                f"Y has {Y.shape[1]} column(s), but the fit has {k} component(s): give one row "
                f"of {k} score(s) for each pre-image, such as fit.transform(new) returns."
            )
        return self.kernel, self._shift, Y

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._gram_minus_value_at_zero(), centred=True))


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
