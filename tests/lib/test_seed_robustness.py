"""Frequencies that chapters state but cannot compute while they run, with separate seeds.

Each row of `CLAIMS` contains a chapter and a claim, an experiment, its seeds, and the
lowest and highest share that the text allows. An experiment takes a seed (or a starting row of a
file) and returns True if the claim holds, or the share of its runs for which it holds.
"""

from functools import cache, partial
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsClassifier

from kmds_lib import (
    RBF,
    distances,
    dual_probabilistic_pca,
    gplvm,
    kernel_pca,
    landmark_scaling,
    pca,
    smacof,
)
from kmds_lib.datasets import load_eurodist
from tools.digit_denoising import DIGITS, IMAGES, add_noise, split
from tools.manifold_sweep import gap_ratio, size_ratio

pytestmark = pytest.mark.weekly

SIXTY = [*range(100, 120), *range(2000, 2020), *range(30_000, 30_020)]
TWENTY = SIXTY[::3]

ROADS = load_eurodist().distances / 1000
WINES = load_wine().data
WINES = (WINES - WINES.mean(axis=0)) / WINES.std(axis=0)


# Chapters 4 and 9: local minima of stress for the road distances
def relative_stresses(seed, k, exponent, count):
    """Return raw stresses from random starts, divided by the one from the classical start.

    The weights are a power of the road distances.
    """
    weights = np.zeros_like(ROADS)
    np.power(ROADS, exponent, where=ROADS > 0, out=weights)
    best = smacof(ROADS, k, weights=weights).raw_stress
    starts = np.random.default_rng(seed).normal(size=(count, len(ROADS), k))
    fits = [smacof(ROADS, k, weights=weights, init=start) for start in starts]
    return np.array([fit.raw_stress for fit in fits]) / best


def random_start_ends_no_lower(seed):
    return all(relative_stresses(seed, k, 0, 1)[0] > 1 - 1e-4 for k in (2, 3))


def stuck_share(seed, exponent, count):
    """Return the share of random starts that end more than 1% above the classical start."""
    return np.mean(relative_stresses(seed, 2, exponent, count) > 1.01)


# Chapter 7: denoising digits
def denoisers(train):
    """Return for each method its function of noisy images and a setting, and the settings."""
    mean = train.mean(axis=0)
    axes = np.linalg.eigh(np.cov(train.T))[1][:, ::-1]
    pairs = distances(train)[np.triu_indices(len(train), 1)]
    fit = cache(partial(kernel_pca, train, RBF(1 / (2 * np.median(pairs) ** 2))))

    def by_pca(noisy, k):
        return mean + (noisy - mean) @ axes[:, :k] @ axes[:, :k].T

    def by_kernel_pca(noisy, k):
        return fit(k).preimage(fit(k).transform(noisy))

    def by_average(noisy, rate):
        weights = RBF(rate)(noisy, train)
        return weights @ train / weights.sum(axis=1, keepdims=True)

    counts, rates = (2, 4, 8, 16, 32, 64, 128), (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0)
    return {
        "PCA": (by_pca, range(1, 61)),
        "kernel PCA": (by_kernel_pca, counts),
        "average": (by_average, rates),
    }


@cache
def denoising(seed):
    """Return the test errors by noise and method, and how much cleaning helps a classifier.

    The seed draws the start of the training, test and validation images in the file, and the
    noise. Each method takes the setting with the smallest validation error.
    """
    train, test, validation = split(np.random.default_rng(seed).integers(len(IMAGES)))
    methods = denoisers(IMAGES[train])
    vote = KNeighborsClassifier(10).fit(IMAGES[train], DIGITS[train])
    errors = {}
    for sigma in (0.1, 0.3, 0.5):
        noisy, noisy_validation = (
            add_noise(IMAGES[part], sigma, np.random.default_rng(seed + i))
            for i, part in enumerate((test, validation))
        )
        for name, (clean, settings) in methods.items():
            results = [clean(noisy_validation, setting) for setting in settings]
            tuning = np.mean((np.array(results) - IMAGES[validation]) ** 2, axis=(1, 2))
            result = clean(noisy, settings[np.argmin(tuning)])
            errors[sigma, name] = np.mean((result - IMAGES[test]) ** 2)
            if (sigma, name) == (0.3, "kernel PCA"):
                cleaned, spoilt = (vote.score(each, DIGITS[test]) for each in (result, noisy))
    return errors, cleaned - spoilt


