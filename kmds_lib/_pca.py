"""Principal component analysis, from the p x p or the n x n product matrix, whichever is smaller.

For the centred data X_c = V Lambda^{1/2} U^T, the p x p matrix X_c^T X_c = U Lambda U^T of the
variables and the n x n Gram matrix B = X_c X_c^T = V Lambda V^T of the points have the same
nonzero eigenvalues. Classical scaling recovers B from distances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from kmds_lib._eigen import Eigenpairs, leading_eigenpairs, with_canonical_signs
from kmds_lib._embedding import (
    Embedding,
    Spectrum,
    count_components,
    keep_positive,
    rank_tolerance,
)
from kmds_lib._labels import store_labels
from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_new_points, as_points

_MIN_RATIO_BY_PRODUCT = 1e-6
"""Smallest lambda_k / lambda_1 that a product matrix gives to ten digits; below, use the SVD."""


@dataclass(frozen=True, eq=False, repr=False)
class PCAResult(Embedding):
    r"""Result of `pca`; see `Embedding` for its other attributes.

    ``points`` are the scores :math:`Y = X_c U_k = V_k \Lambda_k^{1/2}`, in the units of the data;
    ``eigenvalues`` are those of :math:`X_c^\top X_c` and of B, which are n times the variances;
    ``solver`` is ``"svd"``, or the solver and its matrix, such as ``"dense, p x p"``.

    Attributes
    ----------
    axes : ndarray of shape (p, k)
        Principal axes :math:`U_k`, orthonormal columns.
    """

    _printed = ("explained",)
    axes: FloatArray
    _origin: FloatArray
    _offset: FloatArray
    _centred: FloatArray
    _total: float

    @property
    def mean(self) -> FloatArray:
        """Return the mean of the training points, shape (p,)."""
        return self._origin + self._offset

    @property
    def variances(self) -> FloatArray:
        """Return the variances of the scores, shape (k,), with divisor n: ``eigenvalues / n``."""
        return self.eigenvalues / len(self.points)

    @cached_property
    def explained(self) -> float:
        """Return the share of the scores in the total variance; 1 for constant data."""
        kept, total = (linalg.norm(M.ravel(order="K")) for M in (self.points, self._centred))
        return min(1.0, float(kept / total) ** 2) if total else 1.0

    @property
    def negative_mass(self) -> float:
        """Return 0, because the Gram matrix of points has no negative eigenvalue."""
        return 0.0

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Project new points on the principal axes.

        Parameters
        ----------
        new : array_like of shape (m, p)
            New points, in the variables and units of the training points.

        Returns
        -------
        ndarray of shape (m, k)
            Scores :math:`(x - \text{mean})^\top U_k`.

        Raises
        ------
        ValueError
            If `new` is not a finite real matrix with p columns.
        """
        self._check_columns(new)
        X_new = as_new_points(new, len(self.axes))
        return (X_new - self._origin - self._offset) @ self.axes

    def inverse_transform(self, Y: ArrayLike) -> FloatArray:
        r"""Return the points of the principal affine subspace with the given scores.

        Parameters
        ----------
        Y : array_like of shape (m, k)
            Scores.

        Returns
        -------
        ndarray of shape (m, p)
            :math:`Y U_k^\top + \text{mean}`. For the scores of the training points, these are
            their projections, which are the best approximation of rank k.

        Raises
        ------
        ValueError
            If `Y` is not a finite real matrix with k columns.
        """
        k = self.axes.shape[1]
        Y = as_points(Y, "Y", min_points=0, min_columns=0, smallest=0.0)
        if Y.shape[1] != k:
            raise ValueError(f"Y has shape {Y.shape}: give {(len(Y), k)}, a score for each axis.")
        return Y @ self.axes.T + self._offset + self._origin

    @cached_property
    def _spectrum(self) -> Spectrum:
        return _spectrum_of(self._centred)


