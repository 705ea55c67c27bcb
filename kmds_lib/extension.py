"""New points, and more points than memory holds: a few landmarks are fitted, the rest is placed.

Placing is the formula of Gower's added point: the squared distances of an object to the
landmarks, minus their means, times -1/2 V Lambda^{-1/2}. With kernel values in their place it is
the extension of Nystroem. An object needs its m values alone, so that objects are placed block by
block, and no array between all objects and the landmarks is ever whole in memory.

With a Dask array in place of an array the same function of a block runs on the workers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from kmds_lib._checks import (
    FloatArray,
    Metric,
    as_cross,
    as_dissimilarities,
    as_points,
    check_enough_landmarks,
    check_n_components,
    check_option,
    check_rows,
)
from kmds_lib._neighbors import farthest_first
from kmds_lib._progress import progress
from kmds_lib.classical import ClassicalScalingResult, classical_scaling
from kmds_lib.embedding import Embedding, Spectrum
from kmds_lib.gram import distances, squared_distances
from kmds_lib.kernel_components import KernelPCAResult, kernel_pca
from kmds_lib.kernels import Kernel

__all__ = [
    "LandmarkEmbedding",
    "LandmarkScalingResult",
    "NystroemResult",
    "landmark_scaling",
    "nystroem",
]

Choice = Literal["random", "farthest", "kmeans"]
Seed = int | np.random.Generator | None
IntArray = NDArray[np.intp]
Gaps = Callable[[int], Any]
"""Gives how far all objects are from one row."""

OfBlock = Callable[[FloatArray, str], FloatArray]
"""What is done with a block of rows, and what error messages call the block."""

OfRows = Callable[[FloatArray, int], FloatArray]
"""What is found in a block of rows; the second argument is the number of its first row."""

_BLOCK_ENTRIES = 2**20
"""A block between objects and landmarks holds 8 MiB."""

_DEFAULT_LANDMARKS = 200

_LAZY = ("dask", "h5py", "netCDF4", "tables", "xarray", "zarr")
"""Packages whose objects read a file, or compute, when they are asked for."""

_SAMPLE = 20
"""The start of k-means is drawn from so many rows for each landmark."""

_LLOYD_STEPS, _LLOYD_GAIN = 20, 1e-3
"""Most steps of k-means, and the part of the sum of squares that one more step must gain."""


@dataclass(frozen=True, eq=False)
class LandmarkEmbedding(Embedding):
    """What both fits through landmarks share; see `Embedding` for the other attributes.

    ``eigenvalues``, ``explained``, ``negative_mass``, ``residual`` and ``spectrum()`` are those
    of the landmarks' centred Gram matrix, a sum over m objects: for random landmarks about m / n
    of what a fit to all n objects would give. The points have the same scale as in such a fit.

    Attributes
    ----------
    points : ndarray or Dask array of shape (n, k)
        All n objects on the axes of the landmarks. The landmarks are centred, the others need
        not be. A Dask array where the input was one.
    landmarks : ndarray of shape (m,)
        Which rows of the input are the landmarks.

    Notes
    -----
    Introduced in Chapter 10, A new point is projected.
    """

    points: FloatArray = field(repr=False)
    landmarks: IntArray = field(repr=False)

    @property
    @abstractmethod
    def landmark_fit(self) -> Embedding:
        """The fit to the landmarks alone, whose ``points`` are theirs."""

    @property
    def _coefficients(self) -> FloatArray:
        return self.landmark_fit._coefficients

    def _full_spectrum(self) -> Spectrum:
        return self.landmark_fit.spectrum()


@dataclass(frozen=True, eq=False)
class LandmarkScalingResult(LandmarkEmbedding):
    """What `landmark_scaling` returns; see `LandmarkEmbedding` for its attributes."""

    _fit: ClassicalScalingResult = field(repr=False)
    _place: OfBlock = field(repr=False)
    _columns: int = field(repr=False)

    @property
    def landmark_fit(self) -> ClassicalScalingResult:
        """Classical scaling of the landmarks."""
        return self._fit

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects on the axes of the landmarks.

        Parameters
        ----------
        new : array_like or Dask array of shape (q, p) or (q, m)
            Points in the variables of the fit; for a precomputed metric the distances of each
            new object to the m landmarks, in the order of ``landmarks``.

        Returns
        -------
        ndarray or Dask array of shape (q, k)
            Objects of the fit come back as ``points``.

        Raises
        ------
        ValueError
            If `new` does not have as many columns as the fit wants, or is not finite, or a
            distance is negative. A Dask array raises it when it is computed.

        Notes
        -----
        Derived in Chapter 10, A new point is projected. Source: Gower (1968); de Silva &
        Tenenbaum (2004).

        Examples
        --------
        >>> fit = landmark_scaling([[0.0], [2.0], [7.0]], 1, landmarks=[0, 1, 2])
        >>> fit.transform([[3.0], [4.0]]).round(6)
        array([[0.],
               [1.]])
        """
        return _transform(self, self._place, new, self._columns)


