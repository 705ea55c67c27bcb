"""Base classes of the estimators in `kmds_lib.sklearn`."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from kmds_lib._gram import distances
from kmds_lib._labels import Labels, check_variables, is_missing, row_labels
from kmds_lib._metrics import MetricName, check_metric_for_new_rows, check_metric_params
from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_option, random_generator
from kmds_lib._rounding import rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import DISSIMILARITIES, without_negative

RandomState = int | np.random.Generator | np.random.RandomState | None


class Scaling(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators: a fit to points or dissimilarities, stored in `result_`."""

    n_components: Any
    metric: Any
    metric_params: dict[str, Any] | None = None
    result_: Any
    _labels: Labels | None
    _scale: float

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Compute the configuration of the training objects, and return the estimator.

        Parameters
        ----------
        X : array_like of shape (n, p), or (n, n) with ``metric="precomputed"``
            Points, one in each row; or dissimilarities, not squared. The errors are those of the
            function that the estimator wraps.
        y : object
            Ignored; pipelines pass it.
        """
        if not callable(self.metric):
            check_option(self.metric, Literal["precomputed", MetricName], "metric")
        self._labels = row_labels(X, "X", square=self.metric == "precomputed")
        self.result_ = self._fit(self._validated(X, reset=True))
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> FloatArray:
        """Compute the configuration and return it.

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
        """Place new objects in the configuration, which does not change.

        Parameters
        ----------
        X : array_like of shape (m, p), or (m, n) with ``metric="precomputed"``
            New points; or the dissimilarities between each new and each training object.

        Returns
        -------
        ndarray of shape (m, k)
            Coordinates on the fitted axes, which for training objects are those in ``embedding_``
            up to rounding. For `Stress`, coordinates that minimise the stress of each new object.

        Raises
        ------
        ValueError
            If `X` has the wrong number of columns, negative dissimilarities or non-finite entries,
            except for the missing entries (NaN) that `Stress` allows.
        """
        check_is_fitted(self)
        placed: FloatArray = self.result_.transform(
            self._input_of_transform(self._validated(X, reset=False))
        )
        return placed

    @property
    def embedding_(self) -> FloatArray:
        """Return the coordinates of the training objects, shape (n, k)."""
        points: FloatArray = self.result_.points
        return points

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        precomputed = isinstance(self.metric, str) and self.metric == "precomputed"
        tags.input_tags.pairwise = tags.input_tags.positive_only = precomputed
        return tags

    def _validated(self, X: ArrayLike, *, reset: bool) -> FloatArray:
        if np.ma.isMaskedArray(X) or hasattr(X, "toarray"):
            as_numbers(X, "X")  # raises; scikit-learn would drop the mask
        tags = self.__sklearn_tags__().input_tags
        validated: FloatArray = validate_data(
            self,
            _without_missing(X, diagonal=self.metric == "precomputed" and reset),
            reset=reset,
            ensure_min_samples=2 if reset else 1,
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
        )
        if not tags.positive_only:
            return validated
        if rounding_tolerance(X) > rounding_tolerance(validated):  # a frame with several types
            validated = validated.astype(np.float32)
        try:
            tolerance = rounding_tolerance(validated)
            fit_scale = None if reset else (lambda: self._scale)
            validated = without_negative(validated, "X", DISSIMILARITIES, tolerance, fit_scale)
        except ValueError as error:
            name = type(self).__name__
            raise ValueError(f"Negative values in data passed to {name}: {error}") from None
        if reset:
            self._scale = float(np.nanmax(validated))
        return validated

    def _dissimilarities(self, X: FloatArray) -> FloatArray:
        """Return the dissimilarities between the training objects; store points for new ones."""
        check_metric_for_new_rows(self.metric, check_metric_params(self.metric_params))
        self._training = None if self.metric == "precomputed" else X.copy()
        return self._to_training(X, None)

    def _to_training(self, X: FloatArray, training: FloatArray | None) -> FloatArray:
        """Return dissimilarities between the rows of X and the training objects, or among X."""
        if self.metric == "precomputed":
            return X
        options = check_metric_params(self.metric_params)
        if not callable(self.metric):
            check_variables(options, getattr(self, "feature_names_in_", None))
        return distances(X, training, metric=self.metric, **options)

    @abstractmethod
    def _fit(self, X: FloatArray) -> Any:
        """Return the library's result for validated input."""

    def _input_of_transform(self, X: FloatArray) -> FloatArray:
        """Convert validated new objects to the input of ``result_.transform``."""
        return self._to_training(X, self._training)


def _without_missing(X: Any, *, diagonal: bool) -> Any:
    """Return X with NaN for None and NA, and with 0 for NaN on a `diagonal`; keep its columns."""
    values = np.asarray(X)
    if values.dtype.kind not in "fO" or values.ndim != 2:
        return X
    changed = values.dtype.kind == "O"
    if changed:
        values = np.where(is_missing(values), np.nan, values)
    missing = np.flatnonzero([value != value for value in np.diagonal(values)])
    if diagonal and values.shape[0] == values.shape[1] and len(missing):
        values, changed = values.copy(), True
        values[missing, missing] = 0.0
    if not changed:
        return X
    is_frame = hasattr(X, "index") and hasattr(X, "columns")
    return type(X)(values, index=X.index, columns=X.columns) if is_frame else values


class SpectralScaling(Scaling):
    """Base class of the estimators that compute eigenvalues."""

    @property
    def eigenvalues_(self) -> FloatArray:
        """Return the positive eigenvalues of the centred Gram matrix, in descending order."""
        eigenvalues: FloatArray = self.result_.eigenvalues
        return eigenvalues

    @property
    def explained_variance_ratio_(self) -> FloatArray:
        """Return the share of each axis in the sum of all absolute eigenvalues, shape (k,)."""
        shares: FloatArray = self.result_.explained_variance_ratio
        return shares


def seed_of(random_state: RandomState) -> int | np.random.Generator:
    """Convert a `random_state` of scikit-learn to a seed of the library."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return random_generator(random_state, "random_state")
