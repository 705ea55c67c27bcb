"""Scores computed from a covariance matrix and from distances, side by side."""

from typing import Any

import numpy as np
import traitlets
from sklearn.datasets import load_iris

from kmds_figures.explorers.explorer import Explorer, as_drawable_points

_N_POINTS_RANGE = (4, 20)
# How far the drawing extends to either side of 0, horizontally and vertically.
_MAX_COORDINATES = (1.56, 1.31)


class PcaVsScalingExplorer(Explorer, script="pcaVsScaling"):
    """Scores from covariances and from distances, as returned by `pca_vs_scaling_explorer`."""

    presets: Any = traitlets.Dict().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    signs: Any = traitlets.List([1, 1, 1, 1]).tag(sync=True)
    agree = traitlets.Bool(False).tag(sync=True)


def pca_vs_scaling_explorer() -> PcaVsScalingExplorer:
    """Return points in the plane with their scores from S and from their distances.

    Returns
    -------
    PcaVsScalingExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its ``points`` are
        the points shown and ``chosen`` is the index of the selected one. ``signs`` are the signs
        of axes 1 and 2 from S, then from the distances, relative to `canonical_signs` of their
        eigenvectors. ``agree`` is true if the signs of the second computation are changed to agree
        with the first.

    Notes
    -----
    The browser computes S = XᵀHX / n, B from the distances, and the eigenvectors of both. Derived
    in Chapter 5, Principal component analysis. Source: Gower (1966).

    Examples
    --------
    >>> widget = pca_vs_scaling_explorer()
    >>> len(widget.points), widget.signs
    (16, [1, 1, 1, 1])
    """
    presets = _presets()
    shown = presets["unequal"]
    return PcaVsScalingExplorer(presets=presets, points=shown, chosen=len(shown) - 1)


def _presets() -> dict[str, list[list[float]]]:
    """Return the points of each preset, in cm.

    The irises are versicolor: sepal length minus 5.9 cm and sepal width minus 2.8 cm.
    """
    rng = np.random.default_rng(2173)
    tilt = np.radians(32)
    rotation = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    quarter = np.array([[0.22, 0.88], [1.1, 0.25], [0.7, 0.72], [0.45, -0.1]])
    group = np.array([[-5, -3], [-3, -6], [-1, -2], [-6, 1], [-3, 2], [0, 4], [-8, -4]]) / 10
    quarters = [quarter, quarter[:, ::-1] * [-1, 1], -quarter, quarter[:, ::-1] * [1, -1]]
    steps = np.array([-17, -15, -12, -10, -7, -6, -3, -1, 1, 2, 5, 7, 9, 12, 15, 17])
    flowers = load_iris().data[50:100:3, :2] - [5.9, 2.8]
    drawn = {
        "unequal": (rng.normal(size=(16, 2)) * [0.75, 0.3]) @ rotation,
        "equal": np.concatenate(quarters),
        "line": steps[:, None] * [0.08, 0.06],
        "outlier": np.concatenate([group, group[:, ::-1] * 0.9 + [0.13, -0.04], [[1.4, 0.8]]]),
        "irises": flowers,
    }
    return {
        name: as_drawable_points(X, _N_POINTS_RANGE, _MAX_COORDINATES) for name, X in drawn.items()
    }