@dataclass(frozen=True, eq=False)
class NystroemResult(LandmarkEmbedding):
    """What `nystroem` returns; see `LandmarkEmbedding` for its other attributes.

    Attributes
    ----------
    kernel : Kernel
        The kernel of the fit.
    """

    kernel: Kernel
    _fit: KernelPCAResult = field(repr=False)
    _columns: int = field(repr=False)

    @property
    def landmark_fit(self) -> KernelPCAResult:
        """Kernel PCA of the landmarks."""
        return self._fit

    def transform(self, new: ArrayLike) -> FloatArray:
        """Project new points on the components of the landmarks.

        Parameters
        ----------
        new : array_like or Dask array of shape (q, p)
            Points in the variables of the fit.

        Returns
        -------
        ndarray or Dask array of shape (q, k)
            Scores. Points of the fit come back as ``points``.

        Raises
        ------
        ValueError
            If `new` is not a finite real matrix with p columns. A Dask array raises it when it
            is computed.

        Notes
        -----
        Derived in Chapter 10, A new point is projected. Source: Williams & Seeger (2001).

        Examples
        --------
        >>> from kmds_lib.kernels import Linear
        >>> fit = nystroem([[0.0], [2.0], [7.0]], Linear(), 1, landmarks=[0, 1, 2])
        >>> fit.transform([[3.0], [4.0]]).round(6)
        array([[0.],
               [1.]])
        """
        return _transform(self, partial(_place, self._fit), new, self._columns)


def landmark_scaling(
    X: ArrayLike,
    n_components: int = 2,
    *,
    metric: Metric = "euclidean",
    landmarks: int | ArrayLike | None = None,
    choose: Choice = "random",
    seed: Seed = None,
) -> LandmarkScalingResult:
    """Place many objects by their distances to a few, the landmarks.

    Parameters
    ----------
    X : array_like or Dask array of shape (n, p), (n, n) or (n, m)
        Points, one in each row. With ``metric="precomputed"`` dissimilarities: a square table,
        of which the rows of the landmarks alone are read; or a table with one column for each
        landmark, in the order of `landmarks`, which then must be given as indices.
    n_components : int
        Number of coordinates, from 1 to m - 1.
    metric : {"euclidean", "precomputed"}
        What `X` holds.
    landmarks : int or array_like of int, optional
        How many, or which rows of `X`. 200 by default, or all where there are fewer.
    choose : {"random", "farthest", "kmeans"}
        How landmarks are found where their number is given. Random rows. Farthest first: a
        random row, then again and again the object farthest from those there are. Or, for
        points, the one nearest to the centroid in each cluster of k-means.
    seed : int or numpy.random.Generator, optional
        Makes the choice repeat.

    Returns
    -------
    LandmarkScalingResult
        Points of all n objects, eigenvalues of the landmarks, and `transform` for new objects.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix, or its dissimilarities are negative, or those of the
        landmarks not symmetric with a zero diagonal; if there are not more landmarks than
        components, a landmark is named twice or is not a row, or an option is unknown.

    Warns
    -----
    FewerComponentsWarning
        If the landmarks have fewer than `n_components` positive eigenvalues; the positive ones
        are returned. What the landmarks do not span is lost: each object is projected on it.

    Notes
    -----
    Derived in Chapter 10, A new point is projected. Classical scaling of the landmarks, then
    for each object y = -1/2 (d^2 - mean d^2)' V Lambda^(-1/2). Landmarks may coincide: such a
    place counts as often as it occurs. With all objects as landmarks this is
    `classical_scaling`. Between points the coefficients, which sum to zero, cancel ||x||^2, so
    that the formula is linear: x is projected on the axes of the landmarks, and no distance is
    computed.

    k-means gives as landmark the object nearest to each centroid, not the centroid: every choice
    then ends in row numbers, and landmarks are objects that were observed, also where the
    centroid lies between the data, as on a ring.

    Objects are read in blocks. An array, and with it a ``numpy.memmap``, is never copied whole.
    Of a Dask array the landmarks are computed at once, and `points` when it is asked for.
    Farthest first reads X m times, k-means up to 22 times, random rows once.
    Source: Gower (1968); de Silva & Tenenbaum (2004); Platt (2005).

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> fit = landmark_scaling(X, 3, landmarks=20, seed=0)
    >>> fit.points.shape, fit.landmarks.shape
    ((1000, 3), (20,))
    >>> bool(np.allclose(distances(fit.points), distances(X)))
    True
    """
    check_option(metric, Metric, "metric")
    check_option(choose, Choice, "choose")
    rng = np.random.default_rng(seed)
    data = _as_rows(X, "X", min_rows=2)
    if metric == "precomputed":
        return _scale_table(data, n_components, landmarks, choose, rng)
    gaps = partial(_gaps_to, data, _squares)
    rows = _landmark_rows(data, landmarks, n_components, choose, rng, gaps)
    L = _read(data, rows)
    fit = classical_scaling(distances(L), n_components)
    origin = L.mean(axis=0)
    place = partial(_project, origin, (L - origin).T @ fit._coefficients)
    points = _over_rows(place, data, len(fit.eigenvalues), len(rows))
    return LandmarkScalingResult(fit.pairs, points, rows, fit, place, data.shape[1])


