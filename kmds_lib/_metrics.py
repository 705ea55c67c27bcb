"""Distances between rows by the metrics of SciPy or a function, with checks of their values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from kmds_lib._fast.distances import euclidean
from kmds_lib._messages import plural
from kmds_lib._numbers import as_numbers, refuse_entries
from kmds_lib._parameters import check_number, check_option
from kmds_lib._rounding import ROUNDING_TOLERANCE, equality_tolerance, rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import without_negative

MetricName = Literal[
    "braycurtis",
    "canberra",
    "chebyshev",
    "cityblock",
    "correlation",
    "cosine",
    "dice",
    "euclidean",
    "hamming",
    "jaccard",
    "jensenshannon",
    "mahalanobis",
    "minkowski",
    "rogerstanimoto",
    "russellrao",
    "seuclidean",
    "sokalsneath",
    "yule",
]
"""SciPy's names, without ``sqeuclidean``, whose values are squares."""

Metric = MetricName | Callable[[FloatArray, FloatArray], float]
MetricOrPrecomputed = Metric | Literal["precomputed"]

_BOOLEAN_METRICS = {"dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}
_METRICS_WITHOUT_UNIT = ("cosine", "correlation")
_METRICS_OF_AMOUNTS = {"braycurtis", "jensenshannon"}

_LARGEST_ERROR = 1e-3
"""Largest rounding error of squared Mahalanobis distances, relative to their mean."""

_OFFSET = "If the differences are exact, subtract a common offset first."
"""Advice about values that differ by less than the rounding errors of their type."""

DATA_DEPENDENT = {"seuclidean": "V", "mahalanobis": "VI"}
"""Options that these metrics estimate from all rows that they are given, including new objects."""

_OPTIONS: dict[str, list[str]] = {
    "mahalanobis": ["VI"],
    "seuclidean": ["V"],
    "minkowski": ["p", "w"],
    "jensenshannon": [],
}
"""Options of these metrics; the others have only w."""


def check_metric_params(metric_params: Any) -> dict[str, Any]:
    """Return the options of a metric, which None leaves at their defaults."""
    if metric_params is not None and not isinstance(metric_params, dict):
        raise ValueError(
            f"metric_params is {metric_params!r}: give a dictionary of options of the metric, "
            "such as {'p': 3}, or None."
        )
    return metric_params or {}


def check_metric_for_new_rows(metric: Metric, options: dict[str, Any]) -> None:
    """Refuse a metric that would not give training rows their own points as new objects.

    Such a metric estimates an option anew, or does not give 0 for equal rows.
    """
    if metric == "russellrao":
        raise ValueError(
            "metric = 'russellrao' is not 0 for two equal rows with zeros in them, so that a "
            "training row that is given as a new object would not get its own point. Choose "
            "another metric, such as 'jaccard', or pass distances(X, metric='russellrao') with "
            "metric='precomputed'."
        )
    needed = None if callable(metric) else DATA_DEPENDENT.get(metric)
    if needed and options.get(needed) is None:
        raise ValueError(
            f"metric = {metric!r} would estimate {needed} anew for new objects: give "
            f"metric_params={{{needed!r}: ...}}."
        )


def distances_by_metric(
    X: FloatArray, Y: FloatArray, metric: Metric, options: dict[str, Any], tolerance: float
) -> FloatArray:
    """Return the distances between the rows of checked points X and Y, which may be the same.

    Rounding errors of the points are those of `rounding_tolerance`.
    """
    if callable(metric):
        return _by_function(X, Y, metric, options, tolerance)
    check_option(metric, MetricName, "metric")
    one_set = Y is X
    if metric == "minkowski" and options.get("p") == math.inf:
        metric, options = "chebyshev", {name: options[name] for name in options.keys() - {"p"}}
    one_sample = one_set or metric not in DATA_DEPENDENT
    options = _checked(options, metric, X if one_sample else np.concatenate([X, Y]), tolerance)
    X = _in_domain(X, metric, "X", tolerance)
    Y = X if one_set else _in_domain(Y, metric, "Y", tolerance)
    if metric == "mahalanobis" and options.keys() <= {"VI"} and options.get("VI") is None:
        Z = _whitened(X if one_set else np.concatenate([X, Y]), tolerance)
        X = Z[: len(X)]
        return euclidean(X, X if one_set else Z[len(X) :])
    D = _by_scipy(X, None if one_set else Y, metric, options)
    if metric == "jensenshannon":  # the root of a difference that is 0 to rounding
        D[np.isnan(D)] = 0.0
    if metric == "minkowski" and "p" in options:
        _refuse_lost_powers(D, cdist(X, Y, "chebyshev", w=options.get("w")), options["p"])
    _refuse_undefined(D, metric)
    return np.maximum(D, 0.0)


def _by_function(
    X: FloatArray,
    Y: FloatArray,
    metric: Callable[..., float],
    options: dict[str, Any],
    tolerance: float,
) -> FloatArray:
    """Return the values of a symmetric function of two rows, computed in both orders."""
    one_set = Y is X
    D = _values(metric, X, Y, options)
    reverse = D.T if one_set else _values(metric, Y, X, options).T
    for values in (D, reverse):
        others = np.where(np.eye(len(X)), 0.0, values) if one_set else values
        _refuse_undefined(others, metric, tolerance)
    largest = max(D.max(initial=0.0), reverse.max(initial=0.0))
    own = [("X", np.diagonal(D) if one_set else _own_values(metric, X, options))]
    if not one_set:
        own.append(("Y", _own_values(metric, Y, options)))
    for name, diagonal in own:
        bad = np.flatnonzero(~(np.abs(diagonal) <= tolerance * largest))
        if len(bad):
            raise ValueError(
                f"metric = {metric!r} gives {diagonal[bad[0]]:.6g} for row {bad[0]} of {name} and "
                "itself, but the distance of equal rows is 0. Choose a metric with d(x, x) = 0."
            )
    gap = np.abs(D - reverse)
    if gap.max(initial=0.0) > tolerance * largest:
        i, j = np.unravel_index(np.argmax(gap), gap.shape)
        raise ValueError(
            f"metric = {metric!r} is not symmetric: it gives {D[i, j]:.6g} for row {i} of X and "
            f"row {j} of {'X' if one_set else 'Y'}, but {reverse[i, j]:.6g} in the other order, "
            f"a difference of {gap[i, j]:.3g}. Use a symmetric function, such as the mean of "
            "both orders."
        )
    if one_set:
        D = np.triu(D, 1)
        D += D.T
    return np.maximum(D, 0.0)


def _values(
    metric: Callable[..., float], X: FloatArray, Y: FloatArray, options: dict[str, Any]
) -> FloatArray:
    """Return the value of the function for every row of X and every row of Y."""
    D = np.empty((len(X), len(Y)))
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            value = metric(x, y, **options)
            D[i, j] = value if isinstance(value, float) else _as_number(value, metric)
    return D


def _own_values(
    metric: Callable[..., float], X: FloatArray, options: dict[str, Any]
) -> FloatArray:
    """Return the value of the function for each row and itself."""
    return np.array([_values(metric, x, x, options)[0, 0] for x in X[:, None]])


def _as_number(value: Any, metric: Callable[..., float]) -> float:
    """Return a value of a metric as a float; refuse arrays, text and complex numbers."""
    try:
        if np.ndim(value) > 0 or isinstance(value, str) or np.iscomplexobj(value):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        result = f"an array of shape {np.shape(value)}" if np.ndim(value) else repr(value)
        raise ValueError(
            f"metric = {metric!r} returns {result}: a metric returns one real number for two rows."
        ) from None


def _by_scipy(
    X: FloatArray, Y: FloatArray | None, metric: MetricName, options: dict[str, Any]
) -> FloatArray:
    """Return SciPy's distances within one set of points, or between two."""
    try:
        with np.errstate(invalid="ignore", divide="ignore"):
            D = pdist(X, metric, **options) if Y is None else cdist(X, Y, metric, **options)
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"SciPy refuses metric = {metric!r} with this input: {reason}") from error
    return np.asarray(squareform(D) if Y is None else D, dtype=np.float64)