def is_best(seed, sigma, method, *others):
    """Return True if a method has a smaller error than the named others, or than all others."""
    errors, _ = denoising(seed)
    others = others or {"PCA", "kernel PCA", "average"} - {method}
    return errors[sigma, method] < min(errors[sigma, other] for other in others)


# Chapter 8: new images on a map of digits
def classified(three, theta, start, leak=False):
    """Return the share of 160 new images that five neighbours on the map classify correctly.

    The map shows 300 images of three digits. Without `theta` the kernel is linear and the map is
    that of PCA. With `leak` the new images are in the fit.
    """
    of_three = np.roll(np.flatnonzero(np.isin(DIGITS, three)), -start)
    known, new = of_three[:300], of_three[340:500]

    def fit(X):
        return kernel_pca(X, RBF(theta)) if theta else pca(X)

    if leak:
        points = fit(IMAGES[np.append(known, new)]).points
        old_points, new_points = points[:300], points[300:]
    else:
        fitted = fit(IMAGES[known])
        old_points, new_points = fitted.points, fitted.transform(IMAGES[new])
    return KNeighborsClassifier(5).fit(old_points, DIGITS[known]).score(new_points, DIGITS[new])


def kernel_gain(three, theta, start):
    return classified(three, theta, start) - classified(three, None, start)


def share_with_gain(shift):
    """Return the share of the 120 triples with a gain, summed over three starts in the file."""
    gains = [
        sum(kernel_gain(three, 0.4, start + shift) for start in (0, 179, 358))
        for three in combinations(range(10), 3)
    ]
    return np.mean(np.array(gains) > 1e-9)


# Chapter 10: landmarks
@cache
def landmark_errors(seed):
    """Return the shares of a PCA map of digits that forty landmarks miss.

    The first is a share of the spread. The others are rigid Procrustes misfits, without and with
    a PCA of the landmarks' 39 coordinates.
    """
    shuffled = np.random.default_rng(seed).permutation(IMAGES)
    train, test = shuffled[:1200], shuffled[1200:]
    target = pca(train).transform(test)
    plain = landmark_scaling(train, landmarks=40, seed=seed).transform(test)
    full = landmark_scaling(train, 39, landmarks=40, seed=seed)
    rotated = pca(full.points).transform(full.transform(test))
    missed = 1 - plain.var(axis=0).sum() / target.var(axis=0).sum()
    return missed, procrustes_misfit(plain, target), procrustes_misfit(rotated, target)


def procrustes_misfit(Y, target):
    """Return the squared error after the best rigid motion, relative to the centred target."""
    Y, target = Y - Y.mean(axis=0), target - target.mean(axis=0)
    overlap = np.linalg.svd(Y.T @ target, compute_uv=False).sum()
    return (np.sum(Y**2) + np.sum(target**2) - 2 * overlap) / np.sum(target**2)


def pca_of_landmarks_helps(seed):
    _, plain, rotated = landmark_errors(seed)
    return rotated < 0.02 and rotated < plain / 5


# Chapter 11: t-SNE
def tsne_shrinks(seed, measure, centres, sizes):
    """Return True if t-SNE makes a ratio of three Gaussian clouds smaller than in the data."""
    noise = np.random.default_rng(seed).normal(size=(90, 2))
    X = np.repeat(centres, 30, axis=0) + np.repeat(sizes, 30)[:, None] * noise
    Y = TSNE(perplexity=15, random_state=seed).fit_transform(X)
    return measure(Y) < measure(X)


# Chapter 13: the GP-LVM of the wines
@cache
def log_likelihood(start=None):
    """Return the log-likelihood that the GP-LVM reaches from dual PCA, or a `(seed, size)`."""
    init = None
    if start is not None:
        seed, size = start
        init = size * np.random.default_rng(seed).normal(size=(len(WINES), 2))
    return gplvm(WINES, 2, RBF(0.5), init=init).log_likelihood()


def likelihood_gain(seed, size):
    """Return how far a random start of some size ends above the start from dual PCA, in nats."""
    return log_likelihood((seed, size)) - log_likelihood()


@cache
def fit_without(variable, curved, k):
    """Return the GP-LVM, or dual PCA, of the wines without one variable."""
    X = np.delete(WINES, variable, axis=1)
    return gplvm(X, k, max_iter=5000) if curved else dual_probabilistic_pca(X, k)