def nystroem(
    X: ArrayLike,
    kernel: Kernel,
    n_components: int = 2,
    *,
    landmarks: int | ArrayLike | None = None,
    choose: Choice = "random",
    seed: Seed = None,
) -> NystroemResult:
    """Find the principal components of a few feature vectors, and project all on them.

    Parameters
    ----------
    X : array_like or Dask array of shape (n, p)
        Points, one in each row.
    kernel : Kernel
        From `kmds_lib.kernels`, for example ``RBF(theta)``.
    n_components : int
        Number of components, from 1 to m - 1.
    landmarks, seed
        As in `landmark_scaling`.
    choose : {"random", "farthest", "kmeans"}
        As in `landmark_scaling`. Farthest first measures distances in feature space, k-means in
        the space of `X`.

    Returns
    -------
    NystroemResult
        Scores of all n points, eigenvalues of the landmarks, and `transform` for new points.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix, `kernel` is not a `Kernel`, there are not more
        landmarks than components, a landmark is named twice or is not a row, or an option is
        unknown.

    Warns
    -----
    FewerComponentsWarning
        If the landmarks have fewer than `n_components` positive eigenvalues; the positive ones
        are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on R^p.

    Notes
    -----
    Derived in Chapter 10, A new point is projected. Kernel PCA of the landmarks, then for each
    point y = (k(x) - mean k)' V Lambda^(-1/2), centred at the mean of the landmarks. It is
    `landmark_scaling` of the feature distances. With all points as landmarks this is
    `kernel_pca`. See `landmark_scaling` for memory and for Dask. Source: Williams & Seeger
    (2001); Platt (2005); landmarks from k-means: Zhang, Tsang & Kwok (2008).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> fit = nystroem(X, RBF(0.1), 2, landmarks=50, choose="farthest", seed=0)
    >>> fit.points.shape, len(fit.eigenvalues)
    ((1000, 2), 2)
    """
    check_option(choose, Choice, "choose")
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel is {kernel!r}; give one from kmds_lib.kernels.")
    rng = np.random.default_rng(seed)
    data = _as_rows(X, "X", min_rows=2)
    gaps = partial(_gaps_to, data, partial(_feature_squares, kernel))
    rows = _landmark_rows(data, landmarks, n_components, choose, rng, gaps)
    fit = kernel_pca(_read(data, rows), kernel, n_components)
    points = _over_rows(partial(_place, fit), data, len(fit.eigenvalues), len(rows))
    return NystroemResult(fit.pairs, points, rows, kernel, fit, data.shape[1])


