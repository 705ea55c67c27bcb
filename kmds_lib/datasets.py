"""Small data sets of the book: real ones with their provenance, and seeded toy data.

Real data lives in ``kmds_lib/data`` and comes back as a frozen object that says where it is
from. Toy data comes from a ``numpy.random.Generator``: same seed, same points.
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass, field
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._checks import FloatArray, as_points, check_n_components, check_number

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
]

_EARTH_RADIUS_KM = 6371.0
_MOST = 10**7
_USPS_DIGEST = "c8d20aa8f19bae84192211340054be91bc13731398616889e78aef4ce6d72f78"
_USPS_COUNTS = (359, 264, 198, 166, 200, 160, 170, 147, 166, 177)


@dataclass(frozen=True, eq=False)
class Eurodist:
    """Road distances between 21 European cities, with their positions on the globe.

    Attributes
    ----------
    distances : ndarray of shape (21, 21)
        Road distances, km.
    labels : tuple of str
        City names, in the order of the rows.
    coordinates : ndarray of shape (21, 2)
        Latitude and longitude, degrees north and east, rounded to 0.01.
    provenance : str
        Where the numbers come from.
    """

    distances: FloatArray = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    coordinates: FloatArray = field(repr=False)
    provenance: str


def _read_csv(name: str) -> tuple[str, list[str], list[list[str]]]:
    """Return the comment (without its marks), the header and the rows of a packaged table."""
    lines = (files("kmds_lib") / "data" / name).read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    header, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    return comment, header, rows


def load_eurodist() -> Eurodist:
    """Load R's ``eurodist``: road distances between 21 European cities.

    Returns
    -------
    Eurodist
        ``distances`` (km), ``labels``, ``coordinates`` (degrees), ``provenance``.

    Notes
    -----
    First used in Chapter 4, Classical scaling. Road distances are not Euclidean: roads bend,
    and they go round the sea. The coordinates are no part of R's table. They are there so that
    a map made from distances alone can be compared with the true one.

    The table is kept as R has it, slips included. Five entries are shorter than the great
    circle, which no road is: Copenhagen to Hook of Holland (269 km for 689), Athens to Rome,
    Lisbon to Lyons, Milan to Munich, Lyons to Milan. Cologne to Geneva (1662 km for 530) is
    too long by about a thousand.

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
    numbers = np.array([[float(value) for value in row[1:]] for row in rows])
    return Eurodist(
        distances=numbers[:, 2:].copy(),
        labels=tuple(header[3:]),
        coordinates=numbers[:, :2].copy(),
        provenance=provenance,
    )


@dataclass(frozen=True, eq=False)
class Coastline:
    """Coastline of western Europe, as lines on the globe.

    Attributes
    ----------
    lines : tuple of ndarray of shape (m, 2)
        Latitude and longitude along each line, degrees north and east.
    provenance : str
        Where the lines come from, and their licence.
    """

    lines: tuple[FloatArray, ...]
    provenance: str


def load_coastline() -> Coastline:
    """Load a coarse coastline around the cities of `load_eurodist`.

    Returns
    -------
    Coastline
        ``lines`` (degrees) and ``provenance``.

    Notes
    -----
    A background for maps, no data for a computation: the lines are thinned to about 11 km, and
    end at the edge of a window. Used in Chapter 4, Classical scaling. Source: Natural Earth,
    in the public domain.

    Examples
    --------
    >>> lines = load_coastline().lines
    >>> len(lines), lines[0].shape[1]
    (18, 2)
    """
    provenance, _, rows = _read_csv("coastline.csv")
    numbers = np.array([[float(value) for value in row] for row in rows])
    starts = np.flatnonzero(np.diff(numbers[:, 0])) + 1
    lines = tuple(line.copy() for line in np.split(numbers[:, 1:], starts))
    return Coastline(lines=lines, provenance=provenance)


