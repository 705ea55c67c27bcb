"""Seeded toy data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kmds_lib._checks import FloatArray, check_n_components, check_number

_MOST = 10**7


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
        If ``n_per_ring`` is below 3, there is no radius or one that is not positive and finite,
        or ``noise`` is negative.

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
    n_per_ring = check_n_components(n_per_ring, _MOST, "n_per_ring")
    if n_per_ring < 3:
        raise ValueError(f"n_per_ring is {n_per_ring}: a ring takes at least 3 points.")
    if np.ndim(radii) != 1 or not len(radii):
        raise ValueError(f"radii is {radii!r}: give a radius for each ring, at least one.")
    checked = [check_number(r, f"radii[{i}]", positive=True) for i, r in enumerate(radii)]
    noise = check_number(noise, "noise")
    angles = 2 * np.pi * np.arange(n_per_ring) / n_per_ring
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    X = (np.reshape(checked, (-1, 1, 1)) * circle).reshape(-1, 2)
    if noise > 0:
        X = X + noise * np.random.default_rng(seed).standard_normal(X.shape)
    return X, np.repeat(np.arange(len(checked)), n_per_ring)


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
    Used in Chapter 11, A manifold method is a choice of Gram matrix. The spiral has radius equal
    to its angle, which runs over one and a half turns from 3 pi / 2. Rolling stretches nothing:
    distances along the roll are straight distances on the sheet, whose length is about 90.

    Source: Tenenbaum, de Silva & Langford (2000), for the shape.

    Examples
    --------
    >>> X, sheet = swiss_roll(500)
    >>> X.shape, sheet.shape
    ((500, 3), (500, 2))
    """
    n = check_n_components(n, _MOST, "n")
    noise = check_number(noise, "noise")
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
    spread = check_number(spread, "spread")
    centres = np.array([[-0.5, -0.2], [0.0, 0.6], [0.5, 0.0]])
    cluster = np.repeat(np.arange(len(centres)), n_per_cluster)
    offsets = np.random.default_rng(seed).standard_normal((cluster.size, 2))
    return centres[cluster] + spread * offsets, cluster


def two_clusters_and_outliers(
    n_per_cluster: int = 45, seed: int | np.random.Generator = 0
) -> tuple[FloatArray, NDArray[np.int_]]:
    r"""Two tight clusters and ten far outliers in eleven dimensions.

    Parameters
    ----------
    n_per_cluster : int, default 45
        Points in each cluster.
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
        If ``n_per_cluster`` is below 1.

    Notes
    -----
    Used in Chapter 8, Kernel MDS, where the explained fraction :math:`\gamma_1` of the RBF kernel
    has its maximum inside the range of theta: a small theta sees the outliers, a large one pulls
    the clusters apart, and in between the two clusters are nearly all there is. The cluster
    centres are one unit apart on the first axis, coordinates have the standard deviation 0.0035
    around them, and each outlier sits ten units out on an axis of its own.

    Examples
    --------
    >>> X, group = two_clusters_and_outliers()
    >>> X.shape, np.bincount(group)
    ((100, 11), array([45, 45, 10]))
    """
    n_per_cluster = check_n_components(n_per_cluster, _MOST, "n_per_cluster")
    centres = np.diag([0.5, *10 * [10.0]])
    centres = np.vstack([-centres[:1], centres])
    group = np.repeat([0, 1, 2], [n_per_cluster, n_per_cluster, 10])
    rows = np.repeat(np.arange(12), [n_per_cluster, n_per_cluster, *10 * [1]])
    offsets = np.random.default_rng(seed).standard_normal((len(rows), 11))
    return centres[rows] + 0.0035 * offsets, group