def _checked(
    options: dict[str, Any], metric: str, rows: FloatArray, tolerance: float
) -> dict[str, Any]:
    """Check the options that SciPy does not check, and return all options."""
    columns = rows.shape[1]
    known = _OPTIONS.get(metric, ["w"])
    unknown = options.keys() - known
    if unknown:
        raise ValueError(
            f"{min(unknown)} is not an option of metric = {metric!r}, whose options are: "
            f"{', '.join(known) or 'none'}."
        )
    if options.get("p") is not None:
        options = options | {"p": check_number(options["p"], "p", positive=True)}
    if options.get("w") is not None:
        w = as_numbers(options["w"], "w")
        refuse_entries(w, ~(np.isfinite(w) & (w >= 0)), "w", "give finite weights >= 0.")
        if not w.any():
            raise ValueError("w has only zeros: give a positive weight to some column.")
    if options.get("VI") is not None:
        VI = as_numbers(options["VI"], "VI")
        if VI.shape != (columns, columns):
            raise ValueError(
                f"VI has shape {VI.shape}, but X has {plural(columns, 'column')}: give a matrix "
                f"of shape {(columns, columns)}, the inverse of their covariances."
            )
        _check_inverse_covariances(VI, rows, rounding_tolerance(options["VI"]), tolerance)
        options = options | {"VI": VI}
    if metric == "seuclidean":
        _check_variances(options.get("V"), rows, tolerance)
    return options