def project_equal_area(
    coordinates: ArrayLike, centre: tuple[float, float] = (48.0, 8.0)
) -> FloatArray:
    """Project positions on the globe to a plane, in kilometres.

    Parameters
    ----------
    coordinates : array_like of shape (n, 2)
        Latitude and longitude, degrees north and east.
    centre : tuple of two floats, default (48.0, 8.0)
        Latitude and longitude of the point that maps to the origin, degrees.

    Returns
    -------
    ndarray of shape (n, 2)
        East and north of the centre, km.

    Raises
    ------
    ValueError
        If ``coordinates`` is not an (n, 2) array of finite numbers, a latitude lies outside
        [-90, 90], or a point is the antipode of the centre.

    Notes
    -----
    Lambert's azimuthal equal-area projection on a sphere of radius 6371 km. With latitude
    ``phi``, longitude ``lam`` and centre ``(phi0, lam0)``: ``c`` is the cosine of the angle
    to the centre, and directions from the centre are kept while lengths are multiplied by
    ``sqrt(2 / (1 + c))``. Within 2000 km of the centre a length is off by less than 1.3 %.
    Used in Chapter 4, Classical scaling.

    Source: Snyder (1987), Map Projections: A Working Manual, Eqs. 22-4, 24-2.

    Examples
    --------
    >>> project_equal_area([[48.0, 8.0], [49.0, 8.0]]).round(1) + 0.0
    array([[  0. ,   0. ],
           [  0. , 111.2]])
    """
    degrees = as_points(coordinates, "coordinates")
    if degrees.shape[1] != 2:
        raise ValueError(
            f"coordinates has {degrees.shape[1]} column(s); give latitude and longitude, degrees."
        )
    if np.abs(degrees[:, 0]).max() > 90:
        raise ValueError("a latitude lies outside [-90, 90]: are the two columns swapped?")
    phi, lam = np.radians(degrees).T
    phi0, lam0 = np.radians(centre)
    turn = lam - lam0
    cosine = np.sin(phi0) * np.sin(phi) + np.cos(phi0) * np.cos(phi) * np.cos(turn)
    if np.any(1 + cosine < 1e-12):
        raise ValueError("a point is the antipode of the centre: choose a centre nearer to it.")
    east = np.cos(phi) * np.sin(turn)
    north = np.cos(phi0) * np.sin(phi) - np.sin(phi0) * np.cos(phi) * np.cos(turn)
    stretch = _EARTH_RADIUS_KM * np.sqrt(2 / (1 + cosine))
    return np.column_stack([stretch * east, stretch * north])


def rings(
    n_per_ring: int = 60,
    radii: tuple[float, ...] = (1.0, 3.0),
    noise: float = 0.0,
    seed: int | np.random.Generator = 0,
) -> tuple[FloatArray, NDArray[np.int_]]:
    """Points on concentric rings in the plane.

    Parameters
    ----------
    n_per_ring : int, default 60
        Points on each ring, at equal angles.
    radii : tuple of float, default (1.0, 3.0)
        One radius per ring.
    noise : float, default 0.0
        Standard deviation of the Gaussian noise added to each coordinate.
    seed : int or numpy.random.Generator, default 0
        Seed of the noise.

    Returns
    -------
    X : ndarray of shape (n_per_ring * len(radii), 2)
        The points, ring after ring.
    ring : ndarray of int of the same length
        The number of each point's ring, from 0.

    Raises
    ------
    ValueError
        If ``n_per_ring`` is below 3, a radius is not positive and finite, or ``noise`` is
        negative.

    Notes
    -----
    Used in Chapter 6, A kernel is a dot product after a map. The angles are equally spaced, so
    the noise-free covariance is exactly ``sum(radii**2) / (2 * len(radii))`` times the
    identity, and the threshold derived there holds to rounding.

    Examples
    --------
    >>> X, ring = rings(n_per_ring=4, radii=(1.0, 3.0))
    >>> X.round(3)[4:] + 0.0
    array([[ 3.,  0.],
           [ 0.,  3.],
           [-3.,  0.],
           [ 0., -3.]])
    >>> ring
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """
    radii_array = np.asarray(radii, dtype=float)
    n_per_ring = check_n_components(n_per_ring, _MOST, "n_per_ring")
    if n_per_ring < 3:
        raise ValueError(f"n_per_ring is {n_per_ring}: a ring takes at least 3 points.")
    if radii_array.ndim != 1 or not (np.isfinite(radii_array) & (radii_array > 0)).all():
        raise ValueError(f"radii must be positive finite numbers, got {radii}.")
    check_number(noise, "noise")
    angles = 2 * np.pi * np.arange(n_per_ring) / n_per_ring
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    X = (radii_array[:, None, None] * circle).reshape(-1, 2)
    if noise > 0:
        X = X + noise * np.random.default_rng(seed).standard_normal(X.shape)
    return X, np.repeat(np.arange(radii_array.size), n_per_ring)


