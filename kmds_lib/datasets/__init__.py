"""Small data sets of the book: real ones with their provenance, and seeded toy data.

Real data lives in ``kmds_lib/data`` and comes back as a frozen object that says where it is
from. Toy data comes from a ``numpy.random.Generator``: same seed, same points.
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