@cache
def held_out_error(seed, curved, k):
    """Return the mean relative error of each variable, predicted for a third of the wines."""
    order = np.random.default_rng(seed).permutation(len(WINES))
    known, new, errors = order[:119], order[119:], []
    for variable, y in enumerate(WINES.T):
        C, mean = fit_without(variable, curved, k).covariance, y[known].mean()
        coefficients = np.linalg.solve(C[np.ix_(known, known)], y[known] - mean)
        residual = y[new] - mean - C[np.ix_(new, known)] @ coefficients
        errors.append(np.sum(residual**2) / np.sum((y[new] - mean) ** 2))
    return np.mean(errors)


def curved_map_predicts_better(seed):
    return held_out_error(seed, True, 2) < held_out_error(seed, False, 2)


def eight_straight_axes_predict_better(seed):
    return held_out_error(seed, False, 8) < held_out_error(seed, True, 2)


WIDE = size_ratio, [[0, 0], [6, 0], [3, 6]], [0.5, 0.5, 2]
UNEVEN = gap_ratio, [[0, 0], [6, 0], [20, 0]], [1, 1, 1]
STARTS = range(0, 537, 9)

CLAIMS = {
    "4: random starts end no lower": (random_start_ends_no_lower, SIXTY, 1, 1),
    "7: PCA is best at 0.1": (lambda s: is_best(s, 0.1, "PCA"), SIXTY, 1, 1),
    "7: average is best at 0.5": (lambda s: is_best(s, 0.5, "average"), SIXTY, 1, 1),
    "7: kernel PCA beats PCA": (lambda s: is_best(s, 0.3, "kernel PCA", "PCA"), SIXTY, 1, 1),
    "7: and the average": (lambda s: is_best(s, 0.3, "kernel PCA", "average"), SIXTY, 0.85, 0.95),
    "7: no easier to classify": (lambda s: abs(denoising(s)[1]) <= 0.03, SIXTY, 1, 1),
    "8: theta = 1, no leak": (lambda s: classified((0, 1, 2), 1, s), STARTS, 0.825, 0.835),
    "8: theta = 1, leak": (lambda s: classified((0, 1, 2), 1, s, leak=True), STARTS, 0.885, 0.895),
    "8: kernel leads on 1, 4, 7": (lambda s: kernel_gain((1, 4, 7), 0.4, s) > 0, STARTS, 1, 1),
    "8: kernel leads on most triples": (share_with_gain, range(9, 180, 9), 0.72, 0.75),
    "9: one start in seven is stuck": (lambda s: stuck_share(s, 0, 40), SIXTY, 1 / 8, 1 / 6),
    "9: weights delta^2": (lambda s: stuck_share(s, 2, 5), TWENTY, 0.5, 0.9),
    "9: weights delta": (lambda s: stuck_share(s, 1, 5), TWENTY, 0.4, 0.8),
    "9: weights 1/delta": (lambda s: stuck_share(s, -1, 5), TWENTY, 0.35, 0.65),
    "9: weights 1/delta^2": (lambda s: stuck_share(s, -2, 5), TWENTY, 0.6, 0.9),
    "9: weights 1/delta^3": (lambda s: stuck_share(s, -3, 5), TWENTY, 0.75, 1),
    "10: landmarks miss a sixth": (lambda s: landmark_errors(s)[0] > 1 / 6, SIXTY, 0.15, 0.35),
    "10: PCA of landmarks helps": (pca_of_landmarks_helps, SIXTY, 0.95, 1),
    "11: t-SNE shrinks wide cloud": (lambda s: tsne_shrinks(s, *WIDE), SIXTY, 0.9, 1),
    "11: t-SNE shrinks wide gap": (lambda s: tsne_shrinks(s, *UNEVEN), SIXTY, 0.9, 1),
    "13: large random starts": (lambda s: likelihood_gain(s, 1.0) < -100, SIXTY, 1, 1),
    "13: small random starts": (lambda s: -120 < likelihood_gain(s, 0.03) < 0, SIXTY, 0.9, 1),
    "13: curved map predicts better": (curved_map_predicts_better, SIXTY, 0.9, 1),
    "13: eight straight axes": (eight_straight_axes_predict_better, SIXTY, 0.8, 1),
}


@pytest.mark.parametrize(("experiment", "seeds", "low", "high"), CLAIMS.values(), ids=CLAIMS)
def test_share_of_seeds(experiment, seeds, low, high):
    share = np.mean([experiment(seed) for seed in seeds])
    assert low <= share <= high