def swiss_roll(
    n: int = 1000, noise: float = 0.0, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, FloatArray]:
    """Points on a rolled-up sheet, with their places on the sheet before it was rolled.

    Parameters
    ----------
    n : int, default 1000
        Number of points.
    noise : float, default 0.0
        Standard deviation of the Gaussian noise added to each coordinate in space.
    seed : int or numpy.random.Generator, default 0
        Seed of the points.

    Returns
    -------
    X : ndarray of shape (n, 3)
        The points in space: the roll lies along the second axis.
    sheet : ndarray of shape (n, 2)
        Their coordinates on the sheet: length along the spiral from its inner end, and place
        across, from 0 to 21. Points are uniform on the sheet.

    Raises
    ------
    ValueError
        If ``n`` is below 1 or ``noise`` is negative.

    Notes
    -----
    Used in Chapter 11, Manifold methods as kernel MDS. The spiral has radius equal to its angle,
    which runs over one and a half turns from 3 pi / 2. Rolling stretches nothing: distances
    along the roll are straight distances on the sheet, whose length is about 90.

    Source: Tenenbaum, de Silva & Langford (2000), for the shape.

    Examples
    --------
    >>> X, sheet = swiss_roll(500)
    >>> X.shape, sheet.shape
    ((500, 3), (500, 2))
    """
    n = check_n_components(n, _MOST, "n")
    check_number(noise, "noise")
    rng = np.random.default_rng(seed)
    grid = np.linspace(1.5, 4.5, 10_001) * np.pi
    angle = np.interp(rng.random(n), _spiral_length(grid) / _spiral_length(grid[-1]), grid)
    across = 21.0 * rng.random(n)
    X = np.column_stack([angle * np.cos(angle), across, angle * np.sin(angle)])
    if noise > 0:
        X = X + noise * rng.standard_normal(X.shape)
    return X, np.column_stack([_spiral_length(angle), across])


def _spiral_length(angle: FloatArray) -> FloatArray:
    """Arc length of the spiral r = angle, from its inner end at 3 pi / 2."""
    ends = np.stack([np.full_like(angle, 1.5 * np.pi), np.asarray(angle)])
    from_origin = (ends * np.sqrt(1 + ends**2) + np.arcsinh(ends)) / 2
    return np.asarray(from_origin[1] - from_origin[0])


def three_clusters(
    n_per_cluster: int = 30, spread: float = 0.1, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, NDArray[np.int_]]:
    """Three Gaussian clusters in the plane, the toy data of the first kernel PCA paper.

    Parameters
    ----------
    n_per_cluster : int, default 30
        Points in each cluster.
    spread : float, default 0.1
        Standard deviation of each coordinate within a cluster.
    seed : int or numpy.random.Generator, default 0
        Seed of the points.

    Returns
    -------
    X : ndarray of shape (3 * n_per_cluster, 2)
        The points, cluster after cluster.
    cluster : ndarray of int of the same length
        The number of each point's cluster, from 0.

    Raises
    ------
    ValueError
        If ``n_per_cluster`` is below 1 or ``spread`` is negative.

    Notes
    -----
    Used in Chapter 7, Kernel PCA. The cluster centres are (-0.5, -0.2), (0, 0.6) and (0.5, 0).

    Source: Schölkopf, Smola & Müller (1998), the three-cluster example; centres as in the
    authors' demonstration script.

    Examples
    --------
    >>> X, cluster = three_clusters(n_per_cluster=500)
    >>> X[cluster == 1].mean(axis=0).round(1) + 0.0
    array([0. , 0.6])
    """
    n_per_cluster = check_n_components(n_per_cluster, _MOST, "n_per_cluster")
    check_number(spread, "spread")
    centres = np.array([[-0.5, -0.2], [0.0, 0.6], [0.5, 0.0]])
    cluster = np.repeat(np.arange(len(centres)), n_per_cluster)
    offsets = np.random.default_rng(seed).standard_normal((cluster.size, 2))
    return centres[cluster] + spread * offsets, cluster