def _scale_table(
    table: Any, n_components: int, landmarks: Any, choose: Choice, rng: np.random.Generator
) -> LandmarkScalingResult:
    """Landmark scaling of a table of dissimilarities, square or with a column a landmark.

    Of a square table rows are read, not columns, which in a file lie far apart.
    """
    n, columns = table.shape
    if n == columns:
        gaps = partial(_gaps_in_table, table)
        rows = _landmark_rows(table, landmarks, n_components, choose, rng, gaps, kmeans=False)
        own = as_dissimilarities(_entries(table, rows, rows), "X[landmarks][:, landmarks]")
        across, chosen, name = table.T, rows, "X[landmarks].T"
    else:
        if np.shape(landmarks) != (columns,):
            raise ValueError(
                f"X has shape {table.shape}: for a table that is not square, give as landmarks "
                f"the {columns} row numbers of the objects that its columns belong to."
            )
        rows = _given_rows(landmarks, n, n_components)
        own = as_dissimilarities(_entries(table, rows, np.arange(columns)), "X[landmarks]")
        across, chosen, name = table, None, "X"
    fit = classical_scaling(own, n_components)
    # Placing needs the column means of A alone: so no m x m matrix travels to the workers.
    means = fit._halved_squares.mean(axis=0, keepdims=True)
    place = partial(_place_by_distances, replace(fit, _halved_squares=means))
    width = len(fit.eigenvalues)
    points = _over_rows(place, across, width, len(rows), columns=chosen, name=name)
    return LandmarkScalingResult(fit.pairs, points, rows, fit, place, len(rows))


def _transform(fit: LandmarkEmbedding, place: OfBlock, new: Any, columns: int) -> FloatArray:
    """Place new objects with the function that placed those of the fit."""
    new = _as_rows(new, "new", min_rows=0)
    if new.shape[1] != columns:
        raise ValueError(
            f"new has {new.shape[1]} column(s), but the fit wants {columns}: the variables of its "
            "points or, for precomputed distances, one for each landmark."
        )
    width = len(fit.eigenvalues)
    points: FloatArray = _over_rows(place, new, width, len(fit.landmarks), name="new")
    return points


def _project(origin: FloatArray, axes: FloatArray, block: FloatArray, name: str) -> FloatArray:
    coordinates: FloatArray = (block - origin) @ axes
    return coordinates


def _place(
    fit: ClassicalScalingResult | KernelPCAResult, block: FloatArray, name: str
) -> FloatArray:
    try:
        return fit.transform(block)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _place_by_distances(fit: ClassicalScalingResult, block: FloatArray, name: str) -> FloatArray:
    return _place(fit, as_cross(block, len(fit.points), name, nonnegative=True), name)


def _squares(x: FloatArray, block: FloatArray, name: str) -> FloatArray:
    return cdist(block, x, "sqeuclidean")


def _feature_squares(kernel: Kernel, x: FloatArray, block: FloatArray, name: str) -> FloatArray:
    """Squared distances of feature vectors from that of x: k(y, y) + k(x, x) - 2 k(y, x)."""
    lengths = kernel.diagonal(block)[:, None] + kernel.diagonal(x)
    return np.asarray(lengths - 2 * kernel.cross(block, x))


def _table_column(block: FloatArray, name: str) -> FloatArray:
    return as_cross(block, 1, name, nonnegative=True)


def _gaps_to(X: Any, squares: Callable[..., FloatArray], row: int) -> Any:
    """Squared distances of all objects to one, for points."""
    x = _read(X, np.array([row]))
    return _over_rows(partial(squares, x), X, 1, X.shape[1], shown=False)[:, 0]


def _gaps_in_table(table: Any, row: int) -> Any:
    """Dissimilarities of all objects to one."""
    column, name = np.array([row]), f"X[[{row}]].T"
    gaps = _over_rows(_table_column, table.T, 1, 1, columns=column, name=name, shown=False)
    return gaps[:, 0]


def _landmark_rows(
    X: Any,
    landmarks: Any,
    n_components: Any,
    choose: Choice,
    rng: np.random.Generator,
    gaps: Gaps,
    *,
    kmeans: bool = True,
) -> IntArray:
    """Return which rows are landmarks: as given, or chosen."""
    n = X.shape[0]
    if np.ndim(landmarks) > 0:
        return _given_rows(landmarks, n, n_components)
    m = min(n, _DEFAULT_LANDMARKS)
    if landmarks is not None:
        m = check_n_components(landmarks, n, "landmarks")
    check_enough_landmarks(m, n_components)
    if choose == "random":
        return _random_rows(n, m, rng)
    if choose == "farthest":
        return farthest_first([int(rng.integers(n))], m, gaps)
    if not kmeans:
        raise ValueError(
            "choose = 'kmeans' needs points, since it takes their means; with "
            "metric = 'precomputed' use 'random' or 'farthest', or give row numbers."
        )
    return farthest_first(_cluster_members(X, m, rng), m, gaps)


def _given_rows(landmarks: ArrayLike, n: int, n_components: Any) -> IntArray:
    """Return the indices of landmarks as they were given, checked."""
    rows = check_rows(landmarks, n, "landmarks")
    check_enough_landmarks(len(rows), n_components)
    return rows


