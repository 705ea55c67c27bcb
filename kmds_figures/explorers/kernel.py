"""Points of the plane under a kernel."""

from dataclasses import asdict
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, group_of_each, in_the_plane
from kmds_lib._checks import check_option
from kmds_lib.datasets import rings, three_clusters
from kmds_lib.kernels import (
    RBF,
    DampedCosine,
    Exponential,
    Kernel,
    Linear,
    Polynomial,
    Power,
)

__all__ = ["KernelExplorer", "kernel_explorer"]

Question = Literal["kernel", "components"]
Centring = Literal["all", "fit", "none"]
Points = Literal["line", "grid", "rings", "moons", "clusters"]
_FEWEST_POINTS, MOST_POINTS = 5, 60
_REACH = (3.12, 2.82)
# What the sliders of the kernel explorer reach; kernel.js says the same.
_RANGES: dict[type[Kernel], dict[str, tuple[float, float]]] = {
    Linear: {},
    Polynomial: {"degree": (1, 6), "offset": (0, 3)},
    RBF: {"theta": (0.01, 100)},
    Exponential: {"theta": (0.01, 100)},
    DampedCosine: {"alpha": (0, 6), "omega": (0, 6)},
    Power: {"beta": (0.25, 4)},
}


class KernelExplorer(Explorer):
    """Points of the plane under a kernel; made by `kernel_explorer`."""

    asks = traitlets.Enum(get_args(Question)).tag(sync=True)
    presets: Any = traitlets.Dict().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    kernel: Any = traitlets.Dict().tag(sync=True)
    component = traitlets.Int().tag(sync=True)
    centring = traitlets.Enum(get_args(Centring)).tag(sync=True)
    test: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int(0).tag(sync=True)
    signs: Any = traitlets.List([1, 1, 1, 1]).tag(sync=True)
    turn: Any = traitlets.List([0, 1]).tag(sync=True)


def kernel_explorer(
    points: str | ArrayLike = "rings",
    kernel: Kernel | None = None,
    *,
    groups: ArrayLike | None = None,
    asks: Question = "components",
    test: tuple[float, float] = (1.9, -1.2),
) -> KernelExplorer:
    """Return points of the plane under a kernel: its matrix, its spectrum and its components.

    Parameters
    ----------
    points : {"line", "grid", "rings", "moons", "clusters"} or array_like, shape (n, 2)
        Points at the start, of a preset or 5 to 60 of your own, within 3.12 of zero sideways
        and 2.82 up and down; they are rounded to 0.01.
    kernel : Linear, Polynomial, RBF, Exponential, DampedCosine or Power, optional
        The kernel at the start, within the range of the sliders, its parameters rounded to
        three digits; ``RBF(1.0)`` if not given.
    groups : array_like, shape (n,), optional
        The shape of each point: 0, 1 or 2; by default those of the preset, or one for all.
    asks : {"components", "kernel"}
        The question: what components the kernel finds, with the map and the projection of a
        test point; or whether it is a kernel at all, with the function k(., x) of a point x.
    test : tuple of two floats
        The test point at the start.

    Returns
    -------
    KernelExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``points``,
        ``groups`` (one number a point, drawn as its shape), ``kernel`` (name and parameters),
        ``component`` whose level lines are drawn, ``centring`` (of the kernel matrix and the new
        point, of the matrix alone, or of nothing), ``test`` and the ``chosen`` point hold what is
        shown; ``signs`` and ``turn`` (degrees, and -1 if mirrored) how components and map are
        turned.

    Raises
    ------
    ValueError
        If a name is unknown, or points, groups or a parameter lie outside what can be shown.
    TypeError
        If `kernel` is none of the six.

    Notes
    -----
    The browser computes the kernel matrix, all its eigenvalues, the scores and their level
    lines, without a Python kernel. Derived in Chapter 6, A kernel is a dot product after a
    map, and Chapter 7, Kernel PCA. Source: Schoelkopf, Smola and Mueller (1998).

    Examples
    --------
    >>> widget = kernel_explorer("clusters", RBF(2.0))
    >>> widget.kernel, len(widget.points)
    ({'name': 'RBF', 'theta': 2.0}, 36)
    """
    check_option(asks, Question, "asks")
    presets = _kernel_presets()
    if isinstance(points, str):
        check_option(points, Points, "points")
        shown = presets[points]
    else:
        rows = _in_the_plane(points)
        shown = {"points": rows, "groups": [0] * len(rows)}
    if groups is not None:
        shown = shown | {"groups": group_of_each(groups, len(shown["points"]))}
    return KernelExplorer(
        asks=asks,
        presets=presets,
        kernel=_kernel_state(RBF(1.0) if kernel is None else kernel),
        component=1,
        centring="all",
        test=_in_the_plane([test], fewest=1)[0],
        **shown,
    )


def _kernel_presets() -> dict[str, dict[str, Any]]:
    """Return the points of each preset, with their groups."""
    along = np.linspace(0.0, np.pi, 16)
    upper = np.column_stack([1.8 * np.cos(along) - 0.8, 1.8 * np.sin(along) - 0.4])
    side = 0.8 * np.arange(-2, 3)
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    circles, ring = rings(16, radii=(1.0, 2.8))
    clusters, cluster = three_clusters(12)
    drawn = {
        "line": (np.column_stack([np.linspace(-3, 3, 16), np.zeros(16)]), np.zeros(16)),
        "grid": (square, np.zeros(25)),
        "rings": (circles, ring),
        "moons": (np.concatenate([upper, -upper]), np.repeat([0, 1], 16)),
        "clusters": (3 * clusters, cluster),
    }
    return {
        name: {"points": _in_the_plane(X), "groups": [int(g) for g in groups]}
        for name, (X, groups) in drawn.items()
    }


def _in_the_plane(points: ArrayLike, fewest: int = _FEWEST_POINTS) -> list[list[float]]:
    """Return checked points of the plane that this explorer draws."""
    return in_the_plane(points, (fewest, MOST_POINTS), _REACH)


def _kernel_state(kernel: Kernel) -> dict[str, Any]:
    """Return name and parameters of a kernel that the explorer has sliders for."""
    ranges = _RANGES.get(type(kernel))
    if ranges is None:
        names = ", ".join(one.__name__ for one in _RANGES)
        raise TypeError(f"kernel is a {type(kernel).__name__}; give one of {names}.")
    values: dict[str, Any] = asdict(kernel) if ranges else {}  # type: ignore[call-overload]
    if values.pop("scale", 1.0) != 1.0:
        raise ValueError(f"{kernel} has a scale, for which there is no slider: scale the points.")
    for name, (least, most) in ranges.items():
        if not least <= values[name] <= most:
            raise ValueError(
                f"{name} = {values[name]:g} lies outside the slider, {least} to {most}."
            )
    for name in values.keys() - {"degree"}:
        values[name] = float(f"{values[name]:.3g}")
    return {"name": type(kernel).__name__, **values}
