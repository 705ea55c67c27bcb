"""The small data sets of the book: real data with provenance, and random toy data.

Real data are read from ``kmds_lib/data`` and returned as frozen objects that state their source.
Toy data are drawn from a ``numpy.random.Generator``, so that equal seeds give equal points.
"""

from kmds_lib.datasets._tables import (
    Coastline,
    Eurodist,
    WilliamsFigure1,
    load_coastline,
    load_eurodist,
    load_williams_figure1,
    project_equal_area,
)
from kmds_lib.datasets._toys import rings, swiss_roll, three_clusters, two_clusters_and_outliers
from kmds_lib.datasets._usps import USPS, load_usps, usps_digest

__all__ = [
    "USPS",
    "Coastline",
    "Eurodist",
    "WilliamsFigure1",
    "load_coastline",
    "load_eurodist",
    "load_usps",
    "load_williams_figure1",
    "project_equal_area",
    "rings",
    "swiss_roll",
    "three_clusters",
    "two_clusters_and_outliers",
    "usps_digest",
]