def _random_rows(n: int, m: int, rng: np.random.Generator) -> IntArray:
    return np.sort(rng.choice(n, m, replace=False)).astype(np.intp)


def _cluster_members(X: Any, m: int, rng: np.random.Generator) -> list[int]:
    """Return the row nearest to the centroid in each cluster of k-means that is not empty."""
    sample = _read(X, _random_rows(X.shape[0], min(X.shape[0], _SAMPLE * m), rng))
    centroids, inertia = _spread_start(sample, m, rng), np.inf
    for _ in progress(range(_LLOYD_STEPS), _LLOYD_STEPS, "landmarks, k-means"):
        sums = _fold(partial(_cluster_sums, centroids), np.add, X, m)
        counts, before, inertia = sums[:, -2:-1], inertia, sums[:, -1].sum()
        centroids = np.where(counts > 0, sums[:, :-2] / np.maximum(counts, 1), centroids)
        if inertia >= (1 - _LLOYD_GAIN) * before:
            break
    members = _fold(partial(_nearest_members, centroids), _nearer_member, X, m)
    return [int(row) for square, row in members if np.isfinite(square)]


def _spread_start(sample: FloatArray, m: int, rng: np.random.Generator) -> FloatArray:
    """Draw centroids from a sample, each with a chance that grows with its squared distance."""
    start = [sample[rng.integers(len(sample))]]
    squares = np.full(len(sample), np.inf)
    while len(start) < m:
        squares = np.minimum(squares, cdist(sample, start[-1][None], "sqeuclidean")[:, 0])
        steps = np.cumsum(squares)
        start.append(sample[np.searchsorted(steps[:-1], rng.random() * steps[-1], "right")])
    return np.array(start)


def _cluster_sums(centroids: FloatArray, block: FloatArray, first: int) -> FloatArray:
    """Sum of the members, their number and their sum of squares, a row for each centroid."""
    m, count = len(centroids), len(block)
    squares = squared_distances(block, centroids)
    label, least = squares.argmin(axis=1), squares.min(axis=1)
    members = csr_array((np.ones(count), label, np.arange(count + 1)), (count, m))
    sizes, spread = np.bincount(label, minlength=m), np.bincount(label, least, m)
    return np.column_stack([members.T @ block, sizes, spread])


def _nearest_members(centroids: FloatArray, block: FloatArray, first: int) -> FloatArray:
    """Squared distance and number of the member nearest to each centroid; inf where none is."""
    squares = squared_distances(block, centroids)
    label, least = squares.argmin(axis=1), squares.min(axis=1)
    order = np.lexsort((least, label))
    found, places = np.unique(label[order], return_index=True)
    members = np.full((len(centroids), 2), np.inf)
    members[found, 0], members[found, 1] = least[order[places]], first + order[places]
    return members