@store_labels()
def pca(X: ArrayLike, n_components: int | float = 2) -> PCAResult:
    r"""Compute the principal components of points: scores, axes and variances.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row; all variables in comparable units.
    n_components : int or float
        Number of components k, from 1 to min(n - 1, p); or a share between 0 and 1, such as 0.9,
        for the smallest number that explains this share of the total variance.

    Returns
    -------
    PCAResult
        Scores, axes, variances and explained fraction, with `transform` and `inverse_transform`.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix of at least two rows, or `n_components` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If the rank of the centred data is below `n_components`; that many components are returned.

    Notes
    -----
    Derived in Chapter 5, Principal component analysis. With :math:`X_c = V \Lambda^{1/2} U^\top`,
    the scores are :math:`X_c U_k = V_k \Lambda_k^{1/2}`. `classical_scaling` of the distances
    between the rows of X gives the same coordinates, with the same signs. U is computed from the p
    x p matrix if p <= n, and V from the n x n matrix otherwise (the snapshot method); if squaring
    would lose digits, both are computed by the singular value decomposition. `eigenvalues` are
    those of B; the variances have divisor n and not n - 1.

    Source: Pearson (1901) for the best-fitting plane; Hotelling (1933); Gower (1966) for the
    two sides of the decomposition.

    Examples
    --------
    >>> fit = pca([[0.0, 0.0], [2.0, 2.0], [4.0, 4.0], [2.0, 2.0]], n_components=1)
    >>> fit.points.round(3).ravel() + 0.0
    array([ 2.828,  0.   , -2.828,  0.   ])
    >>> fit.variances.round(3), fit.mean
    (array([4.]), array([2., 2.]))
    """
    X = as_points(X, min_points=2)
    centred, origin, offset = _centre(X)
    upper = min(X.shape[0] - 1, X.shape[1])
    k = count_components(n_components, upper, lambda: _spectrum_of(centred))
    factors = _factors(centred, k)
    singular = Eigenpairs(factors.s, factors.V, factors.residual, factors.solver, factors.s[0])
    kept = keep_positive(singular, order=max(X.shape))
    residual = kept.residual if len(kept.values) else 0.0
    pairs = replace(kept, values=np.square(kept.values), scale=kept.scale**2, residual=residual)
    axes = factors.U[:, : len(kept.values)]
    return PCAResult(pairs, axes, origin, offset, centred, factors.total)


def discarded_sum(fit: PCAResult) -> float:
    """Return the sum of the discarded eigenvalues of B.

    It is the trace minus the kept ones if this difference has ten digits; otherwise it is computed
    from all eigenvalues.
    """
    discarded = fit._total - float(fit.eigenvalues.sum())
    if discarded > _MIN_RATIO_BY_PRODUCT * fit._total:
        return discarded
    return float(fit.spectrum().eigenvalues[len(fit.eigenvalues) :].sum())


def _spectrum_of(centred: FloatArray) -> Spectrum:
    """Return all n eigenvalues of B, the squared singular values of the centred points."""
    s = np.zeros(len(centred))
    singular_values = linalg.svdvals(centred, check_finite=False)[: len(s)]
    s[: len(singular_values)] = singular_values
    s[s <= rank_tolerance(max(centred.shape)) * s[0]] = 0.0
    return Spectrum(np.square(s))


class _Factors(NamedTuple):
    """Leading part of X_c = V diag(s) U^T, the sum of all s^2, the solver and its residual."""

    V: FloatArray
    s: FloatArray
    U: FloatArray
    total: float
    solver: str
    residual: float


def _centre(X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the centred points, the first point, and the mean minus the first point.

    The first point is subtracted before the rest of the mean, because this is exact for points
    that are far from the origin and close together, and makes constant data exactly zero.
    """
    origin = X[0].copy()
    centred = X - origin
    offset = np.full(len(X), 1 / len(X)) @ centred
    centred -= offset
    return centred, origin, offset


def _factors(centred: FloatArray, k: int) -> _Factors:
    """Return the k leading singular triplets, with canonical signs on V."""
    factors = _factors_by_product(centred, k)
    if factors is None:
        V, s, Ut = linalg.svd(centred, full_matrices=False, check_finite=False)
        factors = _Factors(V[:, :k], s[:k], Ut[:k].T, float(s @ s), "svd", EPS)
    V = with_canonical_signs(factors.V)
    signs = np.where(np.einsum("ir,ir->r", V, factors.V) < 0, -1.0, 1.0)
    return factors._replace(V=V, U=factors.U * signs)


def _factors_by_product(centred: FloatArray, k: int) -> _Factors | None:
    """Return the triplets from the smaller of X'X and XX', or None if this would lose digits.

    The residual of an eigenpair is at most s_1 / s_k times as large for the other product.
    """
    by_variables = centred.shape[1] <= centred.shape[0]
    tall = centred if by_variables else centred.T
    product = tall.T @ tall
    pairs = leading_eigenpairs(product, k, centring=False)
    if pairs.values[-1] <= _MIN_RATIO_BY_PRODUCT * pairs.values[0]:
        return None
    other_vectors = (pairs.vectors.T @ tall.T).T
    s = np.sqrt(np.einsum("ir,ir->r", other_vectors, other_vectors))
    other_vectors /= s
    V, U = pairs.vectors, other_vectors
    if by_variables:
        V, U = U, V
    solver = f"{pairs.solver}, {'p x p' if by_variables else 'n x n'}"
    residual = pairs.residual * float(s[0] / s[-1])
    return _Factors(V, s, U, float(np.trace(product)), solver, residual)
