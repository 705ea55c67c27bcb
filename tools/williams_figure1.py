"""Recompute Figure 1 of Williams (2001) from the USPS test images; called by hand.

    python tools/williams_figure1.py usps_test.npz

writes ``kmds_lib/data/williams_figure1.csv``. The images are not in this repository;
`kmds_lib.datasets.load_usps` reads and checks them.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np

from kmds_lib._gram import squared_distances
from kmds_lib._kernel_pca import kernel_pca
from kmds_lib._pca import pca
from kmds_lib.datasets import load_usps, usps_digest
from kmds_lib.kernels import RBF

BETA = (0.0, 4.0, 10.0, 20.0)
TABLE = Path(__file__).parents[1] / "kmds_lib" / "data" / "williams_figure1.csv"


def scaled(images):
    """Return the images, scaled so that the average variance of a pixel is 0.5."""
    return images * np.sqrt(0.5 / images.var(axis=0).mean())


def explained(X, beta):
    """Return gamma(k) for k = 1, ..., n - 1, theta = beta / p; beta = 0 is classical scaling."""
    fit = pca(X, 1) if beta == 0 else kernel_pca(X, RBF(beta / X.shape[1]), 1)
    return fit.spectrum().explained[:-1]


def smallest_squared_distance(X):
    """Return the squared distance between the closest two rows of X."""
    squares = squared_distances(X)
    np.fill_diagonal(squares, np.inf)
    return squares.min()


def table(X):
    """Yield the lines of the table: a header, then k and gamma(k) for each beta."""
    curves = np.column_stack([explained(X, beta) for beta in BETA])
    yield "k," + ",".join(f"beta={beta:g}" for beta in BETA)
    for k, row in enumerate(curves, start=1):
        yield f"{k}," + ",".join(f"{value:.10f}" for value in row)


def checksum(lines):
    """Return the SHA-256 digest of lines, each followed by a line feed."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def main():
    """Read the images named on the command line and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("usps", help="file with the USPS test images, .npz")
    images = load_usps(parser.parse_args().usps).images
    X = scaled(images)
    lines = list(table(X))
    digest = usps_digest(np.rint(2000 * images))
    header = [
        "Explained fraction gamma(k) of kernel MDS with the RBF kernel, theta = beta / 256, on",
        "the 2007 test images of USPS; beta = 0 is classical scaling. Computed by",
        "tools/williams_figure1.py; one global scale, average variance over the pixels 0.5.",
        f"Smallest squared distance of two images: {smallest_squared_distance(X):.6f}",
        f"SHA-256 of the pixels in thousandths: {digest}",
        f"SHA-256 of the lines below: {checksum(lines)}",
    ]
    text = "\n".join([*(f"# {line}" for line in header), *lines]) + "\n"
    TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
