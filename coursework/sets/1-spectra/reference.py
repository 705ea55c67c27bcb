"""Data, hidden inputs and verdicts of the set on spectra and Gram matrices.

The arithmetic is NumPy's alone. The wines are those of Forina et al. (1988), UCI Machine
Learning Repository, as scikit-learn ships them; each seed takes forty wines and nine columns.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.datasets import load_wine

from coursework.checks import (
    MISTAKES,
    ZERO_TOL,
    Answers,
    Array,
    Missing,
    Verdict,
    cap,
    combine,
    compare,
    real_array,
)

MistakeValues = Iterable[tuple[str, Any]]

N_WINES, N_COLUMNS, SHARE_OF_HOLES, FEWEST_TOGETHER = 40, 9, 0.55, 5

# Questions without kmds_lib.
WITHOUT_LIBRARY = ("q1", "q2", "q3", "q4")


def data(seed: int) -> dict[str, Array]:
    """Return the arrays that students get: wines, also with missing entries, and matrices."""
    rng = np.random.default_rng([seed, 1])
    while True:
        wines, columns = _some_wines(rng)
        incomplete = _with_missing_entries(wines, rng)
        table = _pairwise(incomplete)
        covariance = np.corrcoef(wines[:, :4].T)
        if _is_indefinite(table) and _is_spread(covariance):
            break
    claims = np.stack([_turned(covariance, rng), _impostor(covariance, rng), _units(covariance)])
    return {
        "wines": wines,
        "columns": columns,
        "holes": incomplete,
        "table": table,
        "covariance": covariance,
        "claims": rng.permutation(claims),
    }


def hidden(seed: int) -> dict[str, Array]:
    """Return the inputs of the hidden tests."""
    rng = np.random.default_rng([seed, 2])
    simple = _with_spectrum(np.array([5.0, 3.5, 2.0, 1.0, 0.4]) + rng.uniform(0, 0.3, 5), rng)
    scale = rng.uniform(1, 2)
    tied = _with_spectrum(np.array([2.0, 2.0, 0.6, 0.6, -2.0]) * scale, rng)
    sizes = np.array([3.0, 2.0, 1.0]) + rng.uniform(0, 0.5, 3)
    torn, whole = _indefinite_and_complete(rng)
    near = np.full((4, 4), -0.5) + np.triu(rng.uniform(-0.04, 0.04, (4, 4)), 1)
    near = np.triu(near, 1) + np.triu(near, 1).T + np.eye(4)
    apart = np.sqrt(np.maximum(2 - 2 * whole, 0))
    np.fill_diagonal(apart, 0)
    doubled = np.append(np.arange(5), 2)
    other = np.random.default_rng([seed, 3])
    close = np.linalg.eigvalsh(simple)
    close[-1] += 1e-6 * np.abs(simple).max()
    return {
        "simple": simple,
        "simple_turned": _turned(simple, rng),
        "tied": tied,
        "tied_turned": _turned(tied, rng),
        "impostor": _impostor(simple, rng),
        "close": _with_spectrum(close, other),
        "signed": _with_spectrum(sizes * [1, 1, -1], rng),
        "tied_other": _with_spectrum(np.array([2.0, 0.6, 0.6, 0.6, -2.0]) * scale, other),
        "signed_other": _with_spectrum(sizes * [1, -1, 1], rng),
        "torn": torn,
        "whole": whole,
        "near": near,
        "distances": apart,
        "seat": np.array(int(rng.integers(N_COLUMNS))),
        "doubled": apart[np.ix_(doubled, doubled)],
        "broken": _broken(rng),
    }


def verdicts(seed: int, answers: Answers) -> dict[str, Verdict]:
    """Return a verdict for each test cell."""
    given = hidden(seed)
    return {
        "q1-turn-test": _grade_turns(given, answers),
        "q2-repair-test": _grade_repairs(given, answers),
        "q3-shrink-test": _grade_shrinking(given, answers),
        "q4-cosines-test": _grade_cosines(given, answers),
    }


# Data


def _some_wines(rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw wines and columns."""
    source = load_wine()
    rows = rng.choice(len(source.data), N_WINES, replace=False)
    columns = rng.choice(source.data.shape[1], N_COLUMNS, replace=False)
    return source.data[np.ix_(rows, columns)], np.array(source.feature_names)[columns]


