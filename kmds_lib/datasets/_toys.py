"""Random toy data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kmds_lib._parameters import check_count_up_to, check_number, random_generator
from kmds_lib._types import FloatArray

_MAX_POINTS = 10**7


def rings(
    n_per_ring: int = 60,
    radii: tuple[float, ...] = (1.0, 3.0),
    noise: float = 0.0,
    seed: int | np.random.Generator = 0,
) -> tuple[FloatArray, NDArray[np.int_]]:
    """Return points on concentric rings in the plane.

    Parameters
    ----------
    n_per_ring : int
        Number of points on each ring, at least 3, at equal angles.
    radii : tuple of float
        Radius of each ring, positive; at least one.
    noise : float
        Standard deviation, at least 0, of the Gaussian noise added to each coordinate.
    seed : int or numpy.random.Generator
        Seed of the noise.

    Returns
    -------
    X : ndarray of shape (n_per_ring * len(radii), 2)
        Points, ordered by ring.
    ring : ndarray of int of the same length
        Number of the ring of each point, from 0.

    Notes
    -----
    Used in Chapter 6, Kernels and feature maps, and Chapter 7, Kernel PCA. Because the angles are
    equally spaced, the covariance without noise is exactly
    ``sum(radii**2) / (2 * len(radii))`` times the identity.

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
    n_per_ring = check_count_up_to(n_per_ring, _MAX_POINTS, "n_per_ring")
    if n_per_ring < 3:
        raise ValueError(f"n_per_ring is {n_per_ring}: a ring needs at least 3 points.")
    if np.ndim(radii) != 1 or not len(radii):
        raise ValueError(f"radii is {radii!r}: give the radius of each ring, at least one.")
    checked = [check_number(r, f"radii[{i}]", positive=True) for i, r in enumerate(radii)]
    noise = check_number(noise, "noise")
    angles = 2 * np.pi * np.arange(n_per_ring) / n_per_ring
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    X = (np.reshape(checked, (-1, 1, 1)) * circle).reshape(-1, 2)
    generator = random_generator(seed)
    if noise > 0:
        X = X + noise * generator.standard_normal(X.shape)
    return X, np.repeat(np.arange(len(checked)), n_per_ring)


def swiss_roll(
    n: int = 1000, noise: float = 0.0, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, FloatArray]:
    """Return points on a rolled-up sheet, and their coordinates on the flat sheet.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    noise : float
        Standard deviation, at least 0, of the Gaussian noise added to each coordinate in space.
    seed : int or numpy.random.Generator
        Seed of the points.

    Returns
    -------
    X : ndarray of shape (n, 3)
        Points in space. The axis of the roll is the second coordinate axis.
    sheet : ndarray of shape (n, 2)
        Coordinates on the flat sheet, on which the points are uniformly distributed: arc length of
        the spiral from its inner end, and position across, from 0 to 21.

    Notes
    -----
    Used in Chapter 11, Manifold methods. The radius of the spiral equals its angle, which ranges
    from 3 pi / 2 to 9 pi / 2. Geodesic distances on the roll are Euclidean distances on the flat
    sheet, whose length is about 90.

    Source: Tenenbaum, de Silva & Langford (2000), for the shape.

    Examples
    --------
    >>> X, sheet = swiss_roll(500)
    >>> X.shape, sheet.shape
    ((500, 3), (500, 2))
    """
    n = check_count_up_to(n, _MAX_POINTS, "n")
    noise = check_number(noise, "noise")
    rng = random_generator(seed)
    grid = np.linspace(1.5, 4.5, 10_001) * np.pi
    angle = np.interp(rng.random(n), _spiral_length(grid) / _spiral_length(grid[-1]), grid)
    across = 21.0 * rng.random(n)
    X = np.column_stack([angle * np.cos(angle), across, angle * np.sin(angle)])
    if noise > 0:
        X = X + noise * rng.standard_normal(X.shape)
    return X, np.column_stack([_spiral_length(angle), across])


def _spiral_length(angle: FloatArray) -> FloatArray:
    """Return the arc length of the spiral r = angle from its inner end at 3 pi / 2."""
    ends = np.stack([np.full_like(angle, 1.5 * np.pi), np.asarray(angle)])
    from_origin = (ends * np.sqrt(1 + ends**2) + np.arcsinh(ends)) / 2
    return np.asarray(from_origin[1] - from_origin[0])


def three_clusters(
    n_per_cluster: int = 30, spread: float = 0.1, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, NDArray[np.int_]]:
    """Return three Gaussian clusters in the plane, the toy data of the first kernel PCA paper.

    Parameters
    ----------
    n_per_cluster : int
        Number of points in each cluster, at least 1.
    spread : float
        Standard deviation, at least 0, of each coordinate within a cluster.
    seed : int or numpy.random.Generator
        Seed of the points.

    Returns
    -------
    X : ndarray of shape (3 * n_per_cluster, 2)
        Points, ordered by cluster.
    cluster : ndarray of int of the same length
        Number of the cluster of each point, from 0.

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
    n_per_cluster = check_count_up_to(n_per_cluster, _MAX_POINTS, "n_per_cluster")
    spread = check_number(spread, "spread")
    centres = np.array([[-0.5, -0.2], [0.0, 0.6], [0.5, 0.0]])
    cluster = np.repeat(np.arange(len(centres)), n_per_cluster)
    offsets = random_generator(seed).standard_normal((cluster.size, 2))
    return centres[cluster] + spread * offsets, cluster


def two_clusters_and_outliers(
    n_per_cluster: int = 45, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, NDArray[np.int_]]:
    r"""Return two small clusters and ten distant outliers in eleven dimensions.

    Parameters
    ----------
    n_per_cluster, seed
        As in `three_clusters`.

    Returns
    -------
    X : ndarray of shape (2 * n_per_cluster + 10, 11)
        Points: first cluster, second cluster, outliers.
    group : ndarray of int of the same length
        0 and 1 for the clusters, 2 for the outliers.

    Notes
    -----
    Used in Chapter 8, Kernel multidimensional scaling, because the explained fraction
    :math:`\gamma_1` of the RBF kernel has a maximum for an intermediate theta. For a small theta
    the outliers have a large variance, for a large theta the points of each cluster move apart,
    and in between nearly all variance is that between the two clusters. The cluster centres are at
    a distance of 1 on the first axis, coordinates have standard deviation 0.0035, and each outlier
    is at a distance of about 10 from the origin on its own axis.

    Examples
    --------
    >>> X, group = two_clusters_and_outliers()
    >>> X.shape, np.bincount(group)
    ((100, 11), array([45, 45, 10]))
    """
    n_per_cluster = check_count_up_to(n_per_cluster, _MAX_POINTS, "n_per_cluster")
    centres = np.diag([0.5, *10 * [10.0]])
    centres = np.vstack([-centres[:1], centres])
    group = np.repeat([0, 1, 2], [n_per_cluster, n_per_cluster, 10])
    rows = np.repeat(np.arange(12), [n_per_cluster, n_per_cluster, *10 * [1]])
    offsets = random_generator(seed).standard_normal((len(rows), 11))
    return centres[rows] + 0.0035 * offsets, group
