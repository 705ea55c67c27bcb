"""Set 3, kernels: its data, its hidden inputs and its right answers, all from the seed.

Images have 8 rows of 12 pixels, kept as rows of 96 numbers from 0 to 1. A movement goes round:
what leaves on the right comes in on the left.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
from sklearn.datasets import load_digits

from coursework.checks import MISTAKES, Answers, Array, UpTo, Verdict, combine, compare

Profile: TypeAlias = Callable[[Array], Array]

PAIRS = ((2, 3), (3, 5), (3, 8), (5, 9), (8, 9))
EACH, JUDGED = 40, 60
MAPS: tuple[tuple[str, int, UpTo], ...] = (
    ("", 4, "sign"),
    ("_copies", 5, "sign"),
    ("_indefinite", 9, "rotation"),
)
SMALL = 1e-10

# Questions without kmds_lib.
WITHOUT_LIBRARY = ("q1", "q3")


def moved(images: Array, step: int) -> Array:
    """Return the images moved to the right by `step` pixels, round the edge."""
    return np.roll(images.reshape(-1, 8, 12), step, axis=2).reshape(images.shape)


def _digit(rng: np.random.Generator, digit: int, count: int) -> Array:
    """Draw images of one digit, without repetition, with two blank columns on each side."""
    pixels, labels = load_digits(return_X_y=True)
    chosen = rng.choice(np.flatnonzero(labels == digit), count, replace=False)
    square = pixels[chosen].reshape(-1, 8, 8) / 16
    return np.asarray(np.pad(square, ((0, 0), (0, 0), (2, 2))).reshape(count, 96))


def data(seed: int) -> dict[str, Array]:
    """Return 80 images of two digits as scanned, and 120 that a knocked scanner has moved."""
    rng = np.random.default_rng([3, seed])
    pair = np.array(PAIRS[rng.integers(len(PAIRS))])
    farthest = int(rng.integers(2, 4))
    drawn = [_digit(rng, digit, EACH + JUDGED) for digit in pair]
    steps = rng.integers(-farthest, farthest + 1, 2 * JUDGED)
    judge = np.vstack([images[EACH:] for images in drawn])
    order, judge_order = rng.permutation(2 * EACH), rng.permutation(2 * JUDGED)
    judged = [moved(image, step) for image, step in zip(judge, steps, strict=True)]
    return {
        "digits": pair,
        "images": np.vstack([images[:EACH] for images in drawn])[order],
        "target": np.repeat([1.0, -1.0], EACH)[order],
        "folds": np.arange(2 * EACH) % 5,
        "judge": np.array(judged)[judge_order],
        "judge_target": np.repeat([1.0, -1.0], JUDGED)[judge_order],
    }


def hidden(seed: int) -> dict[str, Array]:
    """Return the inputs of the hidden tests: other digits, another width, other movements."""
    rng = np.random.default_rng([33, seed])
    X, Y = _digit(rng, 0, 9), _digit(rng, 6, 5)
    theta = rng.uniform(0.1, 0.3)
    steps = np.array([-2, 0, 1])
    train = np.vstack([_digit(rng, digit, 15) for digit in (4, 7)])
    new = np.vstack([_digit(rng, digit, 4) for digit in (4, 7)])
    folds, order = np.array([2, 5, 11])[rng.permutation(30) % 3], rng.permutation(30)
    copies = np.repeat(train[[0, 20, 3, 17]], 3, axis=0)
    neighbours = np.vstack([moved(train[[0, 20, 3, 17]], step) for step in (0, 1, 2)])
    return {
        "X": X,
        "X_moved": moved(X, 1),
        "Y": Y,
        "theta": np.array(theta),
        "steps": steps,
        "theta_far": np.array(40.0),
        "K": tolerant(train, train, theta, steps),
        "K_new": tolerant(new, train, theta, steps),
        "K_copies": tolerant(copies, copies, theta, steps),
        "K_copies_new": tolerant(new, copies, theta, steps),
        "K_indefinite": _nearest(neighbours, neighbours),
        "K_indefinite_new": _nearest(new, neighbours),
        "K_fold": tolerant(train[order], train[order], theta, steps),
        "target": np.repeat([1.0, -1.0], 15)[order] + 0.3 * rng.standard_normal(30),
        "folds": folds,
    }


def _squares(X: Array, Y: Array) -> Array:
    """Return all squared distances, as sums of squared differences."""
    return np.asarray(np.sum((X[:, None, :] - Y[None, :, :]) ** 2, axis=2))


def _mean_kernel(X: Array, Y: Array, steps: Iterable[int], profile: Profile) -> Array:
    """Return the mean over all pairs of movements of a function of the squared distance."""
    steps = list(steps)
    parts = [profile(_squares(moved(X, s), moved(Y, t))) for s in steps for t in steps]
    return np.asarray(np.mean(parts, axis=0))


def _normalised(X: Array, Y: Array, steps: Iterable[int], profile: Profile) -> Array:
    """Return the mean kernel, divided so that every image has similarity 1 with itself."""
    steps = list(steps)
    own = [np.diag(_mean_kernel(Z, Z, steps, profile)) for Z in (X, Y)]
    return np.asarray(_mean_kernel(X, Y, steps, profile) / np.sqrt(np.outer(*own)))


def tolerant(X: Array, Y: Array, theta: float, steps: Iterable[int]) -> Array:
    """Return the tolerant kernel: the normalised mean of Gaussian kernels."""
    return _normalised(X, Y, steps, lambda u: np.exp(-theta * u))


def _nearest(X: Array, Y: Array) -> Array:
    """Return the largest value over movements by one pixel, which is indefinite."""
    parts = [np.exp(-_squares(X, moved(Y, step))) for step in (-1, 0, 1)]
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
    """Return the map of the training points, and below it the new points."""
    values, vectors = _eigenpairs(_centred(K), count)
    coefficients = vectors * _inverse(np.sqrt(values))
    return np.vstack([_centred(K) @ coefficients, _rows(K, K_new) @ coefficients])


def _wrong_scores(K: Array, K_new: Array, count: int) -> list[tuple[str, Array]]:
    """Return the values of known mistakes in place of `scores`."""
    right, n = scores(K, K_new, count), len(K)
    values, vectors = _eigenpairs(_centred(K), count)
    root = np.sqrt(values)
    coefficients = vectors * _inverse(root)
    old, new = right[:n], right[n:]
    unit = old * _inverse(root)
    raw_values, raw_vectors = _eigenpairs(K, count)
    raw = raw_vectors * _inverse(np.sqrt(raw_values))
    return [
        ("test-kernel-not-centred", np.vstack([old, K_new @ coefficients])),
        ("centred-on-new-points", np.vstack([old, (K_new - K_new.mean(axis=0)) @ coefficients])),
        ("eigenvectors-without-root", np.vstack([unit, new * _inverse(root)])),
        ("eigenvectors-without-root", np.vstack([unit, new])),
        ("eigenvectors-without-root", np.vstack([unit, new * root])),
        ("eigenvectors-without-root", np.vstack([old * root, new * root])),
        ("kernel-not-centred", np.vstack([K @ raw, K_new @ raw])),
        *(("absolute-eigenvalues", wrong) for wrong in _absolute_scores(K, K_new, count)),
    ]


def _absolute_scores(K: Array, K_new: Array, count: int) -> list[Array]:
    """Return the values for the eigenvalues of largest absolute value, without their signs."""
    values, vectors = np.linalg.eigh(_centred(K))
    largest = np.argsort(-np.abs(values))[:count]
    values, vectors = values[largest], vectors[:, largest]
    size = np.where(np.abs(values) > SMALL * np.abs(values[0]), np.sqrt(np.abs(values)), 0.0)
    new = _rows(K, K_new) @ (vectors * _inverse(size))
    return [np.vstack([vectors * size * sign, new]) for sign in (1.0, np.sign(values))]


def _predicted(old: Array, new: Array, target: Array) -> Array:
    """Return the least-squares prediction at the new scores."""
    design = np.column_stack([np.ones(len(old)), old])
    weights = np.linalg.lstsq(design, target, rcond=None)[0]
    return np.asarray(np.column_stack([np.ones(len(new)), new]) @ weights)


def held_out(K: Array, target: Array, folds: Array, count: int) -> dict[str, Array]:
    """Return the held-out predictions under "right", and those of known mistakes."""
    names = ("right", "test-kernel-not-centred", "centred-on-new-points", "kernel-not-centred")
    others = ("intercept-forgotten", "leaked map", "leaked mean")
    result = {name: np.zeros(len(K)) for name in (*names, *others)}
    every = scores(K, K, count)[: len(K)]
    for fold in np.unique(folds):
        out, rest = folds == fold, folds != fold
        K_rest, K_out = K[np.ix_(rest, rest)], K[np.ix_(out, rest)]
        maps = dict(_wrong_scores(K_rest, K_out, count)) | {"right": scores(K_rest, K_out, count)}
        size = int(rest.sum())
        for name in names:
            old, new = maps[name][:size], maps[name][size:]
            result[name][out] = _predicted(old, new, target[rest])
        result["intercept-forgotten"][out] = result["right"][out] - target[rest].mean()
        result["leaked map"][out] = _predicted(every[rest], every[out], target[rest])
        result["leaked mean"][out] = result["right"][out] - target[rest].mean() + target.mean()
    result["nothing held out"] = _predicted(every, every, target)
    return result


def _wrong_kernels(X: Array, Y: Array, theta: float, steps: Array) -> list[tuple[str, Array]]:
    """Return the values of known mistakes in place of `tolerant`."""

    def gaussian(u: Array) -> Array:
        return np.asarray(np.exp(-theta * u))

    def one_sided(U: Array, V: Array) -> Array:
        return np.asarray(np.mean([gaussian(_squares(U, moved(V, t))) for t in steps], axis=0))

    mean = _mean_kernel(X, Y, steps, gaussian)
    own = np.outer(*(np.diag(_mean_kernel(Z, Z, steps, gaussian)) for Z in (X, Y)))
    own_sided = np.outer(*(np.diag(one_sided(Z, Z)) for Z in (X, Y)))
    pairs = [_squares(moved(X, s), moved(Y, t)) for s in steps for t in steps]
    profiles: list[tuple[str, Profile]] = [
        ("theta-upside-down", lambda u: np.exp(-u / theta)),
        ("theta-upside-down", lambda u: np.exp(-u / (2 * theta))),
        ("theta-upside-down", lambda u: np.exp(-u / (2 * theta**2))),
        ("distances-not-squared", lambda u: np.exp(-theta * np.sqrt(u))),
    ]
    return [
        *((name, _normalised(X, Y, steps, profile)) for name, profile in profiles),
        ("not-normalised", mean),
        ("normalised-without-root", mean / own),
        ("one-side-moved", one_sided(X, Y)),
        ("one-side-moved", one_sided(Y, X).T),
        ("one-side-moved", one_sided(X, Y) / np.sqrt(own_sided)),
        ("one-side-moved", one_sided(X, Y) / np.sqrt(own)),
        ("mean-inside-the-exponential", gaussian(np.mean(pairs, axis=0))),
        ("nearest-movement-alone", gaussian(np.min(pairs, axis=0))),
    ]


def _kernel_verdict(seed: int, answers: Answers) -> Verdict:
    """Return the verdict on question 1, without and with movements, and for a narrow kernel."""
    inputs = hidden(seed)
    X, Y, rate, steps = inputs["X"], inputs["Y"], float(inputs["theta"]), inputs["steps"]
    parts = [
        ("q1-kernel-plain", (X, Y, rate, np.array([0]))),
        ("q1-kernel", (X, Y, rate, steps)),
        ("q1-kernel-narrow", (X, inputs["X_moved"], float(inputs["theta_far"]), steps)),
    ]
    found = [
        compare(answers[name], tolerant(*given), mistakes=_wrong_kernels(*given))
        for name, given in parts
    ]
    return combine(*found, weights=(0.25, 0.5, 0.25))


def _map_verdict(seed: int, answers: Answers) -> Verdict:
    """Return the verdict on question 3, also with copies and an indefinite matrix."""
    inputs = hidden(seed)
    parts = []
    # The indefinite matrix has eigenvalues that are close to each other for some seeds.
    for name, count, open_to in MAPS:
        K, K_new = inputs["K" + name], inputs[f"K{name}_new"]
        answer = answers["q3-map" + name.replace("_", "-")]
        wrong = _wrong_scores(K, K_new, count)
        right = scores(K, K_new, count)
        parts.append(compare(answer, right, up_to=open_to, mistakes=wrong))
    return combine(*parts, weights=(0.5, 0.25, 0.25))


def _fold_verdict(seed: int, answers: Answers) -> Verdict:
    """Return the verdict on question 5: predictions of folds that the fit has not seen."""
    inputs = hidden(seed)
    values = held_out(inputs["K_fold"], inputs["target"], inputs["folds"], 4)
    right = values.pop("right")
    wrong = [
        (name if name in MISTAKES else "training-data-leaked", value)
        for name, value in values.items()
    ]
    return compare(answers["q5-folds"], right, mistakes=wrong)


def verdicts(seed: int, answers: Answers) -> dict[str, Verdict]:
    """Return a verdict for each test cell."""
    return {
        "q1-kernel-test": _kernel_verdict(seed, answers),
        "q3-map-test": _map_verdict(seed, answers),
        "q5-folds-test": _fold_verdict(seed, answers),
    }
