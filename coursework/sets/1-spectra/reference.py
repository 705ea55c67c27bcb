"""Data, hidden inputs and verdicts of the set on indefinite correlation matrices.

The arithmetic is NumPy's alone. The wines are those of Forina et al. (1988), UCI Machine
Learning Repository, as scikit-learn ships them; each seed takes forty wines and nine columns.
"""

import numpy as np
from sklearn.datasets import load_wine

from coursework.compare_answers import (
    MISTAKES,
    ZERO_TOL,
    Answers,
    Array,
    NoAnswer,
    Verdict,
    combine,
    compare,
    real_array,
    worse_verdict,
)

N_WINES, N_COLUMNS = 40, 9
PROPORTION_MISSING = 0.55
FEWEST_TOGETHER = 5  # wines for which two columns are both known

# Questions without kmds_lib.
WITHOUT_LIBRARY = ("q1", "q3", "q5")


def data(seed: int) -> dict[str, Array]:
    """Return the arrays that students get: wines, also with missing entries, and matrices."""
    rng = np.random.default_rng([seed, 1])
    while True:
        wines, columns = _some_wines(rng)
        incomplete = _with_missing_entries(wines, rng)
        correlations = _pairwise_correlations(incomplete)
        covariance = np.corrcoef(wines[:, :4].T)
        values = np.linalg.eigvalsh(covariance)
        is_separated = np.diff(values).min() > 0.1 and values[0] > 0.08
        if is_separated and _is_indefinite(correlations):
            break
    units = np.exp([0.4, -0.3, 0.2, -0.3])  # with these units, the determinant is the same
    other_units = covariance * np.outer(units, units)
    claims = [_rotated(covariance, rng), _same_trace(covariance, rng), other_units]
    return {
        "wines": wines,
        "columns": columns,
        "incomplete": incomplete,
        "correlations": correlations,
        "covariance": covariance,
        "claims": rng.permutation(np.stack(claims)),
    }


def hidden(seed: int) -> dict[str, Array]:
    """Return the arrays to which the hidden tests apply the functions of a student."""
    rng, other = np.random.default_rng([seed, 2]), np.random.default_rng([seed, 3])
    simple = _with_spectrum(np.array([5.0, 3.5, 2.0, 1.0, 0.4]) + rng.uniform(0, 0.3, 5), rng)
    scale = rng.uniform(1, 2)
    repeated = _with_spectrum(np.array([2.0, 2.0, 0.6, 0.6, -2.0]) * scale, rng)
    sizes = np.array([3.0, 2.0, 1.0]) + rng.uniform(0, 0.5, 3)
    indefinite, complete = _indefinite_and_complete(rng)
    almost_equal = np.full((4, 4), -0.5) + np.triu(rng.uniform(-0.04, 0.04, (4, 4)), 1)
    almost_equal = np.triu(almost_equal, 1) + np.triu(almost_equal, 1).T + np.eye(4)
    close = np.linalg.eigvalsh(simple)
    close[-1] += 1e-6 * np.abs(simple).max()
    return {
        "simple": simple,
        "simple_rotated": _rotated(simple, rng),
        "repeated": repeated,
        "repeated_rotated": _rotated(repeated, rng),
        "same_trace": _same_trace(simple, rng),
        "close": _with_spectrum(close, other),
        "signs": _with_spectrum(sizes * [1, 1, -1], rng),
        "other_counts": _with_spectrum(np.array([2.0, 0.6, 0.6, 0.6, -2.0]) * scale, other),
        "other_signs": _with_spectrum(sizes * [1, -1, 1], rng),
        "indefinite": indefinite,
        "complete": complete,
        "almost_equal": almost_equal,
    }


