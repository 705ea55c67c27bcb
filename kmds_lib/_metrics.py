"""Distances between rows by the metrics of SciPy, with checks of their values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from kmds_lib._checks import FloatArray, as_numbers, check_number, check_option

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

RowMetric = MetricName | Callable[[FloatArray, FloatArray], float]

_BOOLEAN_METRICS = {"dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}


def distances_by_metric(
    X: FloatArray, Y: FloatArray, metric: RowMetric, options: dict[str, Any]
) -> FloatArray:
    """Return the distances between the rows of checked points X and Y, which may be the same."""
    one_set = Y is X
    if metric == "minkowski" and options.get("p") == math.inf:
        metric, options = "chebyshev", {name: options[name] for name in options.keys() - {"p"}}
    if not callable(metric):
        check_option(metric, MetricName, "metric")
        if metric in _BOOLEAN_METRICS:
            X, Y = (_as_booleans(points, metric) for points in (X, Y))
        options = _checked(options, X.shape[1])
    D = _by_scipy(X, None if one_set else Y, metric, options)
    if metric == "minkowski" and "p" in options:
        _refuse_lost_powers(D, cdist(X, Y, "chebyshev", w=options.get("w")), options["p"])
    _refuse_undefined(D, metric)
    return np.maximum(D, 0.0)


def _by_scipy(
    X: FloatArray, Y: FloatArray | None, metric: RowMetric, options: dict[str, Any]
) -> FloatArray:
    """Return SciPy's distances within one set of points, or between two."""
    try:
        with np.errstate(invalid="ignore", divide="ignore"):
            found = pdist(X, metric, **options) if Y is None else cdist(X, Y, metric, **options)
    except (TypeError, ValueError) as error:
        if callable(metric):
            raise
        raise ValueError(f"SciPy refuses metric = {metric!r} with this input: {error}") from error
    return np.asarray(squareform(found) if Y is None else found, dtype=np.float64)


def _checked(options: dict[str, Any], columns: int) -> dict[str, Any]:
    """Return the options after a check of those that SciPy does not check."""
    if "p" in options:
        options = options | {"p": check_number(options["p"], "p", positive=True)}
    if options.get("VI") is not None:
        VI = as_numbers(options["VI"], "VI")
        if VI.shape != (columns, columns):
            raise ValueError(
                f"VI has shape {VI.shape}, but X has {columns} columns: give a matrix of shape "
                f"{(columns, columns)}, the inverse of their covariances."
            )
        options = options | {"VI": VI}
    return options


def _refuse_undefined(D: FloatArray, metric: RowMetric) -> None:
    """Refuse distances that are not finite, or are negative by more than rounding."""
    bad = np.argwhere(~(np.isfinite(D) & (D > -1e-12)))
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


def _as_booleans(X: FloatArray, metric: str) -> Any:
    bad = np.argwhere((X != 0) & (X != 1))
    if len(bad):
        i, j = bad[0]
        raise ValueError(
            f"metric = {metric!r} needs Boolean values, but row {i} contains {X[i, j]:.6g}: give "
            "0 and 1, for example X > 0."
        )
    return X.astype(bool)