def _check_variances(V: Any, rows: FloatArray, tolerance: float) -> None:
    """Refuse variances V that are not positive or, without V, columns constant to rounding."""
    sizes = np.ptp(rows, axis=0) if V is None else as_numbers(V, "V")
    if sizes.shape != rows.shape[1:]:
        return
    errors = equality_tolerance(tolerance) * np.abs(rows).max(axis=0, initial=0.0)
    bad = np.flatnonzero(~(sizes > (errors if V is None else 0)))
    if len(bad):
        fault = f"V[{bad[0]}] = {sizes[bad[0]]:.6g} is not positive"
        fault = f"Column {bad[0]} of X is constant to rounding" if V is None else fault
        raise ValueError(
            f"{fault}, but metric = 'seuclidean' divides by the variances. Drop the column, or "
            f"choose another metric. {_OFFSET}"
        )


def _check_inverse_covariances(
    VI: FloatArray, rows: FloatArray, tolerance: float, row_tolerance: float
) -> None:
    """Refuse a VI that is not positive semidefinite, or is the noise of a singular inverse.

    An eigenvalue is measured on variables that are divided by their ranges.
    """
    Z = rows - rows.mean(axis=0)
    ranges = np.abs(Z).max(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        M = ranges * (0.5 * VI + 0.5 * VI.T) * ranges[:, None]
    if not np.isfinite(M).all():
        raise ValueError(
            "VI has an entry that is not finite, or is too large for these rows: give the inverse "
            "of their covariances, such as np.linalg.pinv(covariances)."
        )
    values, vectors = np.linalg.eigh(M)
    largest, typical = np.abs(values).max(), np.einsum("ij,jk,ik->i", Z, VI, Z).mean()
    error = max(tolerance**2 * len(M), equality_tolerance(row_tolerance) ** 2)
    noisy = error * largest > _LARGEST_ERROR * typical
    if largest > 0 and (noisy or values[0] < -tolerance * largest):
        v = np.abs(vectors[:, np.argmax(np.abs(values))])
        columns = ", ".join(map(str, np.flatnonzero(v > 1e-3 * v.max())))
        raise ValueError(
            f"VI is not positive semidefinite to rounding, with the eigenvalues {values[0]:.3g} "
            f"to {values[-1]:.3g} on standardised variables. If it is the inverse of covariances, "
            f"columns {columns} are collinear: drop one, or take np.linalg.pinv(covariances)."
        )


def _whitened(X: FloatArray, tolerance: float) -> FloatArray:
    """Return points whose Euclidean distances are the Mahalanobis distances between rows.

    The covariances are inverted by the pseudo-inverse. For differences of rows, any other
    generalised inverse gives the same distances. Refuse rows that are so few that all distances
    would be equal.
    """
    n, p = X.shape
    Z = X - X.mean(axis=0)
    lengths = np.linalg.norm(Z, axis=0)
    errors = equality_tolerance(tolerance) * np.sqrt(n) * np.abs(X).max(axis=0, initial=0.0)
    varies = lengths > errors
    if not varies.any() and (X[0] != X).any():
        raise ValueError(
            "All columns of X are constant to rounding, so that metric = 'mahalanobis' cannot "
            f"divide by their covariances. Choose another metric. {_OFFSET}"
        )
    U, s, _ = np.linalg.svd(Z[:, varies] / lengths[varies], full_matrices=False)
    kept = s > np.linalg.norm(errors[varies] / lengths[varies])
    if n <= p and np.count_nonzero(kept) >= n - 1:
        raise ValueError(
            f"metric = 'mahalanobis' estimates the covariances of {plural(p, 'column')} from "
            f"{plural(n, 'row')}, for which all distances are equal: give more rows than "
            "columns, fewer columns, such as pca(X, k).points, or VI, the inverse of known "
            "covariances."
        )
    return np.asarray(U[:, kept] * np.sqrt(n - 1))


def _in_domain(X: FloatArray, metric: str, name: str, tolerance: float) -> Any:
    """Return the rows in the type that the metric needs; refuse rows outside its domain."""
    if metric in _BOOLEAN_METRICS:
        return _as_booleans(X, metric, name)
    if metric in _METRICS_OF_AMOUNTS:
        reason = (
            f"metric = {metric!r} compares amounts, which are at least 0. Choose another metric, "
            "such as 'cityblock'."
        )
        X = without_negative(X, name, reason, tolerance)
    sizes, what = np.ones(len(X)), "all 0"
    if metric == "jensenshannon":
        sizes = X.sum(axis=1)
    elif metric == "correlation":
        deviations = np.linalg.norm(X - X.mean(axis=1, keepdims=True), axis=1)
        errors = np.sqrt(X.shape[1]) * np.abs(X).max(axis=1, initial=0.0)
        errors *= equality_tolerance(tolerance)
        sizes, what = np.where(deviations > errors, 1.0, 0.0), "constant"
    empty = np.flatnonzero(sizes == 0)
    if len(empty):
        raise ValueError(
            f"Row {empty[0]} of {name} is {what} ({plural(len(empty), 'such row')}) to rounding, "
            f"so that metric = {metric!r} is undefined. Drop such rows, or choose another metric. "
            f"{_OFFSET}"
        )
    return X


def _as_booleans(X: FloatArray, metric: str, name: str) -> Any:
    bad = np.argwhere((X != 0) & (X != 1))
    if len(bad):
        i, j = bad[0]
        raise ValueError(
            f"metric = {metric!r} needs Boolean values, but row {i} of {name} contains "
            f"{X[i, j]:.6g}: give 0 and 1, for example {name} > 0."
        )
    return X.astype(bool)


def _refuse_undefined(
    D: FloatArray, metric: Metric, tolerance: float = ROUNDING_TOLERANCE
) -> None:
    """Refuse distances that are not finite, or are negative by more than rounding.

    Rounding errors are relative to the largest distance, or to 1 for metrics without a unit.
    """
    finite = np.isfinite(D)
    unit = 1.0 if metric in _METRICS_WITHOUT_UNIT else 0.0
    largest = D.max(initial=unit, where=finite)
    lowest = -tolerance * largest
    bad = np.argwhere(~(finite & (lowest <= D)))
    if len(bad):
        i, j = bad[0]
        raise ValueError(
            f"metric = {metric!r} gives {D[i, j]} for rows {i} and {j}. It is not a distance, or "
            "it is undefined for these rows, like the angle to a row of zeros. Drop those rows, "
            "or choose another metric."
        )


def _refuse_lost_powers(D: FloatArray, largest: FloatArray, p: float) -> None:
    """Refuse Minkowski distances whose p-th powers underflow or overflow.

    `largest` contains the largest coordinate difference of each pair.
    """
    smallest = np.finfo(np.float64).tiny ** (1 / p)
    lost = np.argwhere(np.isinf(D) | ((largest > 0) & np.less(D, smallest)))
    if len(lost):
        i, j = lost[0]
        raise ValueError(
            f"The power p = {p:g} of the differences between rows {i} and {j} leaves the range of "
            "float64. Choose another unit or a smaller p; 'chebyshev' is the limit of a large one."
        )