def _nearer_member(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.where(other[:, :1] < one[:, :1], other, one)


def _over_rows(
    function: OfBlock,
    X: Any,
    k: int,
    values: int,
    *,
    columns: IntArray | None = None,
    name: str = "X",
    shown: bool = True,
) -> Any:
    """Return an (n, k) array, block by block; a Dask array for a Dask array.

    `values` says how many numbers the function makes for a row: it sets the size of a block;
    `shown`, whether a long loop shows a bar.
    """
    if not _is_dask(X):
        blocks: Iterable[Any] = _blocks(X, values, name, 0, columns)
        if shown:
            count = -(-len(X) // _block_rows(X, values, columns))
            blocks = progress(blocks, count, "placing")
        return _filled(function, blocks, (len(X), k))
    X = (X if columns is None else X[:, columns]).rechunk({1: -1})
    chunk = partial(_chunk_of_points, function, k, values, name)
    chunks = (X.chunks[0], (k,))
    return X.map_blocks(chunk, chunks=chunks, dtype=float, meta=np.empty((0, 0)))


def _chunk_of_points(
    function: OfBlock, k: int, values: int, name: str, chunk: FloatArray, block_info: Any = None
) -> FloatArray:
    """Do on a worker what `_over_rows` does for an array."""
    first = block_info[0]["array-location"][0][0]
    return _filled(function, _blocks(chunk, values, name, first), (len(chunk), k))


def _filled(
    function: OfBlock, blocks: Iterable[tuple[int, FloatArray, str]], shape: tuple[int, int]
) -> FloatArray:
    """Return the values of a function, put together from blocks."""
    out, stop = np.empty(shape), 0
    for _, block, name in blocks:
        start, stop = stop, stop + len(block)
        out[start:stop] = function(block, name)
        del block  # before the next one is read
    return out


def _fold(
    function: OfRows, combine: Callable[[FloatArray, FloatArray], FloatArray], X: Any, m: int
) -> FloatArray:
    """Return one small matrix with m rows, combined from the function's values on blocks."""
    if not _is_dask(X):
        return _folded(function, combine, X, m, 0)
    chunk = partial(_chunk_of_fold, function, combine, m)
    parts = (
        X.rechunk({1: -1})
        .map_blocks(
            chunk, chunks=((m,) * len(X.chunks[0]), (np.nan,)), dtype=float, meta=np.empty((0, 0))
        )
        .compute()
    )
    return reduce(combine, np.split(parts, len(X.chunks[0])))


def _chunk_of_fold(
    function: OfRows,
    combine: Callable[[FloatArray, FloatArray], FloatArray],
    m: int,
    chunk: FloatArray,
    block_info: Any = None,
) -> FloatArray:
    """Do on a worker what `_fold` does for an array."""
    return _folded(function, combine, chunk, m, block_info[0]["array-location"][0][0])


def _folded(
    function: OfRows,
    combine: Callable[[FloatArray, FloatArray], FloatArray],
    X: FloatArray,
    m: int,
    first: int,
) -> FloatArray:
    blocks = _blocks(X, m, "X", first)
    return reduce(combine, (function(block, start) for start, block, _ in blocks))


def _blocks(
    X: FloatArray, values: int, name: str, first: int, columns: IntArray | None = None
) -> Iterator[tuple[int, FloatArray, str]]:
    """Yield blocks of rows, checked, each with the number of its first row and its name.

    `first` is the number of the first row of X itself, where X is a part.
    """
    height = _block_rows(X, values, columns)
    for start in range(0, len(X), height):
        block = X[start : start + height]
        block = block if columns is None else block[:, columns]
        begin = first + start
        called = f"{name}[{begin}:{begin + len(block)}]"
        block = as_points(block, called, smallest=0.0)
        yield begin, block, called
        del block


def _block_rows(X: Any, values: int, columns: IntArray | None) -> int:
    """Return how many rows a block has: neither what is read nor what is made is larger."""
    width = X.shape[1] if columns is None else len(columns)
    return max(1, _BLOCK_ENTRIES // max(values, width))


def _read(X: Any, rows: IntArray) -> FloatArray:
    """Return some points in memory, checked; an error names the row of X."""
    points = np.asarray(X[rows])
    try:
        return as_points(points)
    except ValueError:
        for row, point in zip(rows, points, strict=True):
            as_points(point[None], f"X[{row}:{row + 1}]", smallest=0.0)
        raise


def _entries(X: Any, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return a part of a table in memory."""
    if _is_dask(X):
        return np.asarray(X[rows][:, columns])
    return np.asarray(X[rows[:, None], columns])


def _is_dask(X: Any) -> bool:
    """Tell a Dask array, without importing Dask."""
    return type(X).__module__.startswith("dask.array.")


def _as_rows(X: Any, name: str, *, min_rows: int) -> Any:
    """Return an array or a Dask array of two dimensions, which is not read before its time."""
    package = type(X).__module__.split(".")[0]
    if _is_dask(X):
        if X.ndim == 2 and np.isnan(X.shape).any():
            raise ValueError(
                f"{name} has shape {X.shape}: call {name}.compute_chunk_sizes() first."
            )
    elif package in _LAZY:
        raise ValueError(
            f"{name} is a {type(X).__name__} of {package}. To read it in blocks make a Dask array "
            "of it, with dask.array.from_array or, from a Dask data frame, to_dask_array; Dask "
            "comes with pip install 'kmds_lib[scale]'."
        )
    elif not isinstance(X, np.ndarray) or np.ma.isMaskedArray(X):
        X = as_points(X, name, min_points=min_rows, smallest=0.0)
    if X.ndim != 2 or X.shape[0] < min_rows or X.shape[1] < 1:
        raise ValueError(
            f"{name} has shape {X.shape}: a matrix of at least {min_rows} row(s) and one column "
            "is needed."
        )
    return _without_empty_chunks(X) if _is_dask(X) and X.size else X


def _without_empty_chunks(X: Any) -> Any:
    return X.rechunk(tuple(tuple(length for length in axis if length) for axis in X.chunks))
