"""Set 3, kernels: its data, its hidden inputs and its right answers, all from the seed.

Images have 8 rows of 12 pixels and are stored as rows of 96 numbers. A translation is cyclic:
pixels that leave an image on the right enter it on the left.
"""

from collections.abc import Callable, Iterable
from itertools import product

import numpy as np
from sklearn.datasets import load_digits

from coursework.compare_answers import (
    MISTAKES,
    Answers,
    Array,
    NoAnswer,
    UpTo,
    Verdict,
    combine,
    compare,
)

PAIRS = ((2, 3), (3, 5), (3, 8), (5, 9), (8, 9))
N_OLD, N_NEW = 40, 60  # images of each digit
CONTRASTS = (0.4, 0.7, 1.2, 2.0)
MAPS: tuple[tuple[str, int, UpTo], ...] = (
    ("", 4, "sign"),
    ("_copies", 5, "sign"),
    ("_indefinite", 9, "rotation"),
)
SMALL = 1e-10

# Questions without kmds_lib.
WITHOUT_LIBRARY = ("q1", "q3")


def translate(images: Array, shift: int) -> Array:
    """Return the images after a cyclic translation to the right by `shift` pixels."""
    return np.roll(images.reshape(-1, 8, 12), shift, axis=2).reshape(images.shape)


def _translate_each(images: Array, shifts: Iterable[int]) -> Array:
    """Return the images after one translation for each."""
    return np.array([translate(x, s) for x, s in zip(images, shifts, strict=True)])


def _digit(rng: np.random.Generator, digit: int, count: int) -> Array:
    """Draw images of one digit, without repetition, with two blank columns on each side."""
    pixels, labels = load_digits(return_X_y=True)
    chosen = rng.choice(np.flatnonzero(labels == digit), count, replace=False)
    square = pixels[chosen].reshape(-1, 8, 8) / 16
    return np.asarray(np.pad(square, ((0, 0), (0, 0), (2, 2))).reshape(count, 96))


def data(seed: int) -> dict[str, Array]:
    """Return 80 images of two digits, and 120 that a displaced scanner has translated.

    The best theta depends on the contrast of the images, and the best list of translations on
    the largest translation, so that both depend on the seed.
    """
    rng = np.random.default_rng([3, seed])
    pair = np.array(PAIRS[rng.integers(len(PAIRS))])
    largest = int(rng.integers(1, 4))
    contrast = rng.choice(CONTRASTS)
    drawn = [contrast * _digit(rng, digit, N_OLD + N_NEW) for digit in pair]
    shifts = rng.integers(-largest, largest + 1, 2 * N_NEW)
    new = _translate_each(np.vstack([images[N_OLD:] for images in drawn]), shifts)
    order, new_order = rng.permutation(2 * N_OLD), rng.permutation(2 * N_NEW)
    return {
        "digits": pair,
        "images": np.vstack([images[:N_OLD] for images in drawn])[order],
        "target": np.repeat([1.0, -1.0], N_OLD)[order],
        "folds": np.arange(2 * N_OLD) % 5,
        "new_images": new[new_order],
        "new_target": np.repeat([1.0, -1.0], N_NEW)[new_order],
    }


