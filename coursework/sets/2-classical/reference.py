"""Data, hidden inputs and verdicts of the set on errors in a distance matrix.

The arithmetic is NumPy's alone. Two islands are drawn from the seed; the roads are a part of R's
table of European cities, which `kmds_lib` holds, and the petals are Anderson's irises, as
scikit-learn ships them.
"""

from itertools import combinations

import numpy as np
from sklearn.datasets import load_iris

from coursework.compare_answers import (
    MISTAKES,
    Answers,
    Array,
    Verdict,
    combine,
    compare,
    real_array,
    worse_verdict,
)
from kmds_lib.datasets import load_eurodist

N_STATIONS, N_CITIES, N_FLOWERS = 15, 15, 100
VERY_MANY = 120_000  # a square matrix of this size does not fit into memory
MOST_ROWS = 50
BOTH_KNOWN = (("Cologne", "Geneva"), ("Copenhagen", "Hook of Holland"))

# Questions without kmds_lib.
WITHOUT_LIBRARY = ("q1", "q3", "q5", "q6")


def data(seed: int) -> dict[str, Array]:
    """Return the arrays that students get: two flight logs, residents, petals and roads."""
    rng = np.random.default_rng([seed, 1])
    roads, cities = _some_roads(rng)
    flowers = load_iris().data[rng.choice(150, N_FLOWERS, replace=False)][:, 2:]
    petals, counts = np.unique(flowers, axis=0, return_counts=True)
    return {
        "log": _with_error(rng),
        "trusted": _flights(_stations(N_STATIONS, rng), rng),
        "residents": rng.integers(1, 10, N_STATIONS),
        "petals": petals,
        "counts": counts,
        "roads": roads,
        "cities": cities,
    }


def hidden(seed: int) -> dict[str, Array]:
    """Return the arrays to which the hidden tests apply the functions of a student."""
    rng = np.random.default_rng([seed, 2])
    while True:
        D = _flights(_stations(12, rng), rng)
        weights = rng.integers(1, 30, 12)
        if _is_spread(D, weights):
            break
    some_zero = weights.copy()
    some_zero[rng.choice(12, 3, replace=False)] = 0
    scale = np.array([[4.0, 2.5, 1.5, 0.7]])
    tall = rng.normal(size=(VERY_MANY, 4)) * scale + 1.0
    groups, group_weights = _groups(np.random.default_rng([seed, 3]))
    return {
        "flights": D,
        "weights": weights,
        "some_zero": some_zero,
        "groups": groups,
        "group_weights": group_weights,
        "pairs": np.array([[0, 1], [7, 3], [4, 11], [5, 9]]),
        "X": rng.normal(size=(30, 4)) * scale + [3.0, -2.0, 5.0, 1.0],
        "X_weights": rng.integers(1, 12, 30),
        "wide": rng.normal(size=(4, VERY_MANY)) * scale.T + 1.0,
        "wide_weights": np.array([3, 1, 2, 5]),
        "tall": tall,
        "tall_weights": 1 + 2 * (tall[:, 0] > 2) + (tall[:, 1] < 0),
    }


def verdicts(seed: int, answers: Answers) -> dict[str, Verdict]:
    """Return a verdict for each test cell."""
    inputs = hidden(seed)
    return {
        "q1-scaling-test": _grade_scaling(inputs, answers),
        "q3-pca-test": _grade_pca(inputs, answers),
        "q5-contributions-test": _grade_contributions(inputs, answers),
        "q6-prediction-test": _grade_predictions(inputs, answers),
    }


# Data


def _stations(n: int, rng: np.random.Generator) -> Array:
    """Draw stations on an island of 300 km by 180 km, with heights, none of them close."""
    while True:
        kept: list[Array] = []
        for place in rng.uniform(0, 1, (400, 3)) * [300, 180, 1.5]:
            if all(np.hypot(*(place - other)[:2]) > 35 for other in kept):
                kept.append(place)
        if len(kept) >= n:
            return np.array(kept[:n])


