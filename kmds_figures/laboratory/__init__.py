"""The laboratory: a page that reads your own data and draws its map."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer
from kmds_figures.laboratory.samples import samples
from kmds_lib import __version__

__all__ = ["Laboratory", "laboratory"]

_INITIAL_CHOICES = {
    "method": "classical",
    "additive": "",
    "kernel": "RBF",
    "parameter": None,
    "transform": "identity",
    "metric": "euclidean",
    "dimensions": 2,
    "rotation": [0, 1],
    "camera": None,
    "colour": "auto",
    "labels": "auto",
    "arrows": False,
    "kept": None,
}
_REPOSITORY = "https://github.com/kernel-mds/kernel-mds-book"
LIBRARY = f"kmds_lib @ {_REPOSITORY}/archive/refs/tags/v{__version__}.tar.gz"
"""Requirement that pip installs for the Python code that the page shows."""


class Laboratory(Explorer, script="laboratory"):
    """A page that maps your own data, as returned by `laboratory`."""

    library = traitlets.Unicode(LIBRARY).tag(sync=True)
    samples: Any = traitlets.List().tag(sync=True)
    sample = traitlets.Unicode().tag(sync=True)
    choices: Any = traitlets.Dict().tag(sync=True)
    kind = traitlets.Unicode().tag(sync=True)
    table: Any = traitlets.List().tag(sync=True)
    names: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)


def laboratory() -> Laboratory:
    """Return a page that reads your own data and draws its map.

    Returns
    -------
    Laboratory
        The widget. Make it the last expression of the cell. In a live notebook, its ``table``
        contains the numbers read (a square matrix, or one row per point; None for a missing
        entry), and ``kind`` their kind (``"dissimilarities"``, ``"gram"`` or ``"points"``).
        ``names`` and ``groups`` belong to the objects, ``choices`` are the method and its
        parameters, and ``points`` is the map as displayed, one row per object.

    Notes
    -----
    The browser computes classical scaling, PCA, kernel PCA, kernel MDS and stress, as derived
    in Chapters 4, 5 and 7 to 9, without a Python kernel, and sends no data. It reads data of up
    to 2000 objects; if there are more than 500, landmark scaling of Chapter 10 is used. Sources
    of the samples: R Core Team; Ekman (1954); Fisher (1936); Alpaydin & Kaynak (1998).

    Examples
    --------
    >>> laboratory().sample
    'roads'
    """
    return Laboratory(samples=samples(), sample="roads", choices=dict(_INITIAL_CHOICES))
