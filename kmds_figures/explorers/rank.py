"""Singular values and eigenvalues to be kept or dropped by hand."""

from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer
from kmds_lib._checks import as_points

__all__ = ["RankExplorer", "rank_explorer"]

_LETTERS = np.array([*ascii_uppercase, *ascii_lowercase, *digits, "+", "/"])
"""Six bits a character; rank.js reads them back."""
_ROWS, _COLUMNS = (8, 100), (8, 160)


class RankExplorer(Explorer):
    """A picture and what is kept of its spectrum; made by `rank_explorer`."""

    pixels = traitlets.Unicode().tag(sync=True)
    seen = traitlets.Unicode().tag(sync=True)
    shape: Any = traitlets.List().tag(sync=True)
    shows = traitlets.Enum(("picture", "table")).tag(sync=True)
    rule = traitlets.Enum(("size", "positive")).tag(sync=True)
    kept: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)


def rank_explorer(image: ArrayLike, seen: ArrayLike) -> RankExplorer:
    """Return a picture with its singular values, each to be kept or dropped by hand.

    Parameters
    ----------
    image : array_like, shape (n, p)
        A grey picture of 8 to 100 rows and as many columns or more, up to 160, with 0 for black
        and 1 for white; rounded to 4096 shades.
    seen : array_like of bool, shape (n, p)
        The pixels from which the table of mean products of two rows is made.

    Returns
    -------
    RankExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, ``shows`` says
        whether it is the ``"picture"`` or the ``"table"``, ``kept`` holds the places of what is
        kept, the largest in size being 0, ``chosen`` that of the bar in view, and ``rule``
        whether the slider keeps the largest in ``"size"`` or the largest ``"positive"`` ones.

    Raises
    ------
    ValueError
        If the image does not fit, or two rows are seen together in no column.

    Notes
    -----
    The browser computes the singular value decomposition of the picture and the eigenvalues of the
    table, without a kernel. Derived in Chapter 2, The best approximation keeps the largest
    singular values. Source: Eckart and Young (1936).

    Examples
    --------
    >>> image = np.linspace(0, 1, 80).reshape(8, 10)
    >>> widget = rank_explorer(image, image > 0.2)
    Traceback (most recent call last):
        ...
    ValueError: Rows 0 and 0 are seen together in no column; let more pixels be seen.
    >>> rank_explorer(image, image >= 0).kept
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    M, mask = as_points(image, "image"), np.asarray(seen, dtype=bool)
    n, p = M.shape
    if not (_ROWS[0] <= n <= _ROWS[1] and max(n, _COLUMNS[0]) <= p <= _COLUMNS[1]):
        raise ValueError(
            f"image has shape {M.shape}; give {_ROWS[0]} to {_ROWS[1]} rows, and as many columns "
            f"or more, up to {_COLUMNS[1]}."
        )
    if M.min() < 0 or M.max() > 1:
        raise ValueError(f"image goes from {M.min():g} to {M.max():g}; give shades from 0 to 1.")
    if mask.shape != M.shape:
        raise ValueError(f"seen has shape {mask.shape}, image {M.shape}; they must be equal.")
    together = mask.astype(int) @ mask.T
    if not together.all():
        i, j = np.argwhere(together == 0)[0]
        raise ValueError(
            f"Rows {i} and {j} are seen together in no column; let more pixels be seen."
        )
    return RankExplorer(
        pixels=_letters(np.rint(4095 * M).astype(int), 12),
        seen=_letters(mask.astype(int), 1),
        shape=[n, p],
        shows="picture",
        rule="size",
        kept=list(range(8)),
        chosen=0,
    )


def _letters(numbers: Any, bits: int) -> str:
    """Write numbers of so many bits one after the other, six bits a letter."""
    places = np.arange(bits - 1, -1, -1)
    stream = (numbers.ravel()[:, None] >> places & 1).ravel()
    stream = np.pad(stream, (0, -len(stream) % 6)).reshape(-1, 6)
    return "".join(_LETTERS[stream @ (1 << np.arange(5, -1, -1))])
