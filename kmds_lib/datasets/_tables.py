"""Real data that are distributed with the package, in ``kmds_lib/data``."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points

_EARTH_RADIUS_KM = 6371.0
_CENTRE = (48.0, 8.0)  # latitude and longitude of the centre of the projection, degrees


@dataclass(frozen=True, eq=False)
class Eurodist:
    """Road distances between 21 European cities, and the positions of the cities.

    Attributes
    ----------
    distances : ndarray of shape (21, 21)
        Road distances, km.
    labels : tuple of str
        City names, in the order of the rows.
    coordinates : ndarray of shape (21, 2)
        Latitude and longitude, degrees north and east, rounded to 0.01.
    provenance : str
        Source of the data.
    """

    distances: FloatArray = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    coordinates: FloatArray = field(repr=False)
    provenance: str


def _read_csv(name: str) -> tuple[str, list[str], list[list[str]]]:
    """Return the comment, without number signs, the header and the rows of a data file."""
    lines = (files("kmds_lib") / "data" / name).read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    header, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    return comment, header, rows


def load_eurodist() -> Eurodist:
    """Load R's ``eurodist``, road distances between 21 European cities, as a `Eurodist`.

    Notes
    -----
    First used in Chapter 4, Classical scaling. Road distances are not Euclidean, because roads
    bend and go round the sea. The coordinates, which are not part of R's data, allow a
    comparison of a map from road distances with the true map.

    The distances are those of R, including errors. Five of them are shorter than the great
    circle, which is impossible: Copenhagen to Hook of Holland (269 km instead of at least 689),
    Athens to Rome, Lisbon to Lyons, Milan to Munich, and Lyons to Milan. Cologne to Geneva (1662
    km, great circle 530) is about 1000 km too long.

    Source: R Core Team, package ``datasets``, after Crystal (ed., 1990), The Cambridge
    Encyclopaedia.

    Examples
    --------
    >>> roads = load_eurodist()
    >>> roads.distances.shape
    (21, 21)
    >>> paris, rome = roads.labels.index("Paris"), roads.labels.index("Rome")
    >>> float(roads.distances[paris, rome])
    1476.0
    """
    provenance, header, rows = _read_csv("eurodist.csv")
    numbers = np.array([row[1:] for row in rows], dtype=float)
    return Eurodist(
        distances=numbers[:, 2:].copy(),
        labels=tuple(header[3:]),
        coordinates=numbers[:, :2].copy(),
        provenance=provenance,
    )


@dataclass(frozen=True, eq=False)
class Coastline:
    """The coastline of western Europe as polygonal lines.

    Attributes
    ----------
    lines : tuple of ndarray of shape (m, 2)
        Latitude and longitude along each line, degrees north and east.
    provenance : str
        Source of the lines, and their licence.
    """

    lines: tuple[FloatArray, ...]
    provenance: str


def load_coastline() -> Coastline:
    """Load a coarse `Coastline` around the cities of `load_eurodist`.

    Notes
    -----
    Used in the preface and in Chapter 4, Classical scaling, as a background for maps. The lines
    have a resolution of about 11 km and end at the edges of a rectangle. Source: Natural Earth, in
    the public domain.

    Examples
    --------
    >>> lines = load_coastline().lines
    >>> len(lines), lines[0].shape[1]
    (18, 2)
    """
    provenance, _, rows = _read_csv("coastline.csv")
    numbers = np.array(rows, dtype=float)
    starts = np.flatnonzero(np.diff(numbers[:, 0])) + 1
    lines = tuple(line.copy() for line in np.split(numbers[:, 1:], starts))
    return Coastline(lines=lines, provenance=provenance)


def project_equal_area(coordinates: ArrayLike) -> FloatArray:
    r"""Project positions on the globe to a plane, in km from 48 degrees north, 8 degrees east.

    Parameters
    ----------
    coordinates : array_like of shape (n, 2)
        Latitude and longitude, degrees north and east.

    Returns
    -------
    ndarray of shape (n, 2)
        Distances to the east and to the north of the centre, km.

    Raises
    ------
    ValueError
        If an entry is not finite, a latitude is outside [-90, 90], or a point is the antipode of
        the centre.

    Notes
    -----
    Used in Chapter 4, Classical scaling. The projection is Lambert's azimuthal equal-area
    projection of a sphere of radius 6371 km. It preserves directions from the centre and
    multiplies the orthogonal projection by :math:`\sqrt{2 / (1 + c)}`, where c is the cosine of
    the angle to the centre. Within 2000 km of the centre, the error of a length is below 1.3%.

    Source: Snyder (1987), Map Projections: A Working Manual, Eqs. 22-4, 24-2.

    Examples
    --------
    >>> project_equal_area([[48.0, 8.0], [49.0, 8.0]]).round(1) + 0.0
    array([[  0. ,   0. ],
           [  0. , 111.2]])
    """
    phi, lam = np.radians(_positions(coordinates)).T
    phi0, lam0 = np.radians(_CENTRE)
    east = np.cos(phi) * np.sin(lam - lam0)
    from_axis, from_equator = np.cos(phi) * np.cos(lam - lam0), np.sin(phi)
    north = np.cos(phi0) * from_equator - np.sin(phi0) * from_axis
    cosine = np.sin(phi0) * from_equator + np.cos(phi0) * from_axis
    if np.any(1 + cosine < 1e-12):
        row = cosine.argmin()
        raise ValueError(
            f"Row {row} of coordinates is the antipode of the centre of the projection: remove it."
        )
    scale = _EARTH_RADIUS_KM * np.sqrt(2 / (1 + cosine))
    return np.column_stack([scale * east, scale * north])


def _positions(coordinates: ArrayLike) -> FloatArray:
    """Check latitudes and longitudes in degrees."""
    degrees = as_points(coordinates, "coordinates")
    if degrees.shape[1] != 2:
        raise ValueError(
            f"coordinates has shape {degrees.shape}: give columns of latitude and longitude."
        )
    row = int(np.abs(degrees[:, 0]).argmax())
    if abs(degrees[row, 0]) > 90:
        raise ValueError(
            f"coordinates[{row}, 0] = {degrees[row, 0]:.6g} is not a latitude, which is between "
            "-90 and 90: give latitudes in the first column and longitudes in the second."
        )
    return degrees


@dataclass(frozen=True, eq=False)
class WilliamsFigure1:
    r"""The curves of Figure 1 of Williams (2001), recomputed.

    Attributes
    ----------
    k : ndarray of int of shape (2006,)
        Numbers of components, from 1.
    beta : tuple of float
        Kernel parameters beta, with :math:`\theta = \beta / 256`; 0 means classical scaling.
    explained : ndarray of shape (2006, 4)
        Explained fractions gamma(k), one column for each beta, to ten decimal places.
    smallest_squared_distance : float
        Squared distance of the closest pair of scaled images.
    provenance : str
        Data, scale, program and checksum.
    """

    k: NDArray[np.int_]
    beta: tuple[float, ...]
    explained: FloatArray
    smallest_squared_distance: float
    provenance: str


def load_williams_figure1() -> WilliamsFigure1:
    """Load `WilliamsFigure1`, the explained fractions of kernel MDS on the USPS test images.

    Notes
    -----
    Used in Chapter 8, Kernel multidimensional scaling. The images are scaled by one factor, such
    that the average variance over the 256 pixels is 0.5. The values are computed by
    ``tools/williams_figure1.py``. Source: Williams (2001), Section 5 and Figure 1.

    Examples
    --------
    >>> figure = load_williams_figure1()
    >>> figure.beta
    (0.0, 4.0, 10.0, 20.0)
    >>> figure.explained[99].round(6)
    array([0.963103, 0.382342, 0.197369, 0.137481])
    """
    provenance, header, rows = _read_csv("williams_figure1.csv")
    table = np.array(rows, dtype=float)
    beta = tuple(float(name.removeprefix("beta=")) for name in header[1:])
    smallest = float(provenance.split("Smallest squared distance of two images: ")[1].split()[0])
    return WilliamsFigure1(table[:, 0].astype(int), beta, table[:, 1:], smallest, provenance)