def _distances(X: Array) -> Array:
    """Return the distances between all rows."""
    return np.asarray(np.sqrt(np.sum((X[:, None] - X[None]) ** 2, axis=-1)))


def _flights(places: Array, rng: np.random.Generator) -> Array:
    """Return the lengths of flights: each is 2 to 14 % longer than the straight line."""
    while True:
        detour = np.triu(rng.uniform(0.02, 0.14, (len(places), len(places))), 1)
        D = np.round(_distances(places) * (1 + detour + detour.T))
        values = np.linalg.eigvalsh(_gram(D))
        if values[-2] > 4 * values[-3] and values[-1] > 1.4 * values[-2]:
            return np.asarray(D)
        places = _stations(len(places), rng)


def _groups(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return dissimilarities whose largest absolute eigenvalue is negative, and weights.

    There are two groups. Each object is far from its own group and close to the other one.
    """
    while True:
        side = rng.permutation(np.arange(12) % 2)
        off = np.triu(rng.uniform(-2, 2, (12, 12)), 1)
        D = np.where(np.equal.outer(side, side), 12.0, 3.0) + off + off.T
        np.fill_diagonal(D, 0)
        weights = rng.uniform(0.5, 9.5, 12)
        values = _pairs(D, weights)[1]
        positive = values[values > 1e-9 * values[0]]
        if np.diff(positive).max() < -1e-3 * values[0] and -values[-1] > 1.2 * values[0]:
            return D, weights


def _is_spread(D: Array, weights: Array) -> bool:
    """Return True if the leading eigenvalues are separated, with and without weights."""
    for w in (np.ones(len(D)), weights):
        values = _pairs(D, w)[1][:5]
        if values[0] < 1.2 * values[1] or np.diff(values).max() > -0.01 * values[0]:
            return False
    return bool(np.linalg.eigvalsh(_gram(D))[:2].max() < 0)


def _with_error(rng: np.random.Generator) -> Array:
    """Return flight lengths with one wrong entry, which the map without that entry finds."""
    while True:
        D = _flights(_stations(N_STATIONS, rng), rng)
        i, j = sorted(rng.choice(N_STATIONS, 2, replace=False).tolist())
        D[i, j] = D[j, i] = D[i, j] + rng.integers(45, 61) * rng.choice([-1, 1])
        pairs = list(combinations(range(N_STATIONS), 2))
        off = np.array([abs(D[pair] - _held_out(D, *pair, 2)) for pair in pairs])
        first, second = np.argsort(-off)[:2]
        if D[i, j] > 50 and pairs[first] == (i, j) and off[first] > 1.35 * off[second]:
            return D


def _some_roads(rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw cities from R's table, with one of its two clear errors; Athens is excluded."""
    europe = load_eurodist()
    names = np.array(europe.labels)
    inside, outside = rng.permutation(np.array(BOTH_KNOWN))
    others = np.setdiff1d(
        np.flatnonzero(names != "Athens"), np.flatnonzero(np.isin(names, inside))
    )
    while True:
        chosen = np.append(
            rng.choice(others, N_CITIES - 2, replace=False), np.flatnonzero(np.isin(names, inside))
        )
        if not np.isin(outside, names[chosen]).all():
            chosen.sort()
            return europe.distances[np.ix_(chosen, chosen)], names[chosen]


# Right answers, and what the known mistakes give


def _gram(D: Array, m: Array | None = None) -> Array:
    """Return -1/2 D^(2), centred with the masses m on both sides."""
    A = -0.5 * np.asarray(D, dtype=float) ** 2
    m = np.full(len(D), 1 / len(D)) if m is None else m
    A = A - m @ A
    return np.asarray(A - (A @ m)[:, None])


def _pairs(D: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return B, the eigenvalues of the weighted B, descending, and its eigenvectors."""
    B = _gram(D, weights / weights.sum())
    root = np.sqrt(weights)
    values, vectors = np.linalg.eigh(root[:, None] * B * root)
    return B, values[::-1], vectors[:, ::-1]


def _map(D: Array, weights: Array, k: int) -> Array:
    """Return the weighted map, on which objects of weight zero are placed."""
    B, values, vectors = _pairs(D, weights)
    return _placed(B, weights, values[:k], vectors[:, :k])


def _placed(B: Array, weights: Array, values: Array, vectors: Array) -> Array:
    """Return B W^(1/2) V / lambda^(1/2), with zeros for eigenvalues that are not positive."""
    Y = np.zeros((len(B), len(values)))
    kept = values > 1e-9 * values.max()
    Y[:, kept] = B @ (np.sqrt(weights)[:, None] * vectors[:, kept]) / np.sqrt(values[kept])
    return Y


def _held_out(D: Array, i: int, j: int, k: int) -> float:
    """Return the distance of two objects on a map that does not use their entry."""
    weights = np.ones(len(D))
    weights[[i, j]] = 0
    Y = _map(D, weights, k)
    return float(np.linalg.norm(Y[i] - Y[j]))


def _held_out_without_half(D: Array, i: int, j: int, k: int) -> float:
    """Return the same distance if the map is computed from -2B, but the places are not."""
    weights = np.ones(len(D))
    weights[[i, j]] = 0
    Y = _map_mistake_values(D, weights, k)["minus-half-forgotten"]
    return 0.5 * float(np.linalg.norm(Y[i] - Y[j]))


def _map_mistake_values(D: Array, weights: Array, k: int) -> dict[str, Array]:
    """Return the values of known mistakes for a weighted map."""
    B, values, vectors = _pairs(D, weights)
    largest = np.argsort(-np.abs(values))[:k]
    last = slice(None, -k - 1, -1)
    right = _map(D, weights, k)
    return {
        "weights-forgotten": _map(D, np.ones(len(D)), k),
        "root-of-weights-left-in": np.sqrt(weights)[:, None] * right,
        "eigenvalues-for-roots": right * np.sqrt(np.maximum(values[:k], 0)),
        "minus-half-forgotten": _placed(-2 * B, weights, -2 * values[last], vectors[:, last]),
        "absolute-eigenvalues": _placed(B, weights, np.abs(values[largest]), vectors[:, largest]),
    }


def _grade_scaling(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 1."""

    def part(name: str, matrix: str, weights: str, k: int) -> Verdict:
        D, w = inputs[matrix], inputs[weights]
        wrong = _map_mistake_values(D, w, k)
        return compare(answers[f"q1-{name}"], _map(D, w, k), up_to="sign", mistakes=wrong)

    weighted = part("weights", "flights", "weights", 2)
    groups = part("groups", "groups", "group_weights", 12)
    old, new = _grade_zero_weights(inputs, answers["q1-zero"])
    parts = (weighted, *(worse_verdict(each, weighted) for each in (groups, old, new)))
    return combine(*parts, weights=(4, 2, 1, 1))


def _grade_zero_weights(inputs: dict[str, Array], answer: object) -> tuple[Verdict, Verdict]:
    """Return the verdicts on the objects with a positive weight, and on the others."""
    D, weights = inputs["flights"], inputs["some_zero"]
    right = _map(D, weights, 2)
    is_old = weights > 0
    Y = real_array(answer)
    if Y is None or Y.shape != right.shape:
        verdict = compare(answer, right)
        return verdict, verdict
    wrong = _map_mistake_values(D, weights, 2)
    both = compare(Y, right, up_to="sign", mistakes=wrong)
    if both.mistake:
        return both, both
    of_old = {name: value[is_old] for name, value in wrong.items()}
    old = compare(Y[is_old], right[is_old], up_to="sign", mistakes=of_old)
    signs = np.where(np.sum(Y[is_old] * right[is_old], axis=0) < 0, -1.0, 1.0)
    new = compare(signs * Y[~is_old], right[~is_old])
    if new.score < 1 and old.score == 1:
        new = Verdict(0.0, "new-objects-not-placed", MISTAKES["new-objects-not-placed"])
    return old, new


def _pca(X: Array, weights: Array, k: int) -> tuple[Array, Array]:
    """Return weighted scores and variances, from the smaller side, with zeros beyond the rank."""
    total = weights.sum()
    root = np.sqrt(weights)[:, None]
    Z = root * (X - weights @ X / total)
    is_wide = Z.shape[1] > len(Z)
    values, vectors = np.linalg.eigh(Z @ Z.T if is_wide else Z.T @ Z)
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    kept = np.flatnonzero(values > 1e-9 * values[0])
    Y, variances = np.zeros((len(X), k)), np.zeros(k)
    scores = vectors * np.sqrt(np.maximum(values, 0)) if is_wide else Z @ vectors
    Y[:, kept] = scores[:, kept] / root
    variances[kept] = values[kept] / total
    return Y, variances


def _grade_pca(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 3."""
    parts = {}
    for name, k in (("X", 3), ("wide", 5), ("tall", 2)):
        table, weights = inputs[name], inputs[f"{name}_weights"]
        # Only the first rows of a tall matrix are handed in, to limit the size of the answer.
        Y, variances = _pca(table, weights, k)
        total = weights.sum()
        flat = _pca(table, np.ones(len(table)), k)
        of_scores = {
            "weights-forgotten": flat[0][:MOST_ROWS],
            "root-of-weights-left-in": (np.sqrt(weights)[:, None] * Y)[:MOST_ROWS],
        }
        of_variances = {
            "weights-forgotten": flat[1],
            "n-minus-1-for-n": variances * total / (total - 1),
        }
        parts[name] = (
            compare(answers[f"q3-{name}"], Y[:MOST_ROWS], up_to="sign", mistakes=of_scores),
            compare(answers[f"q3-{name}-variances"], variances, mistakes=of_variances),
        )
    scores, sizes = parts["X"]
    wide, tall = (
        combine(worse_verdict(parts[name][0], scores), worse_verdict(parts[name][1], sizes))
        for name in ("wide", "tall")
    )
    return combine(scores, sizes, wide, tall)


def _contributions(D: Array, r: int) -> Array:
    """Return the contribution of each pair to eigenvalue r of B."""
    values, vectors = np.linalg.eigh(_gram(D))
    value, v = values[::-1][r], vectors[:, ::-1][:, r]
    return np.asarray(-(D**2) * np.outer(v, v) / value)


def _grade_contributions(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 5."""
    D = inputs["flights"]

    def part(name: str, r: int) -> Verdict:
        right = _contributions(D, r)
        wrong = {
            "pairs-counted-twice": right / 2,
            "sign-of-contributions-lost": np.abs(right),
            "minus-half-forgotten": -0.5 * _contributions(D, len(D) - 1 - r),
        }
        return compare(answers[f"q5-{name}"], right, mistakes=wrong)

    first, second, negative = part("first", 0), part("second", 1), part("negative", len(D) - 2)
    if first.score == 1 and negative.score == 0:
        mistake = "negative-eigenvalues-lost"
        negative = Verdict(0.0, mistake, MISTAKES[mistake])
    return combine(
        first, worse_verdict(second, first), worse_verdict(negative, first), weights=(2, 1, 1)
    )


def _grade_predictions(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 6."""
    D, pairs = inputs["flights"], inputs["pairs"]
    parts = []
    for name, k in (("plane", 2), ("line", 1)):
        right = np.array([_held_out(D, i, j, k) for i, j in pairs])
        Y = _map(D, np.ones(len(D)), k)
        wrong = {
            "entry-used": np.linalg.norm(Y[pairs[:, 0]] - Y[pairs[:, 1]], axis=1),
            "distances-not-squared": np.array([_held_out(np.sqrt(D), i, j, k) for i, j in pairs]),
            "minus-half-forgotten": np.array(
                [_held_out_without_half(D, i, j, k) for i, j in pairs]
            ),
        }
        parts.append(compare(answers[f"q6-{name}"], right, mistakes=wrong))
    plane, line = parts
    return combine(plane, worse_verdict(line, plane), weights=(3, 1))