def _with_missing_entries(X: Array, rng: np.random.Generator) -> Array:
    """Return X with random entries missing; every two columns share at least a few rows."""
    while True:
        holes = rng.random(X.shape) < SHARE_OF_HOLES
        seen = (~holes).astype(float)
        if (seen.T @ seen).min() >= FEWEST_TOGETHER:
            return np.where(holes, np.nan, X)


def _pairwise(X: Array) -> Array:
    """Return the correlations of the columns, each over the rows without missing entries."""
    table = np.eye(X.shape[1])
    for i, j in zip(*np.triu_indices(X.shape[1], 1), strict=True):
        both = X[~np.isnan(X[:, i]) & ~np.isnan(X[:, j])][:, [i, j]]
        both = both - both.mean(axis=0)
        squares = np.sum(both**2, axis=0)
        table[i, j] = table[j, i] = np.sum(both[:, 0] * both[:, 1]) / np.sqrt(squares.prod())
    return table


def _is_indefinite(table: Array) -> bool:
    """Return True if a correlation matrix is as indefinite as the questions need."""
    values = np.linalg.eigvalsh(table)
    centred = np.linalg.eigvalsh(_centred(table))
    largest = np.abs(table - np.eye(len(table))).max()
    return bool(
        -0.75 < values[0] < -0.3
        and values[1] < -0.05
        and values[0] < centred[0] - 0.02
        and centred[0] < -0.15
        and largest < 0.97
    )


def _is_spread(table: Array) -> bool:
    """Return True if the eigenvalues are well separated from each other and from zero."""
    values = np.linalg.eigvalsh(table)
    return bool(np.diff(values).min() > 0.1 and values[0] > 0.08)


