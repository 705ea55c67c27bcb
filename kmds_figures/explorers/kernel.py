"""A kernel, its matrix and spectrum, and a component of kernel PCA, for points in the plane."""

from dataclasses import asdict
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, as_drawable_points
from kmds_lib._parameters import check_option
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

View = Literal["component", "definiteness", "function"]
Points = Literal["line", "grid", "rings", "moons", "clusters"]
_MIN_POINTS, MAX_POINTS = 5, 60
_MAX_COORDINATES = (3.12, 2.82)
# The smallest and the largest value on the slider of each parameter.
_SLIDER_RANGES: dict[type[Kernel], dict[str, tuple[float, float]]] = {
    Linear: {},
    Polynomial: {"degree": (1, 6), "offset": (0, 3)},
    RBF: {"theta": (0.01, 100)},
    Exponential: {"theta": (0.01, 100)},
    DampedCosine: {"alpha": (0, 6), "omega": (0, 6)},
    Power: {"beta": (0.25, 4)},
}


class KernelExplorer(Explorer, script="kernel"):
    """A kernel and points in the plane, as returned by `kernel_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    presets: Any = traitlets.Dict().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    kernel: Any = traitlets.Dict().tag(sync=True)
    component = traitlets.Int().tag(sync=True)
    test: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int(0).tag(sync=True)
    signs: Any = traitlets.List([1, 1, 1, 1]).tag(sync=True)


def kernel_explorer(
    points: str | ArrayLike = "rings",
    kernel: Kernel | None = None,
    *,
    show: View = "component",
    test: tuple[float, float] = (1.9, -1.2),
) -> KernelExplorer:
    """Return points in the plane with a kernel component, the kernel matrix, or a kernel function.

    Parameters
    ----------
    points : {"line", "grid", "rings", "moons", "clusters"} or array_like, shape (n, 2)
        Initial points: the name of a preset, or 5 to 60 points whose first coordinates are at
        most 3.12 and whose second are at most 2.82 in absolute value, rounded to 0.01.
    kernel : Linear, Polynomial, RBF, Exponential, DampedCosine or Power, optional
        Initial kernel, by default ``RBF(1.0)``. Its parameters must be within the ranges of the
        sliders, and are rounded to three digits.
    show : {"component", "definiteness", "function"}
        The level lines of a component of kernel PCA; the level lines of the function k(., x),
        with the kernel matrix and its eigenvalues; or only the level lines of the function.
    test : tuple of two floats
        Initial position of x; the view "component" does not use it.

    Returns
    -------
    KernelExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its traits are the
        state shown: ``points``, ``groups`` (0, 1 or 2 for each point), ``kernel`` (name and
        parameters), the ``component`` whose level lines are drawn, ``test`` (the point x), the
        index of the ``chosen`` point, and the ``signs`` of the components.

    Raises
    ------
    ValueError
        If a name is unknown, or points or a parameter are out of range.
    TypeError
        If `kernel` is not one of the six.

    Notes
    -----
    The browser computes the kernel matrix, all its eigenvalues, the scores and their level
    lines, without a Python kernel. Derived in Chapter 6, Kernels and feature maps, and Chapter 7,
    Kernel PCA. Source: Schoelkopf, Smola and Mueller (1998).

    Examples
    --------
    >>> widget = kernel_explorer("clusters", RBF(2.0))
    >>> widget.kernel, len(widget.points)
    ({'name': 'RBF', 'theta': 2.0}, 36)
    """
    check_option(show, View, "show")
    presets = _kernel_presets()
    if isinstance(points, str):
        check_option(points, Points, "points")
        shown = presets[points]
    else:
        rows = _as_drawable_points(points)
        shown = {"points": rows, "groups": [0] * len(rows)}
    return KernelExplorer(
        show=show,
        presets=presets,
        kernel=_kernel_state(RBF(1.0) if kernel is None else kernel),
        component=1,
        test=_as_drawable_points([test], min_points=1)[0],
        **shown,
    )


def _kernel_presets() -> dict[str, dict[str, Any]]:
    """Return the points and groups of each preset."""
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
        name: {"points": _as_drawable_points(X), "groups": [int(g) for g in groups]}
        for name, (X, groups) in drawn.items()
    }


def _as_drawable_points(points: ArrayLike, min_points: int = _MIN_POINTS) -> list[list[float]]:
    """Return points that can be drawn, rounded to two decimals."""
    return as_drawable_points(points, (min_points, MAX_POINTS), _MAX_COORDINATES)


def _kernel_state(kernel: Kernel) -> dict[str, Any]:
    """Return the name and the parameters of a kernel, if they are within the sliders' ranges."""
    ranges = _SLIDER_RANGES.get(type(kernel))
    if ranges is None:
        names = ", ".join(one.__name__ for one in _SLIDER_RANGES)
        raise TypeError(f"kernel is a {type(kernel).__name__}; give one of {names}.")
    values: dict[str, Any] = asdict(kernel) if ranges else {}  # type: ignore[call-overload]
    if values.pop("scale", 1.0) != 1.0:
        raise ValueError(f"{kernel} has a scale but no slider for it; scale the points.")
    for name, (low, high) in ranges.items():
        if not low <= values[name] <= high:
            raise ValueError(
                f"{name} = {values[name]:g} is outside the slider's range, {low} to {high}."
            )
    for name in values.keys() - {"degree"}:
        values[name] = float(f"{values[name]:.3g}")
    return {"name": type(kernel).__name__, **values}