def two_clusters_and_outliers(
    n_per_cluster: int = 45, spread: float = 0.0035, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, NDArray[np.int_]]:
    """Two tight clusters and ten far outliers in eleven dimensions.

    Parameters
    ----------
    n_per_cluster : int, default 45
        Points in each cluster.
    spread : float, default 0.0035
        Standard deviation of each coordinate around its centre.
    seed : int or numpy.random.Generator, default 0
        Seed of the points.

    Returns
    -------
    X : ndarray of shape (2 * n_per_cluster + 10, 11)
        The points: first cluster, second cluster, outliers.
    group : ndarray of int of the same length
        0 and 1 for the clusters, 2 for the outliers.

    Raises
    ------
    ValueError
        If ``n_per_cluster`` is below 1 or ``spread`` is negative.

    Notes
    -----
    Used in Chapter 8, Kernel MDS, where the explained fraction gamma_1 of the RBF kernel has its
    maximum inside the range of theta: a small theta sees the outliers, a large one pulls the
    clusters apart, and in between the two clusters are nearly all there is. The cluster centres
    are one unit apart on the first axis; each outlier sits ten units out on an axis of its own.

    Examples
    --------
    >>> X, group = two_clusters_and_outliers()
    >>> X.shape, np.bincount(group)
    ((100, 11), array([45, 45, 10]))
    """
    n_per_cluster = check_n_components(n_per_cluster, _MOST, "n_per_cluster")
    check_number(spread, "spread")
    centres = np.diag([0.5, *10 * [10.0]])
    centres = np.vstack([-centres[:1], centres])
    group = np.repeat([0, 1, 2], [n_per_cluster, n_per_cluster, 10])
    rows = np.repeat(np.arange(12), [n_per_cluster, n_per_cluster, *10 * [1]])
    offsets = np.random.default_rng(seed).standard_normal((len(rows), 11))
    return centres[rows] + spread * offsets, group


@dataclass(frozen=True, eq=False)
class USPS:
    """The 2007 test images of the US Postal Service digits.

    Attributes
    ----------
    images : ndarray of shape (2007, 256)
        Grey values from 0 (background) to 1 (ink); each row is a 16 x 16 image, row by row.
    labels : ndarray of int of shape (2007,)
        The digits, 0 to 9.
    provenance : str
        Where the numbers come from.
    """

    images: FloatArray
    labels: NDArray[np.int_]
    provenance: str


def load_usps(path: str | PathLike[str] | None = None, *, fetch: bool = False) -> USPS:
    """Load the 2007 test images of USPS from a local file, or fetch them from OpenML.

    The images are not part of this package. Whatever the route, the pixels in thousandths are
    compared with one SHA-256 digest, so a wrong or reordered file is refused.

    Parameters
    ----------
    path : path-like, optional
        A ``.npz`` file with ``images`` (2007 x 256, integers from 0 to 2000, the thousandths of
        the usual scale -1 to 1, plus 1000) and ``labels``; or a ``.h5`` file with ``test/data``
        (2007 x 256, from 0 to 1) and ``test/target``, which needs the package h5py.
    fetch : bool, default False
        Without a path: download OpenML's data set 41082 (9298 images, from -1 to 1, the test
        images last, labels 1 to 10) through scikit-learn, which keeps it on disk.

    Returns
    -------
    USPS

    Raises
    ------
    ValueError
        If neither or both of path and ``fetch`` are given, the file has another layout, or the
        images or labels are not the expected ones in the expected order.
    ImportError
        If the route needs h5py or scikit-learn and it is not installed.

    Notes
    -----
    Used in Chapter 8, Kernel MDS, for Figure 1 of Williams (2001). Source: Hull (1994), in the
    form of LeCun et al. (1989): 7291 training and 2007 test images.

    Examples
    --------
    ``load_usps("usps_test.npz").images`` are the pixels of a file of yours, as grey values.

    >>> load_usps()
    Traceback (most recent call last):
        ...
    ValueError: Give either the path of a USPS file, or fetch=True to download the data set.
    """
    if (path is None) != fetch:
        raise ValueError(
            "Give either the path of a USPS file, or fetch=True to download the data set."
        )
    if path is None:
        source = "OpenML data set 41082, last 2007 rows"
        thousandths, labels = _usps_from_openml()
    else:
        source = str(path)
        thousandths, labels = _usps_from_file(Path(path))
    _check_usps(thousandths, labels, source)
    return USPS(
        thousandths.astype(int) / 2000, labels.astype(int), f"USPS test images from {source}"
    )


