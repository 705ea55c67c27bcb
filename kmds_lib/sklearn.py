"""Scikit-learn's doors: the book's two scalings as estimators for pipelines and grid searches.

The library's functions return frozen results; these two classes wrap them in scikit-learn's
``fit`` and ``transform``. New objects are placed by `transform` alone, so that in a
cross-validation no held-out object has a part in the configuration.

Importing this module needs scikit-learn, which the rest of the library does not use.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from kmds_lib._checks import (
    FloatArray,
    Metric,
    as_numbers,
    check_option,
)
from kmds_lib.classical import ClassicalScalingResult, classical_scaling
from kmds_lib.gram import distances
from kmds_lib.kernel_scaling import KernelMDSResult, kernel_mds, kernel_mds_from_points
from kmds_lib.kernels import RBF, Kernel

__all__ = ["ClassicalScaling", "KernelMDS"]


class _Scaling(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators share: a fit to points or to dissimilarities, kept as a result."""

    n_components: int
    metric: Metric
    result_: ClassicalScalingResult | KernelMDSResult

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Find the configuration of the training objects.

        Parameters
        ----------
        X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
            Points, one in each row; or dissimilarities, not squared.
        y : object
            Ignored; it is here for pipelines.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If `X` or a parameter is refused; see the function that the estimator wraps.
        """
        check_option(self.metric, Metric, "metric")
        self.result_ = self._fit(self._validated(X, reset=True))
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> FloatArray:
        """Find the configuration and return it.

        Parameters
        ----------
        X, y
            As in `fit`.

        Returns
        -------
        ndarray of shape (n, k)
            ``embedding_``.
        """
        return self.fit(X).embedding_

    def transform(self, X: ArrayLike) -> FloatArray:
        """Place new objects on the fitted axes; the configuration stays as it is.

        Parameters
        ----------
        X : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or the dissimilarity of each new object to every training object.

        Returns
        -------
        ndarray of shape (m, k)
            Training objects come back as ``embedding_``, up to rounding.

        Raises
        ------
        ValueError
            If `X` does not have the columns of the fit, or is not finite.
        """
        check_is_fitted(self)
        return self._place(self._validated(X, reset=False))

    @property
    def embedding_(self) -> FloatArray:
        """Coordinates of the training objects, shape (n, k)."""
        return self.result_.points

    @property
    def eigenvalues_(self) -> FloatArray:
        """Positive eigenvalues of the centred Gram matrix, in descending order, shape (k,)."""
        return self.result_.eigenvalues

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"
        return tags

    def _validated(self, X: ArrayLike, *, reset: bool) -> FloatArray:
        if np.ma.isMaskedArray(X):  # scikit-learn would drop the mask; this refuses it
            as_numbers(X, "X")
        validated: FloatArray = validate_data(
            self,
            X,
            reset=reset,
            ensure_min_samples=2 if reset else 1,
            ensure_non_negative=self.metric == "precomputed",
        )
        return validated

    @abstractmethod
    def _fit(self, X: FloatArray) -> Any:
        """Return the library's result for validated input."""

    @abstractmethod
    def _place(self, X: FloatArray) -> FloatArray:
        """Return the coordinates of validated new objects."""


class ClassicalScaling(_Scaling):
    """Classical scaling as an estimator of scikit-learn.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to n - 1.
    metric : {"euclidean", "precomputed"}
        Whether `fit` takes points, whose Euclidean distances are scaled, or dissimilarities.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects; k is less than `n_components` where fewer
        eigenvalues are positive, which is said in a `FewerComponentsWarning`.
    eigenvalues_ : ndarray of shape (k,)
        Positive eigenvalues of B.
    result_ : ClassicalScalingResult
        What `classical_scaling` returned: explained fraction, spectrum, and the rest.
    n_features_in_ : int
        Number of columns that `fit` was given.

    Notes
    -----
    Derived in Chapter 4, Classical scaling; new objects are placed as in Gower (1968).

    Examples
    --------
    >>> scaling = ClassicalScaling(1, metric="precomputed").fit([[0.0, 2.0], [2.0, 0.0]])
    >>> scaling.transform([[1.0, 1.0], [0.0, 2.0]]).round(6)
    array([[0.],
           [1.]])
    """

    result_: ClassicalScalingResult

    def __init__(self, n_components: int = 2, *, metric: Metric = "euclidean") -> None:
        self.n_components = n_components
        self.metric = metric

    def _fit(self, X: FloatArray) -> ClassicalScalingResult:
        self._points = X.copy() if self.metric == "euclidean" else None
        D = X if self._points is None else distances(X)
        return classical_scaling(D, self.n_components)

    def _place(self, X: FloatArray) -> FloatArray:
        D = X if self._points is None else distances(X, self._points)
        return self.result_.transform(D)


class KernelMDS(_Scaling):
    """Kernel MDS as an estimator of scikit-learn.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to n - 1.
    theta : float
        Parameter of the kernel, which a grid search can vary.
    kernel : callable
        Called as ``kernel(theta)``, it gives the `Kernel`: a class such as `RBF`, or a function
        such as ``lambda theta: 0.5 * RBF(theta) + 0.5 * Linear()``. Dissimilarities need an
        isotropic one.
    metric : {"euclidean", "precomputed"}
        Whether `fit` takes points or dissimilarities.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects; k is less than `n_components` where fewer
        eigenvalues are positive, which is said in a `FewerComponentsWarning`.
    eigenvalues_ : ndarray of shape (k,)
        Positive eigenvalues of HKH.
    result_ : KernelMDSResult
        What `kernel_mds` returned, or `kernel_mds_from_points`: explained fraction, Shepard
        diagram, and the rest.
    n_features_in_ : int
        Number of columns that `fit` was given.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. Source: Williams (2001).

    Examples
    --------
    >>> scaling = KernelMDS(1, theta=0.1).fit([[0.0], [2.0]])
    >>> scaling.transform([[1.0]]).round(6)
    array([[0.]])
    >>> scaling.get_feature_names_out()
    array(['kernelmds0'], dtype=object)
    """

    result_: KernelMDSResult

    def __init__(
        self,
        n_components: int = 2,
        *,
        theta: float = 1.0,
        kernel: Callable[[float], Kernel] = RBF,
        metric: Metric = "euclidean",
    ) -> None:
        self.n_components = n_components
        self.theta = theta
        self.kernel = kernel
        self.metric = metric

    def _fit(self, X: FloatArray) -> KernelMDSResult:
        fit = kernel_mds if self.metric == "precomputed" else kernel_mds_from_points
        return fit(X, self.kernel(self.theta), self.n_components)

    def _place(self, X: FloatArray) -> FloatArray:
        return self.result_.transform(X)
