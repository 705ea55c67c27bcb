"""Jackknife of a map: each object is left out in turn, and the others are mapped again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._embedding import centred_columns
from kmds_lib._labels import Labelled, check_columns, row_labels, store_labels
from kmds_lib._linalg import procrustes_align
from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_count, check_flag, check_option
from kmds_lib._rounding import dtype_of_tolerance, rounding_tolerance
from kmds_lib._stress_input import as_weights
from kmds_lib._types import FloatArray
from kmds_lib._validation import EuclideanOrPrecomputed, as_gram, as_points, refuse_one_sided_gaps


@dataclass(frozen=True, eq=False, repr=False)
class LeaveOneOutResult(Labelled):
    """Result of `leave_one_out`: the map of all objects, and a cloud of points for each.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        The map of all objects.
    left_out : ndarray of int of shape (m,)
        Row numbers of the objects that were left out, one at a time.
    clouds : ndarray of shape (m, n, k)
        The maps of the others, aligned with the map of all; NaN for the object left out.
    """

    _printed = ("moves",)
    points: FloatArray
    left_out: NDArray[np.intp]
    clouds: FloatArray

    @property
    def moves(self) -> FloatArray:
        """Return the root mean square displacement of each object over the maps, shape (n,).

        The unit is the radius of the map, its root mean square distance from its centre.
        """
        return self._relative(0)

    @property
    def influence(self) -> FloatArray:
        """Return the RMS displacement of the others without each object left out, shape (m,)."""
        return self._relative(1)

    def _relative(self, axis: int) -> FloatArray:
        """Return the root mean square displacement along an axis, without the objects left out."""
        squares = np.square(self.clouds - self.points).sum(axis=2)
        counts = np.maximum(np.isfinite(squares).sum(axis=axis), 1)
        radius = np.sqrt(np.square(centred_columns(self.points)).sum(axis=1).mean())
        return np.asarray(np.sqrt(np.nansum(squares, axis=axis) / counts) / (radius or 1.0))


@store_labels()
def leave_one_out(
    X: ArrayLike,
    fit: Callable[..., Any],
    *,
    metric: EuclideanOrPrecomputed = "euclidean",
    weights: ArrayLike | None = None,
    max_left_out: int = 60,
    start_from_map: bool = False,
) -> LeaveOneOutResult:
    """Leave out each object in turn, map the others, and align each map with that of all.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Input of `fit`: points, one in each row; or a symmetric matrix.
    fit : callable
        Computes a map: a function of the library, such as `classical_scaling`, or
        ``lambda D: kernel_mds(D, RBF(0.1))``. Its result has the attribute ``points``.
    metric : {"euclidean", "precomputed"}
        Contents of `X`. Entries of a matrix may be missing (NaN) if `fit` accepts this. An entry
        of weight zero is missing.
    weights : array_like of shape (n, n), optional
        Symmetric weights of the pairs, as in `smacof`. `fit` is called with the argument
        ``weights``, which contains those of the objects that are mapped.
    max_left_out : int
        Largest number of objects that are left out, spread evenly over the rows.
    start_from_map : bool
        Start each fit at the map of all objects: `fit` is then called with the argument
        ``init``, which `smacof` and `sammon` have.

    Returns
    -------
    LeaveOneOutResult
        ``points``, ``clouds``, the displacements (``moves``) of each object, and its
        ``influence`` on the others.

    Raises
    ------
    ValueError
        If an argument is not as described, or `fit` raises it or returns no map. The message names
        the object left out.

    Notes
    -----
    The laboratory draws these clouds in its section How to read the answer. Maps are aligned as in
    Chapter 4, Classical scaling; a map with fewer axes than others gets columns of zeros. All maps
    use the same parameters, such as the width of a kernel. With ``start_from_map``, the fits do
    not end in different local minima because of their starts, so that the clouds show the effect
    of the data only. Source: compare the jackknife of de Leeuw & Meulman (1986).

    Examples
    --------
    >>> from kmds_lib import pca
    >>> result = leave_one_out([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]], pca)
    >>> result.clouds.shape, result.moves.round(6)
    ((4, 4, 2), array([0., 0., 0., 0.]))
    """
    check_option(metric, EuclideanOrPrecomputed, "metric")
    start_from_map = check_flag(start_from_map, "start_from_map")
    square = metric == "precomputed"
    W = None
    if weights is not None:
        names = row_labels(X, "X", square=square)
        check_columns(weights, "weights", names, "X", "weights.loc[X.index, X.index]")
        W = as_weights(weights)
    X = _with_missing(X, W) if square else as_points(X)
    n = len(X)
    if W is not None and len(W) != n:
        raise ValueError(f"weights has shape {W.shape}: give {(n, n)}, one for each pair.")
    if not callable(fit):
        raise ValueError(f"fit is {fit!r}: give a function that computes a map, such as pca.")
    m = min(n, check_count(max_left_out, "max_left_out"))
    left_out = np.arange(m) * n // m
    others = [np.delete(np.arange(n), i) for i in left_out]

    def points_of(rows: NDArray[np.intp], **start: Any) -> FloatArray:
        pairs = np.ix_(rows, rows)
        options = start if W is None else start | {"weights": W[pairs]}
        return _points_of(fit, X[pairs] if square else X[rows], options)

    full = points_of(np.arange(n))
    maps = []
    for i, rest in zip(left_out, others, strict=True):
        try:
            maps.append(points_of(rest, **({"init": full[rest]} if start_from_map else {})))
        except ValueError as error:
            raise ValueError(f"Without object {i}: {error}") from error
    k = max(1, *(Y.shape[1] for Y in (full, *maps)))
    full, clouds = _padded(full, k), np.full((m, n, k), np.nan)
    for cloud, rest, Y in zip(clouds, others, maps, strict=True):
        cloud[rest] = procrustes_align(_padded(Y, k), target=full[rest]).points
    return LeaveOneOutResult(full, left_out, clouds)


def _with_missing(X: ArrayLike, W: FloatArray | None) -> FloatArray:
    """Return a symmetric matrix with NaN for pairs that are missing, or have weight zero."""
    tolerance, X = rounding_tolerance(X), as_numbers(X, "X")
    if W is not None and W.shape == X.shape:
        X = np.where((W == 0) & ~np.eye(len(W), dtype=bool), np.nan, X)
    if X.ndim == 2 and X.shape[0] == X.shape[1]:
        refuse_one_sided_gaps(X, "X")
    missing = np.isnan(X)
    filled = np.where(missing, 0.0, X) if missing.any() else X
    M = as_gram(filled, "X", tolerance=tolerance)
    M = np.where(missing, np.nan, M) if missing.any() else M
    # The fit judges rounding errors by the type.
    return M.astype(dtype_of_tolerance(tolerance), copy=False)


def _points_of(fit: Callable[..., Any], data: FloatArray, options: dict[str, Any]) -> FloatArray:
    """Return the points of a map of the data; refuse what is not a map."""
    result = fit(data, **options)
    points: FloatArray | None = getattr(result, "points", None)
    if points is None or np.ndim(points) != 2 or len(points) != len(data):
        raise ValueError(
            f"fit returns {type(result).__name__}, without the attribute points of shape "
            f"({len(data)}, k): give a function whose result has it, such as classical_scaling."
        )
    return points


def _padded(Y: FloatArray, k: int) -> FloatArray:
    """Return Y with columns of zeros added, shape (n, k)."""
    return np.pad(Y, ((0, 0), (0, k - Y.shape[1])))
