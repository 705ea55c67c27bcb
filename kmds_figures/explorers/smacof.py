"""SMACOF as a system of springs, and its local minima."""

from typing import Any

import numpy as np
import traitlets

from kmds_figures.explorers.explorer import Explorer
from kmds_lib import procrustes_align, smacof
from kmds_lib.datasets import load_eurodist, project_equal_area


class SmacofExplorer(Explorer, script="smacof"):
    """The descent of SMACOF on road distances, as returned by `smacof_explorer`."""

    labels: Any = traitlets.List().tag(sync=True)
    road_distances: Any = traitlets.List().tag(sync=True)
    best: Any = traitlets.List().tag(sync=True)
    run: Any = traitlets.List().tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    kept_runs: Any = traitlets.List().tag(sync=True)
    tried: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)


def smacof_explorer() -> SmacofExplorer:
    """Return the steps of SMACOF on the road distances of `load_eurodist`, drawn as springs.

    Returns
    -------
    SmacofExplorer
        The widget. Make it the last expression of the cell. Its ``labels`` are the cities,
        ``road_distances`` the distances of all pairs, and ``best`` the map with the smallest known
        raw stress, north up, both in 1000 km. In a live notebook, ``run`` is the
        start of the descent: ``[0]`` for the classical map, ``[seed]`` for a random one, and
        ``[city, x0, y0, x1, ...]`` in km after a city was dragged. ``steps`` is the number of
        steps taken, or 1000 for all. ``points`` is the map after them, in 1000 km, after a change
        (an empty list before). ``kept_runs`` contains one run for each local minimum found,
        preceded by the number of random starts that end there, ``tried`` the largest seed and the
        number of random starts, and ``chosen`` the index of the selected city.

    Notes
    -----
    The browser computes the steps, which are Guttman transforms, and stops as `smacof` does with
    ``tol=1e-5``; `smacof` takes fewer, longer steps to the same minima. Derived in Chapter 9,
    Stress. Source: Guttman (1968); de Leeuw (1977).

    Examples
    --------
    >>> widget = smacof_explorer()
    >>> widget.labels[widget.chosen], widget.run, widget.kept_runs
    ('Rome', [11], [[0, 0], [0, 11]])
    """
    roads = load_eurodist()
    D = roads.distances / 1000
    best = smacof(D, tol=1e-9).points
    best = procrustes_align(best, target=project_equal_area(roads.coordinates)).points
    return SmacofExplorer(
        labels=list(roads.labels),
        road_distances=D[np.triu_indices(len(D), 1)].tolist(),
        best=(best - best.mean(axis=0)).round(4).tolist(),
        run=[11],
        steps=1000,
        kept_runs=[[0, 0], [0, 11]],
        tried=[11, 0],
        chosen=roads.labels.index("Rome"),
        points=[],
    )
