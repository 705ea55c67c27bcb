"""Classical scaling of road distances, with its map and spectrum."""

from typing import Any, Literal, get_args

import numpy as np
import traitlets
from scipy.cluster.hierarchy import leaves_list, linkage

from kmds_figures.explorers.explorer import Explorer
from kmds_lib import classical_scaling, procrustes_align
from kmds_lib._parameters import check_option
from kmds_lib._types import FloatArray
from kmds_lib.datasets import load_coastline, load_eurodist, project_equal_area

View = Literal["all", "map", "cities"]
_CITIES = ["Lisbon", "Madrid", "Paris", "Stockholm", "Vienna", "Rome", "Athens"]
"""The cities of the view "cities", whose matrix has room for numbers."""


class ClassicalScalingExplorer(Explorer, script="classicalScaling"):
    """Classical scaling of road distances, as returned by `classical_scaling_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    labels: Any = traitlets.List().tag(sync=True)
    upper: Any = traitlets.List().tag(sync=True)
    places: Any = traitlets.List().tag(sync=True)
    coast = traitlets.Unicode().tag(sync=True)
    base = traitlets.Enum(("roads", "straight")).tag(sync=True)
    edits: Any = traitlets.List().tag(sync=True)
    method = traitlets.Enum(("cailliez", "lingoes")).tag(sync=True)
    share = traitlets.Float().tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)
    moved: Any = traitlets.List().tag(sync=True)


def _coast_behind(D: FloatArray, places: FloatArray) -> str:
    """Return an SVG path of every other point of the coastline in units of 10 km, y downwards.

    The coast and the true places are moved and scaled together, so that the places fit the map.
    """
    first = procrustes_align(classical_scaling(D, 2).points, target=places).points
    fit = procrustes_align(places, target=first, scaling=True)
    path = ""
    for line in load_coastline().lines:
        true = project_equal_area(line[np.r_[: len(line) - 1 : 2, -1]])
        corners = (fit.scale * true @ fit.rotation + fit.translation) / [10, -10]
        steps = np.diff(corners.round().astype(int), axis=0, prepend=0)
        path += "M0 0m" + " ".join(f"{x} {y}" for x, y in steps)
    return path


def classical_scaling_explorer(show: View = "all") -> ClassicalScalingExplorer:
    """Return classical scaling of the road distances of `load_eurodist`, which can be edited.

    Parameters
    ----------
    show : {"all", "map", "cities"}
        All panels; only the matrix, the map and the largest differences between them; or seven
        cities, with the numbers of their matrix and a map, in front of the coastline, on which a
        city that is dragged gets new distances.

    Returns
    -------
    ClassicalScalingExplorer
        The widget. Make it the last expression of the cell. Its ``labels`` are the cities, in an
        order that puts close cities side by side, ``upper`` the road distances above the diagonal,
        row by row, ``places`` their true positions in km, and ``coast`` the path of the coastline,
        which is empty unless `show` is "cities". In a live notebook, ``base`` is
        ``"roads"`` for road distances or ``"straight"`` for straight lines, ``edits`` contains a
        row ``[i, j, km]`` for each changed entry, ``share`` is the fraction of the additive
        constant of ``method`` that is added, ``chosen`` the selected entry, and ``moved`` the
        index and the position, in km, of the city that was dragged (an empty list before).

    Notes
    -----
    The browser computes both constants of `additive_constant`, the map, its spectrum and both
    measures of goodness of fit, without a Python kernel. Derived in Chapter 4, Classical scaling.
    Source: Torgerson (1952); Lingoes (1971); Cailliez (1983).

    Examples
    --------
    >>> widget = classical_scaling_explorer()
    >>> widget.labels[:3], len(widget.upper)
    (['Athens', 'Rome', 'Gibraltar'], 210)
    """
    check_option(show, View, "show")
    roads = load_eurodist()
    names = _CITIES if show == "cities" else roads.labels
    cities = np.array([roads.labels.index(name) for name in names])
    pairs = np.triu_indices(len(cities), 1)
    lengths = roads.distances[np.ix_(cities, cities)][pairs]
    order = cities[leaves_list(linkage(lengths, "average", optimal_ordering=True))]
    labels = [roads.labels[i] for i in order]
    chosen = ["Rome", "Paris"] if show == "cities" else ["Paris", "Rome"]
    D, places = roads.distances[np.ix_(order, order)], project_equal_area(roads.coordinates)[order]
    return ClassicalScalingExplorer(
        show=show,
        labels=labels,
        upper=D[pairs].tolist(),
        places=places.round(1).tolist(),
        coast=_coast_behind(D, places) if show == "cities" else "",
        base="roads",
        edits=[],
        method="cailliez",
        share=0.0,
        chosen=[labels.index(name) for name in chosen],
        moved=[],
    )
