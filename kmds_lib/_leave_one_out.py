"""How firmly a map stands: each object is left out in turn, and the others are mapped anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._checks import (
    FloatArray,
    Metric,
    as_gram,
    as_points,
    check_count,
    check_flag,
    check_option,
)
from kmds_lib._embedding import centred_columns
from kmds_lib._labels import Labelled, carry_labels
from kmds_lib._linalg import procrustes_align

__all__ = ["Clouds", "leave_one_out"]


@dataclass(frozen=True, eq=False)
class Clouds(Labelled):
    """What `leave_one_out` returns: the map of all objects, and a cloud of places for each.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        The map of all objects.
    left_out : ndarray of int of shape (m,)
        Which objects were left out, one at a time.
    clouds : ndarray of shape (m, n, k)
        The maps of the others, each turned onto the map of all; NaN for the one left out.
    """

    points: FloatArray
    left_out: NDArray[np.intp]
    clouds: FloatArray

    @property
    def moves(self) -> FloatArray:
        """How far each object moves, shape (n,): root mean square over those left out.

        In units of the map's radius, its root mean square distance from its centre.
        """
        return self._relative(0)

    @property
    def influence(self) -> FloatArray:
        """How far the others move without each object left out, shape (m,), as in `moves`."""
        return self._relative(1)

    def _relative(self, axis: int) -> FloatArray:
        """Return the root mean square of the moves that are known, along an axis of the clouds."""
        squares = np.square(self.clouds - self.points).sum(axis=2)
        counts = np.maximum(np.isfinite(squares).sum(axis=axis), 1)
        radius = np.sqrt(np.square(centred_columns(self.points)).sum(axis=1).mean())
        return np.asarray(np.sqrt(np.nansum(squares, axis=axis) / counts) / (radius or 1.0))


@carry_labels
def leave_one_out(
    X: ArrayLike,
    fit: Callable[..., Any],
    *,
    metric: Metric = "euclidean",
    most: int = 60,
    from_map: bool = False,
) -> Clouds:
    """Leave out each object in turn, map the others, and turn each map onto that of all.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        What `fit` takes: points, one in each row; or a square table between the objects.
    fit : callable
        Makes a map of a table: a function of the library, such as `classical_scaling`, or
        ``lambda D: kernel_mds(D, RBF(0.1))``. What it returns has ``points``.
    metric : {"euclidean", "precomputed"}
        What `X` holds.
    most : int
        Leave out at most so many objects, spread evenly over the table.
    from_map : bool
        Start each search where the map of all has its points: `fit` is then called with
        ``init=``, as `smacof` and `sammon` take it.

    Returns
    -------
    Clouds
        ``points``, ``clouds``, and how far each object ``moves`` and moves others (``influence``).

    Raises
    ------
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, or `fit` refuses a table.

    Notes
    -----
    Drawn by the laboratory, section How to read the answer, with the same numbers; maps are turned
    as in Chapter 4, Classical scaling. A map with fewer axes than others gets columns of zeros.
    Parameters stay as they are: a kernel's width is that of the whole table. Ends of searches from
    other starts would show local minima beside what the table leaves open. Compare the jackknife
    of de Leeuw & Meulman (1986).

    Examples
    --------
    >>> from kmds_lib import pca
    >>> found = leave_one_out([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]], pca)
    >>> found.clouds.shape, found.moves.round(6)
    ((4, 4, 2), array([0., 0., 0., 0.]))
    """
    check_option(metric, Metric, "metric")
    from_map = check_flag(from_map, "from_map")
    X = as_gram(X, "X") if metric == "precomputed" else as_points(X)
    n = len(X)
    m = min(n, check_count(most, "most"))
    left_out = np.arange(m) * n // m
    others = [np.delete(np.arange(n), i) for i in left_out]
    whole = fit(X).points
    maps = [fit(_part(X, rest, metric), **_start(whole[rest], from_map)).points for rest in others]
    k = max(1, *(Y.shape[1] for Y in (whole, *maps)))
    whole, clouds = _padded(whole, k), np.full((m, n, k), np.nan)
    for cloud, rest, Y in zip(clouds, others, maps, strict=True):
        cloud[rest] = procrustes_align(_padded(Y, k), target=whole[rest]).points
    return Clouds(whole, left_out, clouds)


def _part(X: FloatArray, rest: NDArray[np.intp], metric: Metric) -> FloatArray:
    return X[np.ix_(rest, rest)] if metric == "precomputed" else X[rest]


def _start(points: FloatArray, from_map: bool) -> dict[str, FloatArray]:
    return {"init": points} if from_map else {}


def _padded(Y: FloatArray, k: int) -> FloatArray:
    return np.pad(Y, ((0, 0), (0, k - Y.shape[1])))
