"""Kernel MDS as the width of its kernel changes."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, group_of_each, six_digits
from kmds_figures.explorers.kernel import MOST_POINTS
from kmds_lib._checks import as_dissimilarities

__all__ = ["WidthExplorer", "width_explorer"]

Profile = Literal["RBF", "Exponential"]


class WidthExplorer(Explorer):
    """Kernel MDS of a table as its kernel's width changes; made by `width_explorer`."""

    upper: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    names: Any = traitlets.List().tag(sync=True)
    kernel = traitlets.Enum(get_args(Profile)).tag(sync=True)
    theta = traitlets.Float().tag(sync=True)
    turn: Any = traitlets.List([0, 1]).tag(sync=True)


def width_explorer(
    D: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    names: Sequence[str] = (),
) -> WidthExplorer:
    """Return the kernel MDS of a table of dissimilarities as the kernel's width changes.

    Parameters
    ----------
    D : array_like, shape (n, n)
        Dissimilarities of 6 to 60 different objects, in a unit in which the widths below make
        sense; they are rounded to six digits of the largest.
    groups : array_like, shape (n,), optional
        The group of each object, 0, 1 or 2, drawn as its shape; one group if not given.
    names : sequence of str, optional
        What the groups are, for the key: at most three.

    Returns
    -------
    WidthExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``kernel``
        and ``theta`` hold what is shown, ``turn`` how the map is turned (degrees, and -1 if
        mirrored), and ``upper`` the rounded table above the diagonal, row after row.

    Raises
    ------
    ValueError
        If D is no table of dissimilarities, has too many objects or equal ones, or groups or names
        do not fit it.

    Notes
    -----
    Map, function f, both Shepard diagrams and the explained fraction for every number of
    dimensions, beside its limits for wide and for narrow kernels. Derived in Chapter 8, Kernel
    MDS. Source: Williams (2001).

    Examples
    --------
    >>> widget = width_explorer(1.0 - np.eye(6))
    >>> widget.theta, len(widget.upper)
    (0.1, 15)
    """
    if len(names) > 3:
        raise ValueError(f"names holds {len(names)} names; give at most 3, one a group.")
    table = as_dissimilarities(D)
    n = len(table)
    if not 6 <= n <= MOST_POINTS:
        raise ValueError(f"D has {n} objects; give 6 to {MOST_POINTS}.")
    upper = six_digits(table[np.triu_indices(n, 1)])
    if not (upper > 0).all():
        raise ValueError(
            "Two objects of D are equal, to six digits; the limit of narrow kernels needs "
            "different ones. Keep one of each."
        )
    return WidthExplorer(
        upper=upper.tolist(),
        groups=group_of_each(groups, n),
        names=[str(name) for name in names],
        kernel="RBF",
        theta=0.1,
    )
