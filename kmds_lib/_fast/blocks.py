"""Rows of an array, a memory map or a Dask array, worked on block by block.

With a Dask array in place of an array the same function of a block runs on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kmds_lib._checks import LARGEST, FloatArray, as_points
from kmds_lib._progress import progress

IntArray = NDArray[np.intp]

BlockFunction = Callable[[FloatArray, str], FloatArray]
"""What is done with a block of rows, and what error messages call the block."""

RowsFunction = Callable[[FloatArray, int], FloatArray]
"""What is found in a block of rows; the second argument is the number of its first row."""

BLOCK_ENTRIES = 2**20
"""A block between objects and landmarks holds 8 MiB."""

_LAZY = ("dask", "h5py", "netCDF4", "tables", "xarray", "zarr")
"""Packages whose objects read a file, or compute, when they are asked for."""


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

    The function gives k numbers for each row of a block, and makes `values` numbers for a row on
    its way, which sets the size of a block. With `columns`, only these are read. Error messages
    call X by its `name`; with `show_progress` a long loop shows a bar. Entries of an array may be
    as large as `largest`: rows of a Gram matrix have the range of squares.
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
    """Do on a worker what `map_rows` does for an array."""
    first = block_info[0]["array-location"][0][0]
    return _filled(function, _blocks(chunk, values, name, first), (len(chunk), k))


def _filled(
    function: BlockFunction, blocks: Iterable[tuple[int, FloatArray, str]], shape: tuple[int, int]
) -> FloatArray:
    """Return the values of a function, put together from blocks."""
    out, stop = np.empty(shape), 0
    for _, block, name in blocks:
        start, stop = stop, stop + len(block)
        out[start:stop] = function(block, name)
        del block  # before the next one is read
    return out


def reduce_rows(
    function: RowsFunction, combine: Callable[[FloatArray, FloatArray], FloatArray], X: Any, m: int
) -> FloatArray:
    """Return one small matrix with m rows, combined from the function's values on blocks.

    The function makes m numbers for a row on its way. `combine` puts two values together, in the
    order of the rows.
    """
    if not is_dask(X):
        return _folded(function, combine, m, X)
    chunk = partial(_folded, function, combine, m)
    parts = (
        X.rechunk({1: -1})
        .map_blocks(
            chunk, chunks=((m,) * len(X.chunks[0]), (np.nan,)), dtype=float, meta=np.empty((0, 0))
        )
        .compute()
    )
    return reduce(combine, np.split(parts, len(X.chunks[0])))


def _folded(
    function: RowsFunction,
    combine: Callable[[FloatArray, FloatArray], FloatArray],
    m: int,
    X: FloatArray,
    block_info: Any = None,
) -> FloatArray:
    """Fold an array or, on a worker, a chunk, of which Dask tells where it stands."""
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
    """Yield blocks of rows, checked, each with the number of its first row and its name.

    `first` is the number of the first row of X itself, where X is a part.
    """
    height = _block_rows(X, values, columns)
    for start in range(0, len(X), height):
        block = X[start : start + height]
        block = block if columns is None else block[:, columns]
        begin = first + start
        called = f"{name}[{begin}:{begin + len(block)}]"
        block = as_points(block, called, min_columns=0, smallest=0.0, largest=largest)
        yield begin, block, called
        del block


def _block_rows(X: Any, values: int, columns: IntArray | None) -> int:
    """Return how many rows a block has: neither what is read nor what is made is larger."""
    width = X.shape[1] if columns is None else len(columns)
    return max(1, BLOCK_ENTRIES // max(values, width))


def read_rows(X: Any, rows: IntArray) -> FloatArray:
    """Return some points in memory, checked; an error names the row of X."""
    points = np.asarray(X[rows])
    try:
        return as_points(points)
    except ValueError:
        for row, point in zip(rows, points, strict=True):
            as_points(point[None], f"X[{row}:{row + 1}]", smallest=0.0)
        raise


def read_entries(X: Any, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return a part of a table in memory."""
    if is_dask(X):
        return np.asarray(X[rows][:, columns])
    return np.asarray(X[rows[:, None], columns])


def is_dask(X: Any) -> bool:
    """Tell a Dask array, without importing Dask."""
    return type(X).__module__.startswith("dask.array.")


def as_rows(X: Any, name: str, *, min_rows: int) -> Any:
    """Return an array or a Dask array of two dimensions, which is not read before its time."""
    package = type(X).__module__.split(".")[0]
    if is_dask(X):
        if X.ndim == 2 and np.isnan(X.shape).any():
            raise ValueError(
                f"{name} has shape {X.shape}: call {name}.compute_chunk_sizes() first."
            )
    elif package in _LAZY:
        raise ValueError(
            f"{name} is a {type(X).__name__} of {package}. To read it in blocks make a Dask array "
            "of it, with dask.array.from_array or, from a Dask data frame, to_dask_array; Dask "
            'comes with pip install "kmds_lib[scale]".'
        )
    elif not isinstance(X, np.ndarray) or np.ma.isMaskedArray(X) or X.ndim != 2:
        X = as_points(X, name, min_points=min_rows, smallest=0.0)
    if X.ndim != 2 or X.shape[0] < min_rows or X.shape[1] < 1:
        raise ValueError(
            f"{name} has shape {X.shape}: a matrix of at least {min_rows} row(s) and one column "
            "is needed."
        )
    if is_dask(X) and X.size:  # a chunk without rows has no block
        X = X.rechunk(tuple(tuple(length for length in axis if length) for axis in X.chunks))
    return X
