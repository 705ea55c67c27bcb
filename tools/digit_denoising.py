"""Remove noise from images of digits by three methods (Chapter 7); called by hand.

    python -m tools.digit_denoising

writes ``kmds_lib/data/digit_denoising.csv``, which takes some minutes on two cores. Each method
is fitted to 800 images, its settings are chosen on 200 noisy images, and it is tested on 400.
"""

from multiprocessing import Pool
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

from kmds_lib import RBF, distances, kernel_pca, pca

TABLE = Path(__file__).parents[1] / "kmds_lib" / "data" / "digit_denoising.csv"
STARTS = range(0, 1797, 150)
NOISES = (0.1, 0.3, 0.5)
FACTORS = (0.25, 1, 4)
COMPONENTS = (16, 32, 64, 128, 256)
NEIGHBOURS = (5, 10, 20, 40)
RATES = (0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12)
IMAGES, DIGITS = load_digits(return_X_y=True)
IMAGES = IMAGES / 16
HEADER = [
    "Noisy images of the digits of scikit-learn, with the noise removed by three methods. One row",
    "per start in the file and standard deviation of the noise. Columns: start, noise; settings",
    "that were chosen on 200 images, where theta is a multiple of the median rule; mean squared",
    "errors on 400 other images, also for kernel PCA with theta by the median rule and ten",
    "neighbours (plain); number of the 400 images that a vote of ten neighbours among the 800",
    "clean images classifies correctly. Computed by tools/digit_denoising.py.",
]
COLUMNS = [
    "start",
    "noise",
    "axes",
    "theta",
    "components",
    "neighbours",
    "plain components",
    "rate",
    *(f"error {name}" for name in ("PCA", "kernel PCA", "plain", "average")),
    *(f"correct {name}" for name in ("noisy", "PCA", "kernel PCA", "plain", "average", "clean")),
]


def split(start):
    """Return the rows of the training, test and validation images, 132 or more rows apart."""
    rows = np.roll(np.arange(len(IMAGES)), -start)
    return rows[:800], rows[932:1332], rows[1464:1664]


def add_noise(images, sigma, rng):
    """Return images with normal noise of standard deviation sigma."""
    return images + sigma * rng.normal(size=images.shape)


def median_rule(X):
    """Return the rate of the RBF kernel by the median rule."""
    return 1 / (2 * np.median(distances(X)[np.triu_indices(len(X), 1)]) ** 2)


def denoisers(train):
    """Return for each method its function of noisy images and settings, and all settings."""
    linear = pca(train, n_components=50)
    theta = median_rule(train)
    fits = {
        (factor, k): kernel_pca(train, RBF(factor * theta), n_components=k)
        for factor in FACTORS
        for k in COMPONENTS
    }

    def by_pca(noisy, k):
        axes = linear.axes[:, :k]
        return linear.mean + (noisy - linear.mean) @ axes @ axes.T

    def by_kernel_pca(noisy, factor, k, neighbours):
        fit = fits[factor, k]
        return fit.preimage(fit.transform(noisy), n_neighbors=neighbours)

    def by_plain_kernel_pca(noisy, k):
        return by_kernel_pca(noisy, 1, k, 10)

    def by_average(noisy, rate):
        weights = RBF(rate)(noisy, train)
        return weights @ train / weights.sum(axis=1, keepdims=True)

    return [
        (by_pca, [(k,) for k in range(1, 51)]),
        (by_kernel_pca, [(*fit, neighbours) for fit in fits for neighbours in NEIGHBOURS]),
        (by_plain_kernel_pca, [(k,) for k in COMPONENTS]),
        (by_average, [(rate,) for rate in RATES]),
    ]


def rows(start, noises=NOISES):
    """Yield the rows of the table for one start, one for each noise."""
    train, test, validation = split(start)
    methods = denoisers(IMAGES[train])
    vote = KNeighborsClassifier(10).fit(IMAGES[train], DIGITS[train])

    def count_correct(images):
        return int(np.sum(vote.predict(images) == DIGITS[test]))

    for sigma in noises:
        rng = np.random.default_rng([start, round(10 * sigma)])
        noisy, trial = (add_noise(IMAGES[part], sigma, rng) for part in (test, validation))
        chosen, errors, correct = [], [], [count_correct(noisy)]
        for method, settings in methods:
            losses = [np.mean((method(trial, *one) - IMAGES[validation]) ** 2) for one in settings]
            best = settings[np.argmin(losses)]
            result = method(noisy, *best)
            chosen += best
            errors.append(np.mean((result - IMAGES[test]) ** 2))
            correct.append(count_correct(result))
        yield [start, sigma, *chosen, *errors, *correct, count_correct(IMAGES[test])]


def line(row):
    """Return one row of the table as text."""
    columns = zip(COLUMNS, row, strict=True)
    return ",".join(f"{x:.6f}" if "error" in name else f"{x:g}" for name, x in columns)


def lines_of(start):
    """Return the lines of the table for one start."""
    return [line(row) for row in rows(start)]


def main():
    """Compute all rows and write the table."""
    with Pool(2) as pool:
        found = [text for lines in pool.map(lines_of, STARTS, chunksize=1) for text in lines]
    lines = [*(f"# {text}" for text in HEADER), ",".join(COLUMNS), *found]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
