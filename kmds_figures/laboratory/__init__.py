"""The laboratory: a table of one's own, its map, and what can be said of it."""

from pathlib import Path
from typing import Any

import traitlets

from kmds_figures.explorers.explorer import SHARED_MODULE, SHARED_STYLE, Explorer, script_text
from kmds_figures.laboratory.samples import samples
from kmds_lib import __version__

__all__ = ["Laboratory", "laboratory"]

_SCRIPTS = sorted(f"laboratory/{path.name}" for path in Path(__file__).parent.glob("*.js"))
_CHOICES = {
    "method": "classical",
    "additive": "",
    "kernel": "RBF",
    "parameter": None,
    "transform": "identity",
    "metric": "euclidean",
    "dimensions": 2,
    "turn": [0, 1],
    "camera": None,
    "colour": "auto",
    "labels": "auto",
    "arrows": False,
    "kept": None,
}
_REPOSITORY = "https://github.com/kernel-mds/kernel-mds-book"
LIBRARY = f"kmds_lib @ {_REPOSITORY}/archive/refs/tags/v{__version__}.tar.gz"
"""What pip installs to run the Python that the page shows."""


class Laboratory(Explorer):
    """A table of one's own, and its maps; made by `laboratory`."""

    _esm = SHARED_MODULE + script_text(*_SCRIPTS)
    _css = SHARED_STYLE + script_text("laboratory/page.css")
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
    """Return a page that reads a table of one's own and draws its map.

    Returns
    -------
    Laboratory
        The widget, to be the last expression of the cell. Where a kernel runs, its ``table``
        holds the numbers that were read (a square table, or one row for each point; None where
        one is missing), ``kind`` what they are (``"dissimilarities"``, ``"gram"`` or
        ``"points"``), ``names`` and ``groups`` the words beside them, ``choices`` the method with
        its parameters, and ``points`` the map as it lies, one row for each object.

    Notes
    -----
    The browser computes classical scaling, PCA, kernel PCA, kernel MDS and stress, as derived
    in Chapters 4, 5 and 7 to 9, without a kernel; no number leaves it. Tables of up to 2000
    objects are read; above 500, landmarks place the others, as in Chapter 10. Sources of the
    samples: R Core Team; Ekman (1954); Fisher (1936); Alpaydin & Kaynak (1998).

    Examples
    --------
    >>> laboratory().sample
    'roads'
    """
    return Laboratory(samples=samples(), sample="roads", choices=dict(_CHOICES))
