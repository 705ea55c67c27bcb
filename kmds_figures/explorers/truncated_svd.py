"""Approximations of an image or a matrix by chosen singular values or eigenvalues."""

from base64 import b64encode
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer
from kmds_lib._validation import as_points


class TruncatedSvdExplorer(Explorer, script="truncatedSvd"):
    """An image and an approximation of lower rank, as returned by `truncated_svd_explorer`."""

    pixels = traitlets.Unicode().tag(sync=True)
    observed = traitlets.Unicode().tag(sync=True)
    shape: Any = traitlets.List().tag(sync=True)
    matrix = traitlets.Enum(("image", "gram")).tag(sync=True)
    rule = traitlets.Enum(("absolute", "positive")).tag(sync=True)
    kept: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)


def truncated_svd_explorer(image: ArrayLike, observed: ArrayLike) -> TruncatedSvdExplorer:
    """Return an image with its singular values, each of which can be kept or omitted.

    Parameters
    ----------
    image : array_like, shape (n, p)
        Grey image of 8 to 100 rows and up to 160 columns, at least as many as rows, with 0 for
        black and 1 for white, rounded to 4096 shades.
    observed : array_like of bool, shape (n, p)
        True for the pixels from which the Gram matrix of the rows, divided by p, is estimated:
        two rows are compared in the columns in which both pixels are observed.

    Returns
    -------
    TruncatedSvdExplorer
        The widget. Make it the last expression of the cell. In a live notebook, ``matrix`` is
        ``"image"`` or ``"gram"`` for the estimated Gram matrix. ``kept`` are the indices of the
        values kept, in order of decreasing absolute value, and ``chosen`` is the index of the
        selected bar. The slider keeps the values that are largest in absolute value if ``rule``
        is ``"absolute"``, and the largest positive ones if it is ``"positive"``.

    Raises
    ------
    ValueError
        If the image has a wrong shape or range, or no column contains observed pixels of
        two of the rows.

    Notes
    -----
    The browser computes the singular value decomposition of the image and the eigenvalues of the
    estimated Gram matrix, without a Python kernel. Derived in Chapter 2, Low-rank approximation.
    Source: Eckart and Young (1936).

    Examples
    --------
    >>> image = np.linspace(0, 1, 80).reshape(8, 10)
    >>> widget = truncated_svd_explorer(image, image > 0.2)
    Traceback (most recent call last):
        ...
    ValueError: No column contains observed pixels of rows 0 and 0; mark more pixels as observed.
    >>> truncated_svd_explorer(image, image >= 0).kept
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    M, mask = as_points(image, "image"), np.asarray(observed, dtype=bool)
    n, p = M.shape
    if not 8 <= n <= 100 or not n <= p <= 160:
        raise ValueError(
            f"image has shape {M.shape}; give 8 to 100 rows and at least as many columns, "
            "up to 160."
        )
    if M.min() < 0 or M.max() > 1:
        raise ValueError(f"image has values from {M.min():g} to {M.max():g}; scale it to 0 to 1.")
    if mask.shape != M.shape:
        raise ValueError(f"observed has shape {mask.shape} and image {M.shape}; make them equal.")
    together = mask.astype(int) @ mask.T
    if not together.all():
        i, j = np.argwhere(together == 0)[0]
        raise ValueError(
            f"No column contains observed pixels of rows {i} and {j}; "
            "mark more pixels as observed."
        )
    return TruncatedSvdExplorer(
        pixels=_base64(np.rint(4095 * M).astype(int), 12),
        observed=_base64(mask.astype(int), 1),
        shape=[n, p],
        matrix="image",
        rule="absolute",
        kept=list(range(8)),
        chosen=0,
    )


def _base64(numbers: Any, bits: int) -> str:
    """Return non-negative integers of a fixed number of bits, encoded in base64."""
    stream = numbers.ravel()[:, None] >> np.arange(bits - 1, -1, -1) & 1
    text = b64encode(np.packbits(stream.astype(np.uint8)).tobytes()).decode()
    return text[: -(-stream.size // 6)]
