"""Recompute Figure 1 of Williams (2001) from the USPS test images; called by hand.

    python -m tools.williams_figure1 usps_test.npz
    python -m tools.williams_figure1

The first command writes ``kmds_lib/data/williams_figure1.csv``. The images are not in this
repository; `kmds_lib.datasets.load_usps` reads and checks them. Both commands draw the figure of
``chapters/williams.md`` from that file.
"""

import argparse
import hashlib
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import pdist

from kmds_figures.figures import use_book_style
from kmds_lib._kernel_pca import kernel_pca
from kmds_lib._pca import pca
from kmds_lib.datasets import load_usps, load_williams_figure1, usps_digest
from kmds_lib.kernels import RBF

BETA = (0.0, 4.0, 10.0, 20.0)
TABLE = Path(__file__).parents[1] / "kmds_lib" / "data" / "williams_figure1.csv"
PICTURE = Path(__file__).parents[1] / "images" / "williams-figure1.webp"


def scaled(images):
    """Return the images, scaled so that the average variance of a pixel is 0.5."""
    return images * np.sqrt(0.5 / images.var(axis=0).mean())


def explained(X, beta):
    """Return gamma(k) for k = 1, ..., n - 1, theta = beta / p; beta = 0 is classical scaling."""
    fit = pca(X, 1) if beta == 0 else kernel_pca(X, RBF(beta / X.shape[1]), 1)
    return fit.spectrum().explained[:-1]


def table(X):
    """Yield the lines of the table: a header, then k and gamma(k) for each beta."""
    curves = np.column_stack([explained(X, beta) for beta in BETA])
    yield "k," + ",".join(f"beta={beta:g}" for beta in BETA)
    for k, row in enumerate(curves, start=1):
        yield f"{k}," + ",".join(f"{value:.10f}" for value in row)


def checksum(lines):
    """Return the SHA-256 digest of lines, each followed by a line feed."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def draw():
    """Draw the curves with both scales, theta = beta / 256 and the printed theta = 256 beta.

    By the theorem on narrow kernels, the latter are straight lines up to rounding errors.
    """
    figure = load_williams_figure1()
    use_book_style()
    fig, axes = plt.subplots(1, 2, figsize=(6.4, 2.9), sharey=True)
    for beta, gamma in zip(figure.beta, figure.explained.T, strict=True):
        axes[0].plot(figure.k, gamma, label=f"β = {beta:.0f}")
    axes[1].plot(figure.k, figure.explained[:, 0], label="β = 0")
    axes[1].plot(figure.k, figure.k / len(figure.k), color="0.3", label="β = 4, 10, 20")
    axes[0].set(ylabel="explained fraction γ(k)", title=r"$\theta = \beta / 256$")
    axes[1].set(title=r"as printed: $\theta = 256\,\beta$")
    for ax in axes:
        ax.set(xlabel="number of components k", xticks=[0, 1000, 2000])
        ax.legend(loc="lower right", fontsize=11)
    fig.savefig(PICTURE, dpi=200)


def write_table(path):
    """Compute the curves from the images in a file and write the table."""
    images = load_usps(path).images
    X = scaled(images)
    lines = list(table(X))
    digest = usps_digest(np.rint(2000 * images))
    header = [
        "Explained fraction gamma(k) of kernel MDS with the RBF kernel, theta = beta / 256, on",
        "the 2007 test images of USPS; beta = 0 is classical scaling. Computed by",
        "tools/williams_figure1.py; one global scale, average variance over the pixels 0.5.",
        f"Smallest squared distance of two images: {pdist(X, 'sqeuclidean').min():.6f}",
        f"SHA-256 of the pixels in thousandths: {digest}",
        f"SHA-256 of the lines below: {checksum(lines)}",
    ]
    text = "\n".join([*(f"# {line}" for line in header), *lines]) + "\n"
    TABLE.write_text(text, encoding="utf-8")


def main():
    """Write the table if the command names the file of the images, and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("usps", nargs="?", help="file with the USPS test images, .npz")
    if path := parser.parse_args().usps:
        write_table(path)
    draw()


if __name__ == "__main__":
    main()