def hidden(seed: int) -> dict[str, Array]:
    """Return the inputs of the hidden tests: other digits, contrasts and translations.

    The images of question 1 have a low contrast, so that no mistake gives values close to zero.
    """
    rng = np.random.default_rng([33, seed])
    X, Y = 0.3 * _digit(rng, 0, 9), 0.3 * _digit(rng, 6, 5)
    theta = rng.uniform(0.5, 0.8)
    shifts = np.array([-2, 0, 1])
    train = np.vstack([_digit(rng, digit, 15) for digit in (4, 7)])
    new = np.vstack([_digit(rng, digit, 4) for digit in (4, 7)])
    folds = np.array([2, 5, 11])[rng.permutation(30) % 3]
    order = rng.permutation(30)
    copies = np.repeat(train[[0, 20, 3, 17]], 3, axis=0)
    neighbours = np.vstack([translate(train[[0, 20, 3, 17]], shift) for shift in (0, 1, 2)])
    rate = theta / 4
    return {
        "X": X,
        "X_translated": _translate_each(X, np.arange(len(X)) % 5 - 1),
        "Y": Y,
        "theta": np.array(theta),
        "theta_narrow": np.array(4.0),
        "shifts": shifts,
        "K": averaged_kernel(train, train, rate, shifts),
        "K_new": averaged_kernel(new, train, rate, shifts),
        "K_copies": averaged_kernel(copies, copies, rate, shifts),
        "K_copies_new": averaged_kernel(new, copies, rate, shifts),
        "K_indefinite": _maximum_kernel(neighbours, neighbours),
        "K_indefinite_new": _maximum_kernel(new, neighbours),
        "K_fold": averaged_kernel(train[order], train[order], rate, shifts),
        "K_fold_test": averaged_kernel(translate(train[order], 1), train[order], rate, shifts),
        "target": np.repeat([1.0, -1.0], 15)[order] + 0.3 * rng.standard_normal(30),
        "folds": folds,
    }


def _squares(X: Array, Y: Array) -> Array:
    """Return all squared distances, as sums of squared differences."""
    return np.asarray(np.sum((X[:, None, :] - Y[None, :, :]) ** 2, axis=2))


def _mean_kernel(X: Array, Y: Array, theta: float, pairs: Iterable[tuple[int, int]]) -> Array:
    """Return the mean of RBF kernels over pairs of translations."""
    parts = [np.exp(-theta * _squares(translate(X, s), translate(Y, t))) for s, t in pairs]
    return np.asarray(np.mean(parts, axis=0))


def averaged_kernel(X: Array, Y: Array, theta: float, shifts: Array) -> Array:
    """Return the mean over all pairs of translations."""
    return _mean_kernel(X, Y, theta, product(shifts, shifts))


def _maximum_kernel(X: Array, Y: Array) -> Array:
    """Return the maximum over translations by at most one pixel, which is indefinite."""
    parts = [np.exp(-_squares(X, translate(Y, shift))) for shift in (-1, 0, 1)]
    return np.asarray(np.max(parts, axis=0))


def _eigenpairs(K: Array, count: int) -> tuple[Array, Array]:
    """Return the largest eigenvalues and their vectors, with zeros if not positive."""
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    values, vectors = values[::-1][:count], vectors[:, ::-1][:, :count]
    return np.where(values > SMALL * values[0], values, 0.0), vectors


def _inverse(numbers: Array) -> Array:
    """Return one over each number, and zero for zero."""
    return np.divide(1.0, numbers, out=np.zeros_like(numbers), where=numbers > 0)


def _centred(K: Array) -> Array:
    """Return HKH."""
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean())


def _rows(K: Array, K_new: Array) -> Array:
    """Return the kernel rows of new points, centred with the means of the training kernel."""
    rows = K_new - K.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def scores(K: Array, K_new: Array, count: int) -> Array:
    """Return the scores of the training points and, below them, of the new points."""
    values, vectors = _eigenpairs(_centred(K), count)
    coefficients = vectors * _inverse(np.sqrt(values))
    return np.vstack([_centred(K) @ coefficients, _rows(K, K_new) @ coefficients])


def _wrong_scores(K: Array, K_new: Array, count: int) -> dict[str, Array]:
    """Return the values of known mistakes in place of `scores`."""
    right = scores(K, K_new, count)
    n = len(K)
    values, vectors = _eigenpairs(_centred(K), count)
    root = np.sqrt(values)
    old, new = right[:n], right[n:]
    own_means = (K_new - K_new.mean(axis=0)) @ (vectors * _inverse(root))
    return {
        "test-kernel-not-centred": np.vstack([old, K_new @ (vectors * _inverse(root))]),
        "centred-by-own-means": np.vstack([old, own_means]),
        "new-scores-times-root": np.vstack([old, new * root]),
        "divided-by-eigenvalue": np.vstack([old, new * _inverse(root)]),
        "eigenvalues-for-roots": np.vstack([old * root, new]),
        "absolute-eigenvalues": _absolute_scores(K, K_new, count),
    }


