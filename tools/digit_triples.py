"""Compare maps of all 120 triples of digits on new images (Chapter 8); called by hand.

    python -m tools.digit_triples

writes ``kmds_figures/data/digit_triples.csv``, which takes some minutes on two cores. A map shows
300 images of three digits. A new image is projected onto the map and classified by its five
nearest neighbours there.
"""

from itertools import combinations, product

import numpy as np
from scipy.stats import spearmanr
from sklearn.neighbors import KNeighborsClassifier

from kmds_lib import RBF, Linear, choose_theta, distances, kernel_pca
from tools.digit_denoising import DIGITS, IMAGES
from tools.stored_tables import DATA, in_parallel, replace_rows

TABLE = DATA / "digit_triples.csv"
PLANE = ("linear", "0.05", "0.1", "0.2", "0.4", "1", "rule")
METHODS = (*((name, 2) for name in PLANE), ("linear", 3), ("rule", 3))
STARTS = (0, 179, 358)
TRIPLES = tuple(combinations(range(10), 3))


def split(triple, start):
    """Return the 300 images of the map and the 160 new images, each followed by their digits.

    The images of the three digits keep the order of the file; after the last comes the first. The
    40 images before the new ones and at least 29 after them are left out, because neighbours in
    the file are alike.
    """
    rows = np.roll(np.flatnonzero(np.isin(DIGITS, triple)), -start)
    known, new = rows[:300], rows[340:500]
    return IMAGES[known], DIGITS[known], IMAGES[new], DIGITS[new]


def fit_map(name, X, k=2):
    """Return kernel PCA with a linear or an RBF kernel ("rule" is 7 times the median rule)."""
    if name == "linear":
        return kernel_pca(X, Linear(), n_components=k)
    theta = 7 * choose_theta(X) if name == "rule" else float(name)
    return kernel_pca(X, RBF(theta), n_components=k)


def count_correct(fit, label, new_X, new_label):
    """Return the number of new images that five neighbours on the map classify correctly."""
    vote = KNeighborsClassifier(5).fit(fit.points, label)
    return int(np.sum(vote.predict(fit.transform(new_X)) == new_label))


def cross_validate(name, X, label):
    """Return the number of the 300 images that are classified correctly when they are held out.

    Each of five folds is a stretch of 60 images; 37 on either side of it are left out.
    """
    position, count = np.arange(len(X)), 0
    for middle in np.arange(29.5, len(X), 60):
        apart = np.abs(position - middle)
        fitted, held_out = apart > 67, apart < 30
        fit = fit_map(name, X[fitted])
        count += count_correct(fit, label[fitted], X[held_out], label[held_out])
    return count


def row(triple, start):
    """Return the numbers of one row of the table."""
    X, label, *unseen = split(triple, start)
    pairs = np.triu_indices(len(X), 1)
    delta = distances(X)[pairs]
    new, order = [], []
    for name, k in METHODS:
        fit = fit_map(name, X, k)
        new.append(count_correct(fit, label, *unseen))
        order.append(round(float(spearmanr(delta, distances(fit.points)[pairs]).statistic), 4))
    held_out = [cross_validate(name, X, label) for name in ("linear", "rule")]
    return [*triple, start, *new, *held_out, *order]


if __name__ == "__main__":
    found = in_parallel(row, product(TRIPLES, STARTS))
    replace_rows(TABLE, [",".join(map(str, numbers)) for numbers in found])
