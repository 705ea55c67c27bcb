"""Functions of the rows of an array, a memory map or a Dask array, computed block by block.

For a Dask array, the same function of a block runs on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kmds_lib._checks import LARGEST, as_points
from kmds_lib._progress import progress
from kmds_lib._types import FloatArray

IntArray = NDArray[np.intp]

BlockFunction = Callable[[FloatArray, str], FloatArray]
"""A function of a block of rows and of the name of the block in error messages."""

RowsFunction = Callable[[FloatArray, int], FloatArray]
"""A function of a block of rows and of the number of its first row."""

BLOCK_ENTRIES = 2**20
"""Entries of a block, which needs 8 MiB."""

_LAZY_PACKAGES = ("dask", "h5py", "netCDF4", "tables", "xarray", "zarr")
"""Packages whose objects read a file, or compute, only when their values are used."""


def map_rows(
    function: BlockFunction,
    X: Any,
    k: int,
    values: int,
    *,
    columns: IntArray | None = None,
    name: str = "X",
    show_progress: bool = True,
    largest: float = LARGEST,
) -> Any:
    """Return the (n, k) values of a function, block by block; a Dask array for a Dask array.

    The function returns k numbers for each row of a block. It needs an intermediate array with
    `values` numbers for each row, which determines the size of a block. If `columns` are given,
    only these are read. `name` is the name of X in error messages. Entries of an array may be as
    large as `largest`, because the rows of a Gram matrix have the range of squares.
    """
    if not is_dask(X):
        blocks: Iterable[Any] = _blocks(X, values, name, 0, columns, largest)
        if show_progress:
            count = -(-len(X) // _block_rows(X, values, columns))
            blocks = progress(blocks, count, "placing")
        return _filled(function, blocks, (len(X), k))
    X = (X if columns is None else X[:, columns]).rechunk({1: -1})
    chunk = partial(_chunk_of_points, function, k, values, name)
    chunks = (X.chunks[0], (k,))
    return X.map_blocks(chunk, chunks=chunks, dtype=float, meta=np.empty((0, 0)))


def _chunk_of_points(
    function: BlockFunction,
    k: int,
    values: int,
    name: str,
    chunk: FloatArray,
    block_info: Any = None,
) -> FloatArray:
    """Compute one chunk of `map_rows` on a worker."""
    first = block_info[0]["array-location"][0][0]
    return _filled(function, _blocks(chunk, values, name, first), (len(chunk), k))


def _filled(
    function: BlockFunction, blocks: Iterable[tuple[int, FloatArray, str]], shape: tuple[int, int]
) -> FloatArray:
    """Return the values of a function for all blocks in one array."""
    out, stop = np.empty(shape), 0
    for _, block, name in blocks:
        start, stop = stop, stop + len(block)
        out[start:stop] = function(block, name)
        del block  # frees its memory before the next block is read
    return out


def reduce_rows(
    function: RowsFunction, combine: Callable[[FloatArray, FloatArray], FloatArray], X: Any, m: int
) -> FloatArray:
    """Return a matrix with m rows that is combined from the values of a function on all blocks.

    The function needs an intermediate array with m numbers for each row. `combine` is applied to
    the values of the blocks in the order of the rows.
    """
    if not is_dask(X):
        return _reduced(function, combine, m, X)
    chunk = partial(_reduced, function, combine, m)
    parts = (
        X.rechunk({1: -1})
        .map_blocks(
            chunk, chunks=((m,) * len(X.chunks[0]), (np.nan,)), dtype=float, meta=np.empty((0, 0))
        )
        .compute()
    )
    return reduce(combine, np.split(parts, len(X.chunks[0])))


def _reduced(
    function: RowsFunction,
    combine: Callable[[FloatArray, FloatArray], FloatArray],
    m: int,
    X: FloatArray,
    block_info: Any = None,
) -> FloatArray:
    """Reduce an array or, on a worker, a chunk, whose position Dask passes in block_info."""
    first = block_info[0]["array-location"][0][0] if block_info else 0
    blocks = _blocks(X, m, "X", first)
    return reduce(combine, (function(block, start) for start, block, _ in blocks))


def _blocks(
    X: FloatArray,
    values: int,
    name: str,
    first: int,
    columns: IntArray | None = None,
    largest: float = LARGEST,
) -> Iterator[tuple[int, FloatArray, str]]:
    """Yield checked blocks of rows, each with the number of its first row and its name.

    `first` is the number of the first row of X, if X is a chunk of a larger array.
    """
    height = _block_rows(X, values, columns)
    for start in range(0, len(X), height):
        block = X[start : start + height]
        block = block if columns is None else block[:, columns]
        begin = first + start
        block_name = f"{name}[{begin}:{begin + len(block)}]"
        block = as_points(block, block_name, min_columns=0, smallest=0.0, largest=largest)
        yield begin, block, block_name
        del block


def _block_rows(X: Any, values: int, columns: IntArray | None) -> int:
    """Return the number of rows for which neither the block nor the result is too large."""
    width = X.shape[1] if columns is None else len(columns)
    return max(1, BLOCK_ENTRIES // max(values, width))


def read_rows(X: Any, rows: IntArray) -> FloatArray:
    """Return some rows of X as checked points in memory; an error names the row of X."""
    points = np.asarray(X[rows])
    try:
        return as_points(points)
    except ValueError:
        for row, point in zip(rows, points, strict=True):
            as_points(point[None], f"X[{row}:{row + 1}]", smallest=0.0)
        raise


def read_entries(X: Any, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return the entries of a matrix in the given rows and columns, in memory."""
    if is_dask(X):
        return np.asarray(X[rows][:, columns])
    return np.asarray(X[rows[:, None], columns])


def is_dask(X: Any) -> bool:
    """Return True for a Dask array, without importing Dask."""
    return type(X).__module__.startswith("dask.array.")


def as_rows(X: Any, name: str, *, min_rows: int) -> Any:
    """Return a two-dimensional array or Dask array without reading its values."""
    package = type(X).__module__.split(".")[0]
    if is_dask(X):
        if X.ndim == 2 and np.isnan(X.shape).any():
            raise ValueError(
                f"{name} has shape {X.shape}: call {name}.compute_chunk_sizes() first."
            )
    elif package in _LAZY_PACKAGES:
        raise ValueError(
            f"{name} is a {type(X).__name__} of {package}. To read it in blocks, convert it to a "
            "Dask array with dask.array.from_array, or with to_dask_array for a Dask data frame. "
            'Dask is installed by pip install "kmds_lib[scale]".'
        )
    elif not isinstance(X, np.ndarray) or np.ma.isMaskedArray(X) or X.ndim != 2:
        X = as_points(X, name, min_points=min_rows, smallest=0.0)
    if X.ndim != 2 or X.shape[0] < min_rows or X.shape[1] < 1:
        raise ValueError(
            f"{name} has shape {X.shape}: a matrix of at least {min_rows} row(s) and one column "
            "is needed."
        )
    if is_dask(X) and X.size:  # chunks without rows have no blocks
        X = X.rechunk(tuple(tuple(length for length in axis if length) for axis in X.chunks))
    return X