def _absolute_scores(K: Array, K_new: Array, count: int) -> Array:
    """Return the values for the eigenvalues of largest absolute value, without their signs."""
    values, vectors = np.linalg.eigh(_centred(K))
    largest = np.argsort(-np.abs(values))[:count]
    values, vectors = values[largest], vectors[:, largest]
    size = np.where(np.abs(values) > SMALL * np.abs(values[0]), np.sqrt(np.abs(values)), 0.0)
    return np.vstack([vectors * size, _rows(K, K_new) @ (vectors * _inverse(size))])


def _by_fold(target: Array, folds: Array, points_of: Callable[[Array, Array], Array]) -> Array:
    """Return the predictions; `points_of` returns the points of the training and the test rows."""
    result = np.zeros(len(folds))
    for fold in np.unique(folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        result[test] = _linear(points_of(train, test), target[train])
    return result


def _blocks(K: Array, K_test: Array, train: Array, test: Array) -> tuple[Array, Array]:
    """Return the kernel matrix of the training rows, and the rows of the test rows."""
    return K[np.ix_(train, train)], K_test[np.ix_(test, train)]


def _linear(points: Array, known: Array) -> Array:
    """Return the values at the last rows of a linear function fitted to the first rows."""
    design = np.column_stack([np.ones(len(points)), points])
    weights = np.linalg.lstsq(design[: len(known)], known, rcond=None)[0]
    return np.asarray(design[len(known) :] @ weights)


def cross_val_predict(K: Array, K_test: Array, target: Array, folds: Array, count: int) -> Array:
    """Return the right predictions."""
    return _by_fold(target, folds, lambda *rows: scores(*_blocks(K, K_test, *rows), count))


def _predictions_from_wrong_scores(
    K: Array, K_test: Array, target: Array, folds: Array, count: int
) -> dict[str, Array]:
    """Return the predictions that follow from the known mistakes in the map."""

    def predict(name: str) -> Array:
        return _by_fold(
            target,
            folds,
            lambda *rows: _wrong_scores(*_blocks(K, K_test, *rows), count)[name],
        )

    return {name: predict(name) for name in _wrong_scores(K, K, count)}


def _wrong_predictions(
    K: Array, K_test: Array, target: Array, folds: Array, count: int
) -> dict[str, Array]:
    """Return the values of known mistakes in place of `cross_val_predict`."""
    right = cross_val_predict(K, K_test, target, folds, count)
    n = len(K)
    centred = _centred(K), _rows(K, K_test)
    every = scores(K, K_test, count)

    def centred_before(*rows: Array) -> Array:
        B, B_new = _blocks(*centred, *rows)
        values, vectors = _eigenpairs(B, count)
        return np.asarray(np.vstack([B, B_new]) @ (vectors * _inverse(np.sqrt(values))))

    def leaked(train: Array, test: Array) -> Array:
        return np.asarray(every[np.hstack([train, n + test])])

    wrong = {
        "fixed-fold-numbers": np.where(folds < np.unique(folds)[1], right, 0.0),
        "centred-before-split": _by_fold(target, folds, centred_before),
        "training-data-leaked": _by_fold(target, folds, leaked),
    }
    if K_test is not K:
        wrong["test-kernel-unused"] = cross_val_predict(K, K, target, folds, count)
    return wrong


def _wrong_kernels(X: Array, Y: Array, theta: float, shifts: Array) -> dict[str, Array]:
    """Return the values of known mistakes in place of `averaged_kernel`."""
    return {
        "theta-upside-down": averaged_kernel(X, Y, 1 / theta, shifts),
        "same-translation-of-both": np.exp(-theta * _squares(X, Y)),
        "one-image-translated": _mean_kernel(X, Y, theta, [(0, t) for t in shifts]),
    }


def _kernel_verdict(seed: int, answers: Answers) -> Verdict:
    """Return the verdict on question 1, without and with translations, for two widths."""
    inputs = hidden(seed)
    X, Y, shifts = inputs["X"], inputs["Y"], inputs["shifts"]
    rate = float(inputs["theta"])
    parts = [
        ("q1-kernel-plain", (X, Y, rate, np.array([0]))),
        ("q1-kernel", (X, Y, rate, shifts)),
        ("q1-kernel-narrow", (X, inputs["X_translated"], float(inputs["theta_narrow"]), shifts)),
    ]
    part_verdicts = [
        compare(answers[name], averaged_kernel(*arguments), mistakes=_wrong_kernels(*arguments))
        for name, arguments in parts
    ]
    return combine(*part_verdicts, weights=(0.25, 0.5, 0.25))


def _map_verdicts(pair: object, K: Array, K_new: Array, count: int, up_to: UpTo) -> list[Verdict]:
    """Return one verdict on the training scores and one on the new scores."""
    right, wrong = scores(K, K_new, count), _wrong_scores(K, K_new, count)
    n = len(K)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        reason = pair.reason if isinstance(pair, NoAnswer) else "Return a tuple of two arrays."
        return [Verdict(0.0, message=reason)] * 2
    halves = (slice(0, n), slice(n, None))
    part_verdicts = [
        compare(
            part,
            right[half],
            up_to=up_to,
            mistakes={key: value[half] for key, value in wrong.items()},
        )
        for part, half in zip(pair, halves, strict=True)
    ]
    if all(verdict.score == 1 for verdict in part_verdicts):
        both = np.vstack([np.asarray(part) for part in pair])
        if compare(both, right, up_to=up_to).score < 1:
            part_verdicts[1] = Verdict(0.5, "signs-differ", MISTAKES["signs-differ"])
    return part_verdicts


def _map_verdict(seed: int, answers: Answers) -> Verdict:
    """Return the verdict on question 3, also with copies and an indefinite matrix."""
    inputs = hidden(seed)
    part_verdicts = []
    # The indefinite matrix has eigenvalues that are close to each other for some seeds.
    for name, count, up_to in MAPS:
        K, K_new = inputs["K" + name], inputs[f"K{name}_new"]
        answer = answers["q3-map" + name.replace("_", "-")]
        part_verdicts += _map_verdicts(answer, K, K_new, count, up_to)
    return combine(*part_verdicts, weights=(0.25, 0.25, 0.125, 0.125, 0.125, 0.125))


def _fold_verdict(seed: int, answers: Answers) -> Verdict:
    """Return the verdict on question 4, for test images that are the images, and for others.

    A mistake in the map has already cost points in question 3 and costs less here.
    """
    inputs = hidden(seed)
    part_verdicts = []
    for name, test in (("q4-folds", "K_fold"), ("q4-folds-translated", "K_fold_test")):
        arguments = inputs["K_fold"], inputs[test], inputs["target"], inputs["folds"], 4
        right = cross_val_predict(*arguments)
        verdict = compare(answers[name], right, mistakes=_wrong_predictions(*arguments))
        if verdict.score == 0:
            wrong = _predictions_from_wrong_scores(*arguments)
            verdict = compare(answers[name], right, mistakes=wrong, score_of_mistake=0.75)
        part_verdicts.append(verdict)
    return combine(*part_verdicts)


def verdicts(seed: int, answers: Answers) -> dict[str, Verdict]:
    """Return a verdict for each test cell."""
    return {
        "q1-kernel-test": _kernel_verdict(seed, answers),
        "q3-map-test": _map_verdict(seed, answers),
        "q4-folds-test": _fold_verdict(seed, answers),
    }