def usps_digest(thousandths: NDArray[np.integer]) -> str:
    """Return the SHA-256 digest of pixels, as little-endian 16-bit integers, row by row.

    Parameters
    ----------
    thousandths : ndarray of int of shape (n, 256)
        Pixels from 0 to 2000.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> usps_digest(np.zeros((1, 256), dtype=int))[:8]
    '076a27c7'
    """
    return hashlib.sha256(np.ascontiguousarray(thousandths, dtype="<u2").tobytes()).hexdigest()


def _usps_from_file(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    if path.suffix == ".npz":
        return _usps_from_npz(path)
    if path.suffix in (".h5", ".hdf5"):
        return _usps_from_hdf5(path)
    raise ValueError(f"{path} is neither a .npz nor a .h5 file.")


def _usps_from_npz(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    with np.load(path) as archive:
        missing = {"images", "labels"} - set(archive)
        if missing:
            raise ValueError(f"{path} has no array named {sorted(missing)[0]!r}.")
        return archive["images"], archive["labels"]


def _usps_from_hdf5(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        import h5py
    except ImportError as error:
        raise ImportError("Reading a .h5 file needs h5py: pip install h5py.") from error
    with h5py.File(path, "r") as archive:
        for name in ("test/data", "test/target"):
            if name not in archive:
                raise ValueError(f"{path} has no data set named {name!r}.")
        images = np.array(archive["test/data"], dtype=float)
        labels = np.array(archive["test/target"])
    return np.rint(2000.0 * images.reshape(len(images), -1)), labels


def _usps_from_openml() -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        from sklearn.datasets import fetch_openml
    except ImportError as error:
        raise ImportError("Fetching USPS needs scikit-learn: pip install scikit-learn.") from error
    images, labels = fetch_openml(data_id=41082, as_frame=False, return_X_y=True)
    thousandths = np.rint(1000.0 * (np.asarray(images, dtype=float) + 1.0))
    labels = np.asarray(labels).astype(float).astype(int)
    return thousandths[-2007:], labels[-2007:] - 1


def _check_usps(thousandths: NDArray[Any], labels: NDArray[Any], source: str) -> None:
    if thousandths.shape != (2007, 256) or labels.shape != (2007,):
        raise ValueError(
            f"{source} holds images of shape {thousandths.shape} and labels of shape "
            f"{labels.shape}; the test set has (2007, 256) and (2007,)."
        )
    inside = np.all((thousandths >= 0) & (thousandths <= 2000) & (thousandths % 1 == 0))
    if not inside or usps_digest(thousandths.astype(int)) != _USPS_DIGEST:
        raise ValueError(
            f"The pixels in {source} are not the 2007 USPS test images in their usual order and "
            "scale. Check that it is the test set (not the training set), not shuffled and not "
            "rescaled."
        )
    counts = np.array([np.count_nonzero(labels == digit) for digit in range(10)])
    if not np.array_equal(counts, _USPS_COUNTS):
        raise ValueError(
            f"The labels in {source} count {counts.tolist()} images of the digits 0 to 9; the "
            f"test set has {list(_USPS_COUNTS)}."
        )


@dataclass(frozen=True, eq=False)
class WilliamsFigure1:
    """The curves of Figure 1 of Williams (2001), recomputed.

    Attributes
    ----------
    k : ndarray of int of shape (2006,)
        Number of dimensions kept, from 1.
    beta : tuple of float
        Kernel parameters beta, with theta = beta / 256; 0 stands for classical scaling.
    explained : ndarray of shape (2006, 4)
        Explained fraction gamma(k), one column for each beta, to ten decimals.
    smallest_squared_distance : float
        Of the closest pair of scaled images.
    provenance : str
        Data, scale, program and checksum.
    """

    k: NDArray[np.int_]
    beta: tuple[float, ...]
    explained: FloatArray
    smallest_squared_distance: float
    provenance: str


def load_williams_figure1() -> WilliamsFigure1:
    """Load the explained fractions of kernel MDS on the USPS test images.

    Returns
    -------
    WilliamsFigure1

    Notes
    -----
    Used in Chapter 8, Kernel MDS. The images have one global scale, so that the average variance
    over the 256 pixels is 0.5. Recomputed from the images by ``tools/williams_figure1.py``.
    Source: Williams (2001), Section 5 and Figure 1.

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
