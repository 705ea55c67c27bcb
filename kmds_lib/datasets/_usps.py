"""The USPS digits, which are not part of this package: from a file or from OpenML."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kmds_lib._types import FloatArray

_SHA256_OF_PIXELS = "c8d20aa8f19bae84192211340054be91bc13731398616889e78aef4ce6d72f78"
_IMAGES_PER_DIGIT = (359, 264, 198, 166, 200, 160, 170, 147, 166, 177)


@dataclass(frozen=True, eq=False)
class USPS:
    """The 2007 test images of the digits of the US Postal Service (USPS).

    Attributes
    ----------
    images : ndarray of shape (2007, 256)
        Grey values from 0 (background) to 1 (ink); each row is a 16 x 16 image, row by row.
    labels : ndarray of int of shape (2007,)
        The digits, 0 to 9.
    provenance : str
        Source of the images.
    """

    images: FloatArray
    labels: NDArray[np.int_]
    provenance: str


def load_usps(path: str | PathLike[str] | None = None, *, fetch: bool = False) -> USPS:
    """Load the 2007 test images of `USPS` from a local file, or fetch them from OpenML.

    The images are not part of this package. Wrong or reordered images raise an error, because
    their SHA-256 digest is compared with the expected one.

    Parameters
    ----------
    path : path-like, optional
        A ``.npz`` file with ``images`` (2007 x 256) and ``labels``. Pixels are integers from 0 to
        2000; they are (x + 1) * 1000 for the usual grey values x from -1 to 1.
    fetch : bool
        If True, and there is no path, download OpenML's data set 41082 by scikit-learn, which
        stores it on disk. It has 9298 images, the test images last, and labels 1 to 10.

    Raises
    ------
    ValueError
        If neither or both of path and ``fetch`` are given, the file has no such arrays, or the
        images or labels are not the expected ones in the expected order.
    ImportError
        If scikit-learn is needed to download and is not installed.

    Notes
    -----
    Used in Chapter 8, Kernel multidimensional scaling, for Figure 1 of Williams (2001). Source:
    Hull (1994), in the form of LeCun et al. (1989): 7291 training and 2007 test images.

    Examples
    --------
    With a file of the images, ``load_usps("usps_test.npz").images`` returns the grey values.

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
        thousandths, labels = _usps_from_npz(Path(path))
    _check_usps(thousandths, labels, source)
    return USPS(
        thousandths.astype(int) / 2000, labels.astype(int), f"USPS test images from {source}"
    )


def usps_digest(thousandths: NDArray[np.integer]) -> str:
    """Return the SHA-256 digest of pixels, stored row by row as little-endian 16-bit integers.

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


def _usps_from_npz(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    if path.suffix != ".npz":
        raise ValueError(f"{path} is not an .npz file: save images and labels by np.savez.")
    with np.load(path) as archive:
        missing = {"images", "labels"} - set(archive)
        if missing:
            raise ValueError(
                f"{path} has no array named {sorted(missing)[0]!r}: add it by np.savez."
            )
        return archive["images"], archive["labels"]


def _usps_from_openml() -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        from sklearn.datasets import fetch_openml
    except ImportError as error:
        raise ImportError(
            'Fetching USPS needs scikit-learn: pip install "kmds_lib[sklearn]".'
        ) from error
    images, labels = fetch_openml(data_id=41082, as_frame=False, return_X_y=True)
    thousandths = np.rint(1000.0 * (np.asarray(images, dtype=float) + 1.0))
    labels = np.asarray(labels).astype(float).astype(int)
    return thousandths[-2007:], labels[-2007:] - 1


def _check_usps(thousandths: NDArray[Any], labels: NDArray[Any], source: str) -> None:
    if thousandths.shape != (2007, 256) or labels.shape != (2007,):
        raise ValueError(
            f"{source} has images of shape {thousandths.shape} and labels of shape "
            f"{labels.shape}; the test set has (2007, 256) and (2007,)."
        )
    inside = np.all((thousandths >= 0) & (thousandths <= 2000) & (thousandths % 1 == 0))
    if not inside or usps_digest(thousandths.astype(int)) != _SHA256_OF_PIXELS:
        raise ValueError(
            f"The pixels in {source} are not the 2007 USPS test images in their usual order and "
            "scale. Check that it is the test set (not the training set), not shuffled and not "
            "rescaled."
        )
    counts = np.array([np.count_nonzero(labels == digit) for digit in range(10)])
    if not np.array_equal(counts, _IMAGES_PER_DIGIT):
        raise ValueError(
            f"The labels in {source} give {counts.tolist()} images of the digits 0 to 9; the "
            f"test set has {list(_IMAGES_PER_DIGIT)}."
        )
