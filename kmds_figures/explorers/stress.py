"""SMACOF as springs, with the maps in which it gets stuck."""

from typing import Any

import numpy as np
import traitlets

from kmds_figures.explorers.explorer import Explorer
from kmds_lib import procrustes_align, smacof
from kmds_lib.datasets import load_eurodist, project_equal_area

__all__ = ["StressExplorer", "stress_explorer"]


class StressExplorer(Explorer):
    """The descent of SMACOF on the road table; made by `stress_explorer`."""

    labels: Any = traitlets.List().tag(sync=True)
    table: Any = traitlets.List().tag(sync=True)
    best: Any = traitlets.List().tag(sync=True)
    run: Any = traitlets.List().tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    ends: Any = traitlets.List().tag(sync=True)
    tried: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)


def stress_explorer() -> StressExplorer:
    """Return SMACOF on the road table of `load_eurodist`, step by step, with its springs.

    Returns
    -------
    StressExplorer
        The widget, to be the last expression of the cell. Its ``labels`` name the cities,
        ``table`` holds the roads between them, pair by pair, and ``best`` the map of the least
        raw stress that is known, north up, both in 1000 km. Where a kernel runs, ``run`` says
        where the descent began: ``[0]`` at the classical map, ``[seed]`` at a random one, and
        ``[city, x0, y0, x1, ...]`` where a hand left the cities, in km. ``steps`` counts the
        steps taken, 1000 standing for all; ``points`` is the map after them, in 1000 km, once
        something was changed (an empty list before). ``ends`` holds the runs that ended in
        different maps, each behind the number of random starts that did, ``tried`` the last seed
        and the number of them, and ``chosen`` the city to drag.

    Notes
    -----
    The browser computes the steps, which are Guttman transforms, and stops as `smacof` does with
    ``tol=1e-5``; `smacof` takes fewer, longer steps to the same minima. Derived in Chapter 9,
    Stress. Source: Guttman (1968); de Leeuw (1977).

    Examples
    --------
    >>> widget = stress_explorer()
    >>> widget.labels[widget.chosen], widget.run, widget.ends
    ('Rome', [11], [[0, 0], [0, 11]])
    """
    roads = load_eurodist()
    D = roads.distances / 1000
    best = smacof(D, tol=1e-9).points
    best = procrustes_align(best, target=project_equal_area(roads.coordinates)).points
    return StressExplorer(
        labels=list(roads.labels),
        table=D[np.triu_indices(len(D), 1)].tolist(),
        best=(best - best.mean(axis=0)).round(4).tolist(),
        run=[11],
        steps=1000,
        ends=[[0, 0], [0, 11]],
        tried=[11, 0],
        chosen=roads.labels.index("Rome"),
        points=[],
    )