def verdicts(seed: int, answers: Answers) -> dict[str, Verdict]:
    """Return a verdict for each test cell."""
    inputs = hidden(seed)
    return {
        "q1-similarity-test": _grade_similarity(inputs, answers),
        "q3-corrections-test": _grade_corrections(inputs, answers),
        "q5-shrinkage-test": _grade_shrinkage(inputs, answers),
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
        is_known = np.asarray(rng.random(X.shape) >= PROPORTION_MISSING)
        if (is_known.T.astype(float) @ is_known).min() >= FEWEST_TOGETHER:
            return np.where(is_known, X, np.nan)


def _pairwise_correlations(X: Array) -> Array:
    """Return the correlations of the columns, each from the rows without missing entries."""
    C = np.eye(X.shape[1])
    for i, j in zip(*np.triu_indices(X.shape[1], 1), strict=True):
        both = X[~np.isnan(X[:, i]) & ~np.isnan(X[:, j])][:, [i, j]]
        both = both - both.mean(axis=0)
        squares = np.sum(both**2, axis=0)
        C[i, j] = C[j, i] = np.sum(both[:, 0] * both[:, 1]) / np.sqrt(squares.prod())
    return C


def _is_indefinite(C: Array) -> bool:
    """Return True if a correlation matrix is as indefinite as the questions need."""
    values = np.linalg.eigvalsh(C)
    centred = np.linalg.eigvalsh(_centred(C))
    largest = np.abs(C - np.eye(len(C))).max()
    return bool(
        -0.75 < values[0] < -0.3
        and values[1] < -0.05
        and values[0] < centred[0] - 0.02
        and centred[0] < -0.15
        and largest < 0.97
    )


def _indefinite_and_complete(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the correlations of wines with missing entries, and of the same wines without."""
    while True:
        wines, _ = _some_wines(rng)
        indefinite = _pairwise_correlations(_with_missing_entries(wines, rng))
        if _is_indefinite(indefinite):
            return indefinite, np.corrcoef(wines.T)


def _orthogonal(p: int, rng: np.random.Generator) -> Array:
    """Draw an orthogonal matrix."""
    Q, upper = np.linalg.qr(rng.normal(size=(p, p)))
    return np.asarray(Q * np.sign(np.diag(upper)))


def _with_spectrum(values: Array, rng: np.random.Generator) -> Array:
    """Return a symmetric matrix with these eigenvalues and random eigenvectors."""
    return _rotated(np.diag(values), rng)


def _rotated(S: Array, rng: np.random.Generator) -> Array:
    """Return Q S Q^T for a random orthogonal matrix Q."""
    Q = _orthogonal(len(S), rng)
    S_other = Q @ S @ Q.T
    return np.asarray((S_other + S_other.T) / 2)


def _same_trace(S: Array, rng: np.random.Generator) -> Array:
    """Return a matrix with the trace and the determinant of S, and other eigenvalues."""
    values = np.linalg.eigvalsh(S)[::-1].copy()
    total, product = values[:3].sum(), values[:3].prod()
    # The first eigenvalue changes; the sum and the product of the next two are then known.
    for factor in (0.9, 0.94, 1.06, 1.1):
        first = factor * values[0]
        half, rest = (total - first) / 2, product / first
        if half**2 > rest:
            root = np.sqrt(half**2 - rest)
            values[:3] = [first, half + root, half - root]
            return _with_spectrum(values, rng)
    raise ValueError("No other eigenvalues have this trace and determinant.")


# Right answers, and what the known mistakes give


def _centred(M: Array) -> Array:
    """Return H M H."""
    return np.asarray(M - M.mean(axis=0) - M.mean(axis=1, keepdims=True) + M.mean())


def _split(C: Array) -> tuple[Array, Array]:
    """Return the positive and the negative part, C = plus - minus."""
    values, vectors = np.linalg.eigh(C)
    plus = vectors * np.maximum(values, 0) @ vectors.T
    return plus, plus - C


def _named(mistake: str, sentence: str = "", score: float = 0.5) -> Verdict:
    """Return a verdict with the name of a mistake."""
    return Verdict(score, mistake, sentence or MISTAKES[mistake])


def _grade_matrix(S: Array, S_other: Array, answer: object) -> Verdict:
    """Return the verdict on an orthogonal matrix from its properties, since many are right."""
    Q = real_array(answer)
    if Q is None or Q.shape != S.shape or not np.all(np.isfinite(Q)):
        return Verdict(0.0, message=compare(answer, S).message)
    size = np.abs(S_other).max()
    is_orthogonal = np.abs(Q @ Q.T - np.eye(len(S))).max() < 1e-6
    transforms = np.abs(Q @ S @ Q.T - S_other).max() < 1e-6 * size
    if is_orthogonal and transforms:
        return Verdict(1.0, message="Right.")
    if transforms:
        return _named("not-orthogonal", "Q S Q^T is S_other, but Q is not orthogonal.", 0.0)
    if is_orthogonal and np.abs(Q.T @ S @ Q - S_other).max() < 1e-6 * size:
        return _named("transposed", "Your matrix transforms S_other into S: return its transpose.")
    return Verdict(0.0, message="Q S Q^T is not S_other.")


def _grade_none(answer: object, mistake: str) -> Verdict:
    """Return the verdict on whether a function returned None where it had to."""
    verdict = compare(answer, True)
    return verdict if verdict.score or isinstance(answer, NoAnswer) else _named(mistake, score=0.0)


def _grade_similarity(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 1."""
    simple = _grade_matrix(inputs["simple"], inputs["simple_rotated"], answers["q1-simple"])
    repeated = _grade_matrix(
        inputs["repeated"], inputs["repeated_rotated"], answers["q1-repeated"]
    )
    others = worse_verdict(_grade_none(answers["q1-same-trace"], "never-none"), simple)
    rest = [
        _grade_none(answers["q1-close"], "tolerance-too-large"),
        *(_grade_none(answers[f"q1-{name}"], "never-none") for name in ("signs", "counts")),
    ]
    rest = [worse_verdict(each, others) for each in rest]
    return combine(
        simple, worse_verdict(repeated, simple), others, *rest, weights=(3, 3, 6, 1, 1, 1)
    )


def _grade_corrections(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 3."""
    indefinite, complete = inputs["indefinite"], inputs["complete"]
    plus, minus = _split(indefinite)
    absolute = {"absolute-eigenvalues": plus + minus}
    nearest = compare(answers["q3-plus"], plus, mistakes=absolute)
    # A recognised mistake in C^+ is not deducted again in R and in the norm of C^+ - C.
    has_absolute = nearest.mistake == "absolute-eigenvalues"
    own = plus + minus if has_absolute else plus
    root = np.sqrt(np.diag(own))
    rescaled = compare(answers["q3-rescaled"], own / np.outer(root, root))
    right = np.linalg.norm(minus)
    wrong = [("frobenius-adds-squares", np.trace(minus)), ("frobenius-adds-squares", right**2)]
    norm = compare(answers["q3-norm"], right, mistakes=wrong)
    if has_absolute and compare(answers["q3-norm"], 2 * right).score == 1:
        norm = Verdict(1.0)
    unchanged = compare(answers["q3-semidefinite"], (complete, complete, 0.0))
    return combine(
        nearest, rescaled, norm, worse_verdict(unchanged, nearest), weights=(2, 1, 1, 1)
    )


def _shrinkage(lowest: float) -> float:
    """Return the t that raises an eigenvalue to zero."""
    return float(-lowest / (1 - lowest)) if lowest < -ZERO_TOL else 0.0


def _grade_shrinkage(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 5."""
    psd, euclidean = _grade_pair(answers["q5-indefinite"], inputs["indefinite"])
    equal = _grade_pair(answers["q5-equal"], inputs["almost_equal"])[1]
    both = _grade_pair(answers["q5-semidefinite"], inputs["complete"])
    rest = [
        worse_verdict(each, euclidean) for each in (equal, min(both, key=lambda part: part.score))
    ]
    return combine(psd, euclidean, *rest, weights=(2, 2, 1, 1))


def _grade_pair(pair: object, C: Array) -> tuple[Verdict, Verdict]:
    """Return a verdict on each of two numbers."""
    low, low_centred = (float(np.linalg.eigvalsh(M)[0]) for M in (C, _centred(C)))
    right = _shrinkage(low), _shrinkage(low_centred)
    both = np.asarray(pair) if isinstance(pair, (tuple, list, np.ndarray)) else np.empty(0)
    if both.shape != (2,):
        verdict = compare(pair, right)
        return verdict, verdict
    wrong = {"denominator-forgotten": -low}
    wrong_centred = {
        "denominator-forgotten": -low_centred,
        "zero-sum-forgotten": right[0],
        "minus-half-forgotten": _shrinkage(-2 * float(np.linalg.eigvalsh(_centred(C))[-1])),
    }
    first = compare(both[0], right[0], mistakes=wrong, rtol=1e-5)
    second = compare(both[1], right[1], mistakes=wrong_centred, rtol=1e-5)
    # The centred matrix has the eigenvalue 0, which rounding makes negative for many t.
    is_unexplained = second.score == 0 and not second.mistake
    number = real_array(both[1])
    if first.score == 1 and is_unexplained and number is not None and right[1] < number <= 1:
        second = _named("rounding-in-bisection")
    return first, second
