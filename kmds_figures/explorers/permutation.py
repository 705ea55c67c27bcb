"""Permutation tests of two samples or of paired coordinates."""

from typing import Any, Literal, get_args

import numpy as np
import traitlets

from kmds_figures.explorers.explorer import Explorer, as_drawable_points

Test = Literal["two-sample", "independence"]
Kernel = Literal["distance", "RBF"]
# How far the drawing extends to either side of 0, horizontally and vertically.
_MAX_COORDINATES = (3.39, 1.82)
_SAMPLE_SIZE = 15


class PermutationExplorer(Explorer, script="permutation"):
    """A permutation test of two samples or of pairs, from `permutation_explorer`."""

    presets: Any = traitlets.Dict().tag(sync=True)
    second: Any = traitlets.List().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    test = traitlets.Enum(get_args(Test)).tag(sync=True)
    kernel = traitlets.Enum(get_args(Kernel)).tag(sync=True)
    exponent = traitlets.Float().tag(sync=True)
    theta = traitlets.Float().tag(sync=True)
    permutation = traitlets.Int().tag(sync=True)


def permutation_explorer() -> PermutationExplorer:
    """Return points that can be dragged, and a permutation test with 999 permutations.

    Returns
    -------
    PermutationExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its traits are the
        state shown: the ``points``, fifteen of sample A before fifteen of B; ``chosen``, the index
        of the point that the arrow keys move; the statistic, given by ``test``, ``kernel``,
        ``exponent`` and ``theta``; and ``permutation``, the index of the permutation shown.

    Notes
    -----
    The browser computes HKH, the energy distance or the squared MMD of both samples, or the
    squared distance covariance or HSIC of both coordinates, its values for 999 permutations, and
    the terms of the trace for each eigenvector of HKH. Derived in Chapter 12, Kernel tests.
    Source: Gretton et al. (2012); Székely and Rizzo (2013).

    Examples
    --------
    >>> widget = permutation_explorer()
    >>> len(widget.points), widget.second[0], widget.kernel
    (30, 15, 'distance')
    """
    presets = _presets()
    return PermutationExplorer(
        presets=presets,
        second=list(range(_SAMPLE_SIZE, 2 * _SAMPLE_SIZE)),
        points=presets["wide"],
        chosen=2 * _SAMPLE_SIZE - 1,
        test="two-sample",
        kernel="distance",
        exponent=1.0,
        theta=1.0,
        permutation=0,
    )


def _presets() -> dict[str, list[list[float]]]:
    """Return the points of each preset: fifteen of A, then fifteen of B."""
    rng = np.random.default_rng(12)
    first, second, along = (_standardised(rng.normal(size=(_SAMPLE_SIZE, 2))) for _ in range(3))
    third = _standardised(rng.normal(size=(_SAMPLE_SIZE, 2)))
    line = np.sort(along[:, :1], axis=0)
    side = 0.1 * third[:, :1]
    drawn = {
        "same": tuple(0.65 * rng.normal(size=(2, _SAMPLE_SIZE, 2)).clip(-2.5, 2.5)),
        "shift": (0.6 * first - [0.8, 0.0], 0.6 * second + [0.8, 0.0]),
        "wide": (0.25 * first, 0.85 * second),
        "cross": (0.75 * line + side * [-1, 1], 0.75 * line * [-1, 1] + side),
    }
    return {
        name: as_drawable_points(
            np.concatenate(pair), (2 * _SAMPLE_SIZE, 2 * _SAMPLE_SIZE), _MAX_COORDINATES
        )
        for name, pair in drawn.items()
    }


def _standardised(X: Any) -> Any:
    """Return X transformed to mean 0, variance 1 and uncorrelated columns."""
    centred = X - X.mean(axis=0)
    left, _, right = np.linalg.svd(centred, full_matrices=False)
    return np.sqrt(len(X)) * left @ right
