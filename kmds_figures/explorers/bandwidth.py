"""Kernel MDS with a variable bandwidth."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, as_groups, round_to_six_digits
from kmds_figures.explorers.kernel import MAX_POINTS
from kmds_lib._parameters import check_option
from kmds_lib._validation import as_dissimilarities

Profile = Literal["RBF", "Exponential"]
View = Literal["all", "map"]


class BandwidthExplorer(Explorer, script="bandwidth"):
    """Kernel MDS with a variable bandwidth, as returned by `bandwidth_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    upper: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    names: Any = traitlets.List().tag(sync=True)
    kernel = traitlets.Enum(get_args(Profile)).tag(sync=True)
    theta = traitlets.Float().tag(sync=True)
    rotation: Any = traitlets.List([0, 1]).tag(sync=True)


def bandwidth_explorer(
    D: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    names: Sequence[str] = (),
    show: View = "all",
) -> BandwidthExplorer:
    """Return kernel MDS of a dissimilarity matrix with a slider for the bandwidth.

    Parameters
    ----------
    D : array_like, shape (n, n)
        Dissimilarities of 6 to 60 distinct objects, in a unit that suits bandwidths around
        ``theta=0.1``, rounded to six digits of the largest.
    groups : array_like, shape (n,), optional
        Group of each object, 0, 1 or 2, which determines its marker. By default one group.
    names : sequence of str, optional
        Names of the groups for the legend, at most three.
    show : {"all", "map"}
        All panels, or only the map with its bandwidth.

    Returns
    -------
    BandwidthExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its ``kernel`` and
        ``theta`` are the state shown, ``rotation`` is that of the map (degrees, and -1 if
        reflected), and ``upper`` contains the rounded entries above the diagonal.

    Raises
    ------
    ValueError
        If D is not a dissimilarity matrix, has too few or too many objects or two equal ones,
        groups or names do not match it, or `show` is unknown.

    Notes
    -----
    The figure shows the map, the function f, both Shepard diagrams, and the explained fraction for
    every number of dimensions with its limits for wide and narrow kernels. Derived in Chapter 8,
    Kernel multidimensional scaling. Source: Williams (2001).

    Examples
    --------
    >>> widget = bandwidth_explorer(1.0 - np.eye(6))
    >>> widget.theta, len(widget.upper)
    (0.1, 15)
    """
    check_option(show, View, "show")
    if len(names) > 3:
        raise ValueError(f"names has {len(names)} entries; give at most 3, one per group.")
    delta = as_dissimilarities(D)
    n = len(delta)
    if not 6 <= n <= MAX_POINTS:
        raise ValueError(f"D has {n} objects; give 6 to {MAX_POINTS}.")
    upper = round_to_six_digits(delta[np.triu_indices(n, 1)])
    if not (upper > 0).all():
        raise ValueError(
            "Two objects of D are equal to six digits, but the limit of narrow kernels requires "
            "distinct objects. Keep one of each."
        )
    return BandwidthExplorer(
        show=show,
        upper=upper.tolist(),
        groups=as_groups(groups, n),
        names=[str(name) for name in names],
        kernel="RBF",
        theta=0.1,
    )
