"""Remove noise from images of digits by several methods (Chapter 7); called by hand.

    python -m tools.digit_denoising

writes ``kmds_figures/data/digit_denoising.csv``, which takes some minutes on two cores. Each
method is fitted to 800 images, its settings are chosen on 200 noisy images, and it is tested on
400. Two classifiers are trained on the clean images and tested with and without noise reduction.
"""

from itertools import product

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from kmds_lib import RBF, choose_theta, kernel_pca, pca
from tools.stored_tables import DATA, in_parallel, replace_rows

TABLE = DATA / "digit_denoising.csv"
STARTS = range(0, 1797, 150)
NOISES = (0.1, 0.3, 0.5)
FACTORS = (0.0625, 0.25, 1, 4)
COMPONENTS = (16, 32, 64, 128, 256)
NEIGHBOURS = (5, 7, 10, 20, 40)
RATES = (0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12)
SHRINKAGES = (0.25, 0.5, 0.75, 1, 1.5, 2, 4)
IMAGES, DIGITS = load_digits(return_X_y=True)
IMAGES = IMAGES / 16
METHODS = ("PCA", "kernel PCA", "average", "shrunk PCA", "all components")
COLUMNS = [
    *("start", "noise", "axes", "theta", "components", "neighbours", "rate", "shrinkage"),
    *(f"error {name}" for name in METHODS),
    *(f"correct {name}" for name in ("noisy", *METHODS, "clean")),
    *(f"regression {name}" for name in ("noisy", *METHODS, "clean")),
]


def split(start):
    """Return the rows of the training, test and validation images, 132 or more rows apart."""
    rows = np.roll(np.arange(len(IMAGES)), -start)
    return rows[:800], rows[932:1332], rows[1464:1664]


def add_noise(images, sigma, rng):
    """Return images with normal noise of standard deviation sigma."""
    return images + sigma * rng.normal(size=images.shape)


def kernel_pca_denoisers(train):
    """Return the functions of kernel PCA with chosen settings and with all components."""
    theta = choose_theta(train)
    fits = {
        (factor, k): kernel_pca(train, RBF(factor * theta), n_components=k)
        for factor, k in product(FACTORS, COMPONENTS)
    }
    every = kernel_pca(train, RBF(theta), n_components=len(train) - 1)

    def by_kernel_pca(noisy, _, factor, k, neighbours):
        fit = fits[factor, k]
        return fit.preimage(fit.transform(noisy), n_neighbors=neighbours)

    def by_all_components(noisy, _):
        return every.preimage(every.transform(noisy), n_neighbors=10)

    return by_kernel_pca, by_all_components


def denoisers(train):
    """Return for each method its function of noisy images and settings, and all settings.

    Each function also takes the standard deviation of the noise, which only shrunk PCA uses.
    """
    linear = pca(train, n_components=50)
    variances, all_axes = np.linalg.eigh(np.cov(train.T, bias=True))
    by_kernel_pca, by_all_components = kernel_pca_denoisers(train)

    def by_pca(noisy, _, k):
        axes = linear.axes[:, :k]
        return linear.mean + (noisy - linear.mean) @ axes @ axes.T

    def by_average(noisy, _, rate):
        weights = RBF(rate)(noisy, train)
        return weights @ train / weights.sum(axis=1, keepdims=True)

    def by_shrunk_pca(noisy, sigma, shrinkage):
        factors = variances / (variances + shrinkage * sigma**2)
        return linear.mean + (noisy - linear.mean) @ all_axes * factors @ all_axes.T

    return [
        (by_pca, [(k,) for k in range(1, 51)]),
        (by_kernel_pca, [*product(FACTORS, COMPONENTS, NEIGHBOURS)]),
        (by_average, [(rate,) for rate in RATES]),
        (by_shrunk_pca, [(shrinkage,) for shrinkage in SHRINKAGES]),
        (by_all_components, [()]),
    ]


def fit_classifiers(images, digits):
    """Return a vote of ten neighbours and a logistic regression, trained on the images."""
    classifiers = KNeighborsClassifier(10), LogisticRegression(max_iter=1000)
    return [classifier.fit(images, digits) for classifier in classifiers]


def row(start, sigma):
    """Return the row of the table for one start and one standard deviation of the noise."""
    train, test, validation = split(start)
    methods = denoisers(IMAGES[train])
    classifiers = fit_classifiers(IMAGES[train], DIGITS[train])

    def count_correct(images):
        found = (classifier.predict(images) for classifier in classifiers)
        return [int(np.sum(digits == DIGITS[test])) for digits in found]

    rng = np.random.default_rng([start, round(10 * sigma)])
    noisy, trial = (add_noise(IMAGES[part], sigma, rng) for part in (test, validation))
    chosen, errors, correct = [], [], [count_correct(noisy)]
    for method, settings in methods:
        results = (method(trial, sigma, *one) for one in settings)
        losses = [np.mean((result - IMAGES[validation]) ** 2) for result in results]
        best = settings[np.argmin(losses)]
        result = method(noisy, sigma, *best)
        chosen += best
        errors.append(np.mean((result - IMAGES[test]) ** 2))
        correct.append(count_correct(result))
    correct.append(count_correct(IMAGES[test]))
    by_vote, by_regression = zip(*correct, strict=True)
    return [start, sigma, *chosen, *errors, *by_vote, *by_regression]


def line(row):
    """Return one row of the table as text."""
    columns = zip(COLUMNS, row, strict=True)
    return ",".join(f"{x:.6f}" if "error" in name else f"{x:g}" for name, x in columns)


if __name__ == "__main__":
    found = in_parallel(row, product(STARTS, NOISES))
    replace_rows(TABLE, map(line, found))