def _indefinite_and_complete(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the correlations of wines with missing entries, and of the same wines without."""
    while True:
        wines, _ = _some_wines(rng)
        torn = _pairwise(_with_missing_entries(wines, rng))
        if _is_indefinite(torn):
            return torn, np.corrcoef(wines.T)


def _orthogonal(p: int, rng: np.random.Generator) -> Array:
    """Draw an orthogonal matrix."""
    turn, upper = np.linalg.qr(rng.normal(size=(p, p)))
    return np.asarray(turn * np.sign(np.diag(upper)))


def _with_spectrum(values: Array, rng: np.random.Generator) -> Array:
    """Return a symmetric matrix with these eigenvalues, in random axes."""
    return _turned(np.diag(values), rng)


def _turned(S: Array, rng: np.random.Generator) -> Array:
    """Return Q S Q^T for a random orthogonal matrix Q."""
    turn = _orthogonal(len(S), rng)
    T = turn @ S @ turn.T
    return np.asarray((T + T.T) / 2)


def _impostor(S: Array, rng: np.random.Generator) -> Array:
    """Return a matrix with the trace and the determinant of S, and another spectrum."""
    values = np.linalg.eigvalsh(S)[::-1].copy()
    total, product = values[:3].sum(), values[:3].prod()
    # A smaller first eigenvalue brings the next two apart; their sum and product are known.
    for factor in (0.9, 0.94, 1.06, 1.1):
        first = factor * values[0]
        half, rest = (total - first) / 2, product / first
        if half**2 > rest:
            root = np.sqrt(half**2 - rest)
            values[:3] = [first, half + root, half - root]
            return _with_spectrum(values, rng)
    raise ValueError("No other spectrum has this trace and determinant.")


def _units(S: Array) -> Array:
    """Return S in other units, with the same determinant."""
    factors = np.exp([0.4, -0.3, 0.2, -0.3])
    return np.asarray(S * np.outer(factors, factors))


def _broken(rng: np.random.Generator) -> Array:
    """Return dissimilarities of four objects, where 0, 1, 2 violate the triangle inequality."""
    while True:
        points = np.array([[0, 0], [4, 0], [8, 0], [4, 4]]) + rng.uniform(1, 3, (4, 2))
        D = np.sqrt(np.sum((points[:, None] - points[None]) ** 2, axis=-1))
        D[0, 2] = D[2, 0] = 1.15 * (D[0, 1] + D[1, 2])
        if np.diag(-0.5 * _centred(D**2)).min() > 0.5:
            return np.asarray(D)


# Right answers, and what the known mistakes give


def _centred(M: Array) -> Array:
    """Return H M H."""
    return np.asarray(M - M.mean(axis=0) - M.mean(axis=1, keepdims=True) + M.mean())


def _split(C: Array) -> tuple[Array, Array]:
    """Return the positive and the negative part, C = plus - minus."""
    values, vectors = np.linalg.eigh(C)
    plus = vectors * np.maximum(values, 0) @ vectors.T
    return plus, plus - C


def _rescaled(C: Array) -> Array:
    """Divide entry (i, j) by the roots of diagonal entries i and j, which may not be finite."""
    root = np.sqrt(np.maximum(np.diag(C), 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(C / np.outer(root, root))


def _grade_turn(S: Array, T: Array, Q: object) -> Verdict:
    """Return the verdict on an orthogonal matrix from its properties, since many are right."""
    turn = real_array(Q)
    if turn is None or turn.shape != S.shape or not np.all(np.isfinite(turn)):
        return Verdict(0.0, message=compare(Q, S).message)
    size = np.abs(T).max()
    orthogonal = np.abs(turn @ turn.T - np.eye(len(S))).max() < 1e-6
    carries = np.abs(turn @ S @ turn.T - T).max() < 1e-6 * size
    if orthogonal and carries:
        return Verdict(1.0, message="Right.")
    if carries:
        return _named("congruence-for-similarity")
    if orthogonal and np.abs(turn.T @ S @ turn - T).max() < 1e-6 * size:
        return _named(
            "transposed", "Your matrix carries S_other to S: its transpose is asked for."
        )
    return Verdict(0.0, message="The matrix does not carry S to S_other.")


def _named(mistake: str, sentence: str = "") -> Verdict:
    """Return a verdict with half the points and the name of a mistake."""
    return Verdict(0.5, mistake, sentence or MISTAKES[mistake])


def _grade_refusal(refused: object) -> Verdict:
    """Return the verdict on whether a function returned None where it had to."""
    verdict = compare(refused, True)
    if verdict.score or isinstance(refused, Missing):
        return verdict
    return Verdict(0.0, "never-refuses", MISTAKES["never-refuses"])


def _grade_turns(given: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 1."""
    plain = _grade_turn(given["simple"], given["simple_turned"], answers["q1-turn"])
    tied = _grade_turn(given["tied"], given["tied_turned"], answers["q1-turn-tied"])
    refused = {
        name: cap(_grade_refusal(answers[f"q1-turn-{name}"]), plain)
        for name in ("impostor", "close", "signed", "multiple")
    }
    return combine(
        plain,
        cap(tied, plain),
        combine(refused["impostor"], refused["close"]),
        combine(refused["signed"], refused["multiple"]),
    )


def _grade_repairs(given: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 3."""
    torn, whole = given["torn"], given["whole"]
    plus, minus = _split(torn)
    mirrored = plus + minus
    ones = plus - np.diag(np.diag(plus)) + np.eye(len(plus))
    clipped = compare(answers["q2-repair-plus"], plus, mistakes={"absolute-eigenvalues": mirrored})
    rescaled = compare(
        answers["q2-repair-ones"],
        _rescaled(plus),
        mistakes=[
            ("absolute-eigenvalues", _rescaled(mirrored)),
            ("diagonal-overwritten", ones),
            ("scaled-without-root", plus / np.outer(np.diag(plus), np.diag(plus))),
        ],
    )
    negative = np.linalg.eigvalsh(minus)
    proven = compare(
        answers["q2-repair-proven"],
        np.linalg.norm(minus),
        mistakes=[
            ("frobenius-adds-squares", negative.sum()),
            ("frobenius-adds-squares", -negative.sum()),
            ("frobenius-adds-squares", np.sum(negative**2)),
            ("frobenius-adds-squares", negative.max()),
            ("absolute-eigenvalues", np.linalg.norm(mirrored - torn)),
        ],
    )
    kept = compare(answers["q2-repair-whole"], (whole, whole, 0.0))
    return combine(clipped, rescaled, proven, cap(kept, clipped))


def _shrinkage(low: float) -> float:
    """Return the t that raises an eigenvalue to zero."""
    return float(-low / (1 - low)) if low < 0 else 0.0


def _shrink_mistake_values(C: Array) -> tuple[MistakeValues, MistakeValues]:
    """Return the values of known mistakes for t of the matrix and for t of its distances."""
    low = np.linalg.eigvalsh(C)[0]
    centred = np.linalg.eigvalsh(_centred(C))[0]
    D = np.sqrt(np.maximum(2 - 2 * C, 0))
    one_side = np.linalg.eigvalsh(C - C.mean(axis=0))[0]
    other_side = np.linalg.eigvalsh(C - C.mean(axis=1, keepdims=True))[0]
    twice = np.linalg.eigvalsh(_centred(C) - C.mean())[0]
    own = [("denominator-forgotten", -low), ("absolute-eigenvalues", _shrinkage(-abs(low)))]
    points = [
        ("zero-sum-forgotten", _shrinkage(low)),
        ("denominator-forgotten", max(-centred, 0.0)),
        ("distances-not-squared", _shrinkage(np.linalg.eigvalsh(-0.5 * _centred(D))[0])),
        ("minus-half-forgotten", _shrinkage(2 * centred)),
        ("minus-half-forgotten", _shrinkage(np.linalg.eigvalsh(_centred(D**2))[0])),
        ("centred-on-one-side", _shrinkage(one_side)),
        ("centred-on-one-side", _shrinkage(other_side)),
        ("centred-twice", _shrinkage(twice)),
    ]
    return own, points


def _grade_shrinking(given: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 5."""
    parts = {}
    for name in ("torn", "near", "whole"):
        C = given[name]
        centred = np.linalg.eigvalsh(_centred(C))[0]
        # Centring leaves the eigenvalue 0, which rounding may make negative.
        right = (
            _shrinkage(np.linalg.eigvalsh(C)[0]),
            _shrinkage(centred) if centred < -ZERO_TOL else 0.0,
        )
        parts[name] = _grade_pair(answers[f"q3-shrink-{name}"], right, _shrink_mistake_values(C))
    table, points = parts["torn"]
    near, whole = parts["near"][1], min(parts["whole"], key=lambda part: part.score)
    return combine(table, points, cap(near, points), cap(whole, points))


def _grade_pair(
    pair: object, right: tuple[float, float], mistakes: tuple[MistakeValues, MistakeValues]
) -> tuple[Verdict, Verdict]:
    """Return a verdict on each of two numbers."""
    if isinstance(pair, Missing):
        return Verdict(0.0, message=pair.reason), Verdict(0.0, message=pair.reason)
    both = np.asarray(pair) if isinstance(pair, (tuple, list, np.ndarray)) else np.empty(0)
    if both.shape != (2,):
        verdict = compare(pair, right)
        return verdict, verdict
    first, second = (
        compare(value, wanted, mistakes=known, rtol=1e-5)
        for value, wanted, known in zip(both, right, mistakes, strict=True)
    )
    return first, second


def _cosines(D: Array, seat: int, *, power: int = 2) -> Array:
    """Return the cosines of the angles at one object, by the law of cosines."""
    row = D[seat]
    products = 0.5 * (row[:, None] ** power + row[None] ** power - D**power)
    lengths = np.outer(row, row)
    return np.asarray(np.divide(products, lengths, out=np.zeros_like(D), where=lengths > 0))


def _cosine_mistake_values(D: Array, seat: int) -> MistakeValues:
    """Return the values of known mistakes for the cosines at one object."""
    lengths = np.outer(D[seat], D[seat])
    inverse = np.divide(1.0, lengths, out=np.zeros_like(D), where=lengths > 0)
    own = _cosines(D, seat, power=1)
    root = np.sqrt(lengths)
    about_mean = -0.5 * _centred(D**2)
    one_side = -0.5 * (D**2 - D[seat] ** 2)
    right = _cosines(D, seat)
    return [
        ("distances-not-squared", own),
        ("distances-not-squared", own * root),
        ("minus-half-forgotten", 2 * right),
        ("minus-half-forgotten", -2 * right),
        ("inner-products-for-cosines", right * lengths),
        ("origin-at-the-mean", _rescaled(about_mean)),
        ("origin-at-the-mean", about_mean * inverse),
        ("centred-on-one-side", one_side * inverse),
        ("centred-on-one-side", one_side.T * inverse),
    ]


def _grade_cosines(given: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 6."""

    def part(name: str, D: Array, seat: int, mistakes: MistakeValues = ()) -> Verdict:
        known = [*mistakes, *_cosine_mistake_values(D, seat)]
        return compare(answers[name], _cosines(D, seat), mistakes=known)

    broken = given["broken"]
    hidden_mistake_values = [("impossible-values-hidden", np.clip(_cosines(broken, 1), -1, 1))]
    plain = part("q4-cosines", given["distances"], int(given["seat"]))
    twin = part("q4-cosines-doubled", given["doubled"], 2)
    seen = part("q4-cosines-broken", broken, 1, hidden_mistake_values)
    return combine(plain, cap(twin, plain), cap(seen, plain), weights=(2, 1, 1))
