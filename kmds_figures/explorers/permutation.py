"""Two samples, or pairs, and what chance would make of them."""

from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import (
    SHARED_MODULE,
    SHARED_STYLE,
    Explorer,
    in_the_plane,
    script_text,
)
from kmds_lib._checks import check_number, check_option

__all__ = ["PermutationExplorer", "permutation_explorer"]

Preset = Literal["same", "shift", "wide", "cross"]
Asks = Literal["samples", "pairs"]
Choice = Literal["distance", "RBF"]
# What can be drawn; permutation.js says the same.
_REACH = (3.39, 1.82)
_EACH = 15


class PermutationExplorer(Explorer):
    """Two samples or pairs, and a permutation test; made by `permutation_explorer`."""

    _esm = SHARED_MODULE + script_text("explorers/permutation.js")
    _css = SHARED_STYLE + script_text("explorers/permutation.css")
    presets: Any = traitlets.Dict().tag(sync=True)
    second: Any = traitlets.List().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    asks = traitlets.Enum(get_args(Asks)).tag(sync=True)
    kernel = traitlets.Enum(get_args(Choice)).tag(sync=True)
    exponent = traitlets.Float().tag(sync=True)
    theta = traitlets.Float().tag(sync=True)
    deal = traitlets.Int().tag(sync=True)


def permutation_explorer(
    points: Preset | ArrayLike = "wide",
    *,
    asks: Asks = "samples",
    kernel: Choice = "distance",
    exponent: float = 1.0,
    theta: float = 0.5,
) -> PermutationExplorer:
    """Return points to drag, a statistic of them, and its values for 999 permutations.

    Parameters
    ----------
    points : {"same", "shift", "wide", "cross"} or array_like, shape (30, 2)
        Points at the start, of a preset or your own: the first fifteen are sample A, the others B.
        They lie within 3.39 of zero sideways and 1.82 up and down and are rounded to 0.01.
    asks : {"samples", "pairs"}
        The question at the start: have A and B one law, or does x tell of y?
    kernel : {"distance", "RBF"}
        The kernel at the start: minus a power of the distance, or RBF.
    exponent : float, default 1.0
        The power, from 0.1 to 2.
    theta : float, default 0.5
        The parameter of the RBF kernel, from 0.001 to 100.

    Returns
    -------
    PermutationExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``points``
        hold the points, ``chosen`` the one that the arrow keys move, ``asks``, ``kernel``,
        ``exponent`` and ``theta`` what is computed, and ``deal`` the permutation on show.

    Raises
    ------
    ValueError
        If a name is unknown, or points or a number lie outside what can be shown.

    Notes
    -----
    The browser computes HKH, the energy distance or the squared MMD of both samples, or the
    squared distance covariance or HSIC of both coordinates, the same for 999 permutations, and the
    terms of the trace for each eigenvector of HKH. Derived in Chapter 12, One matrix, many
    statistics. Source: Gretton et al. (2012); Székely and Rizzo (2013).

    Examples
    --------
    >>> widget = permutation_explorer("cross", asks="pairs")
    >>> len(widget.points), widget.second[0], widget.kernel
    (30, 15, 'distance')
    """
    check_option(asks, Asks, "asks")
    check_option(kernel, Choice, "kernel")
    _check_within(exponent, "exponent", (0.1, 2.0))
    _check_within(theta, "theta", (1e-3, 100.0))
    presets = _presets()
    if isinstance(points, str):
        check_option(points, Preset, "points")
        shown = presets[points]
    else:
        shown = in_the_plane(points, (2 * _EACH, 2 * _EACH), _REACH)
    return PermutationExplorer(
        presets=presets,
        second=list(range(_EACH, 2 * _EACH)),
        points=shown,
        chosen=2 * _EACH - 1,
        asks=asks,
        kernel=kernel,
        exponent=float(exponent),
        theta=float(f"{theta:.3g}"),
        deal=0,
    )


def _check_within(value: float, name: str, bounds: tuple[float, float]) -> None:
    """Refuse a number outside what the slider shows."""
    if not bounds[0] <= check_number(value, name) <= bounds[1]:
        low, high = bounds
        raise ValueError(f"{name} is {value:g}; the slider goes from {low:g} to {high:g}.")


def _presets() -> dict[str, list[list[float]]]:
    """Return the points of each preset: fifteen of A, then fifteen of B."""
    rng = np.random.default_rng(12)
    first, second, along = (_standardised(rng.normal(size=(_EACH, 2))) for _ in range(3))
    third = _standardised(rng.normal(size=(_EACH, 2)))
    line = np.sort(along[:, :1], axis=0)
    side = 0.1 * third[:, :1]
    drawn = {
        "same": tuple(0.65 * rng.normal(size=(2, _EACH, 2)).clip(-2.5, 2.5)),
        "shift": (0.6 * first - [0.8, 0.0], 0.6 * second + [0.8, 0.0]),
        "wide": (0.25 * first, 0.85 * second),
        "cross": (0.75 * line + side * [-1, 1], 0.75 * line * [-1, 1] + side),
    }
    return {
        name: in_the_plane(np.concatenate(pair), (2 * _EACH, 2 * _EACH), _REACH)
        for name, pair in drawn.items()
    }


def _standardised(X: Any) -> Any:
    """Give columns the mean 0 and the variance 1, uncorrelated, within the plane."""
    centred = X - X.mean(axis=0)
    left, _, right = np.linalg.svd(centred, full_matrices=False)
    return np.sqrt(len(X)) * left @ right
