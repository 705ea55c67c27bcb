"""Comparison of answers up to sign, rotation or translation, with names for known mistakes.

A reference compares the answer of a student with the right value and with the values that known
mistakes give. Nothing here runs in the student's process.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

UpTo: TypeAlias = Literal["equal", "sign", "rotation", "shift", "rigid"]
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

# Smaller numbers are rounding errors, and the tolerance is then absolute.
ZERO_TOL = 1e-12
# Absolute tolerance of integers, because large ones must also agree exactly.
INTEGER_TOL = 0.1

# Sentences by mistake. A reference.py adds its own: MISTAKES["its-name"] = "A sentence."
MESSAGES_FILE = Path(__file__).with_name("mistake_messages.toml")
MISTAKES: dict[str, str] = tomllib.loads(MESSAGES_FILE.read_text("utf-8"))


@dataclass(frozen=True)
class NoAnswer:
    """Stands for an answer that was not handed in, cannot be read, or whose code failed."""

    reason: str  # a sentence for the student


class Answers(dict[str, Any]):
    """Answers by name; a name that was not handed in returns a `NoAnswer`."""

    def __missing__(self, name: str) -> NoAnswer:
        return NoAnswer("No answer was handed in.")


@dataclass(frozen=True)
class Verdict:
    """The score of an answer and its reason."""

    score: float  # fraction of the points
    mistake: str = ""  # a key of `MISTAKES`
    message: str = ""  # a sentence for the student, without numbers of a hidden answer
    for_person: bool = False  # a person has to mark the answer, which gets no automatic points


def compare(
    answer: object,
    right: Any,
    *,
    up_to: UpTo = "equal",
    mistakes: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
    rtol: float = 1e-6,
    score_of_mistake: float = 0.5,
) -> Verdict:
    """Compare an answer, or a `NoAnswer`, with the right value and with known mistakes.

    Two arrays, whose rows are points, agree if no entry differs by more than `rtol` times the
    largest entry of the right one, or by more than `rtol` if that is zero. Integers must agree
    exactly, words without regard to case, and tuples in all their parts.

    The question leaves open no transformation; the sign of each column; multiplication by an
    orthogonal matrix from the right; one vector added to all rows; or the last two (`up_to`).
    The `mistakes` are keys of `MISTAKES` with the values that they give, in the order of
    comparison; zeros are ignored, because they say nothing about a mistake. An answer that is
    transposed or in ascending order also gets `score_of_mistake`.
    """
    if isinstance(answer, NoAnswer):
        return Verdict(0.0, message=answer.reason)
    if _same(answer, right, up_to, rtol):
        return Verdict(1.0, message="Right.")
    known = mistakes.items() if isinstance(mistakes, Mapping) else mistakes
    for mistake, value in known:
        if not _is_zero(value) and _same(answer, value, up_to, rtol):
            return Verdict(score_of_mistake, mistake, MISTAKES[mistake])
    if mistake := _transposed_or_reversed(answer, right, up_to, rtol):
        return Verdict(score_of_mistake, mistake, MISTAKES[mistake])
    return Verdict(0.0, message=_explain_mismatch(answer, right))


def combine(*verdicts: Verdict, weights: tuple[float, ...] | None = None) -> Verdict:
    """Return the verdict on a question from the verdicts on its parts.

    The score is the weighted mean. The message belongs to the first part with a known mistake, or
    else to the first part that lost points.
    """
    score = float(np.average([verdict.score for verdict in verdicts], weights=weights))
    lost = [verdict for verdict in verdicts if verdict.score < 1]
    named = [verdict for verdict in verdicts if verdict.mistake]
    first = [*named, *lost, verdicts[0]][0]
    return Verdict(min(score, 1.0), first.mistake, first.message)


def worse_verdict(edge_case: Verdict, ordinary_case: Verdict) -> Verdict:
    """Return the verdict with the lower score, or the first one if the scores are equal.

    An edge case, which wrong code may pass by chance, thus gets no more than the ordinary case.
    """
    return min(edge_case, ordinary_case, key=lambda verdict: verdict.score)


def real_array(given: object) -> Array | None:
    """Return the value as a real array, or None if it is not one."""
    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError):
        return None
    if array.dtype.kind == "c" and not np.any(array.imag):
        array = array.real  # np.linalg.eig may return it
    return array if array.dtype.kind in "biuf" else None


def _same(answer: object, right: Any, up_to: UpTo, rtol: float) -> bool:
    """Return True if two values agree."""
    if isinstance(right, tuple):
        if not isinstance(answer, (tuple, list)) or len(answer) != len(right):
            return False
        return all(_same(*pair, up_to, rtol) for pair in zip(answer, right, strict=True))
    if isinstance(right, str):
        return isinstance(answer, str) and answer.strip().lower() == right.strip().lower()
    array, right_array = real_array(answer), np.asarray(right)
    if (
        array is None
        or array.shape != right_array.shape
        or (array.dtype == bool) != (right_array.dtype == bool)
    ):
        return False
    if right_array.dtype == bool:
        return bool(np.array_equal(array, right_array))
    is_integer = right_array.dtype.kind in "iu"
    return _close(array.astype(float), right_array.astype(float), up_to, rtol, is_integer)


def _is_zero(value: object) -> bool:
    """Return True if all numbers are rounding errors."""
    array = real_array(value)
    return array is not None and bool(np.abs(array).max(initial=0.0) <= ZERO_TOL)


def _close(array: Array, right: Array, up_to: UpTo, rtol: float, is_integer: bool) -> bool:
    """Return True if two arrays of one shape agree after the best open transformation."""
    finite = np.isfinite(right)
    if not np.array_equal(np.where(np.isfinite(array), 0, array), np.where(finite, 0, right)):
        return False
    array, right = np.where(finite, array, 0.0), np.where(finite, right, 0.0)
    if right.ndim < 2:  # a number or a vector is one column
        array, right = array.reshape(-1, 1), right.reshape(-1, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        array, right = _aligned(array, right, up_to)
        scale = float(np.abs(right).max(initial=0.0))
        tolerance = rtol * (scale if scale > ZERO_TOL else 1.0)
        if is_integer:
            tolerance = min(tolerance, INTEGER_TOL)
        return bool(np.all(np.abs(array - right) <= tolerance))


def _aligned(array: Array, right: Array, up_to: UpTo) -> tuple[Array, Array]:
    """Return both arrays after the transformation that brings them closest."""
    if up_to not in ("equal", "sign", "rotation", "shift", "rigid"):
        raise ValueError(f"up_to is {up_to!r}. Give equal, sign, rotation, shift or rigid.")
    if up_to in ("shift", "rigid"):
        array, right = array - array.mean(axis=0), right - right.mean(axis=0)
    # Scale first, because a huge wrong entry must not overflow.
    small = array / max(float(np.abs(array).max(initial=0.0)), ZERO_TOL)
    if up_to == "sign":
        array = array * np.where(np.sum(small * right, axis=0) < 0, -1.0, 1.0)
    if up_to in ("rotation", "rigid") and np.isfinite(array).all():
        U, _, Vt = np.linalg.svd(small.T @ right, full_matrices=False)
        array = array @ (U @ Vt)
    return array, right


def _transposed_or_reversed(answer: object, right: Any, up_to: UpTo, rtol: float) -> str:
    """Return the mistake of a transposed or reversed answer, or an empty string."""
    array = real_array(answer)
    if array is None or isinstance(right, (str, tuple)):
        return ""
    right = np.asarray(right)
    if right.ndim == 2 and array.ndim == 2 and _same(array.T, right, up_to, rtol):
        return "transposed"
    ordered = right.ndim == 2 or (right.ndim == 1 and np.all(right[1:] <= right[:-1]))
    if ordered and array.ndim and _same(array[..., ::-1], right, up_to, rtol):
        return "ascending-order"
    return ""


def _explain_mismatch(answer: object, right: Any) -> str:
    """Return a sentence on a wrong answer, without the right numbers."""
    if isinstance(right, str):
        return f"Found {_describe(answer)}, expected one of the words that the question names."
    if isinstance(right, tuple):
        if isinstance(answer, (tuple, list)) and len(answer) == len(right):
            return "Not all of the returned values are right."
        return f"Found {_describe(answer)}, expected a tuple of {len(right)} values."
    array, right_array = real_array(answer), np.asarray(right)
    if array is None or _describe(answer) != _describe(right):
        return f"Found {_describe(answer)}, expected {_describe(right)}."
    if array.shape != right_array.shape:
        return f"Found {_describe(answer)} with too many or too few entries along an axis."
    if np.isfinite(right_array).all() and not np.isfinite(array).all():
        return "Some of the numbers are NaN or infinite."
    return "The values are not the right ones."


def _describe(value: object) -> str:
    """Return the kind of a value, without its size, which may depend on hidden values."""
    if value is None:
        return "None (is a return missing?)"
    array = np.asarray(None if isinstance(value, (str, tuple, list)) else value)
    if real_array(value) is None and array.dtype.kind != "c":
        return f"a {type(value).__name__} that is no array of numbers"
    array = np.asarray(value)
    word = {"b": "truth value", "c": "complex number"}.get(array.dtype.kind, "number")
    forms = (f"a {word}", f"a vector of {word}s", f"a matrix of {word}s")
    return forms[array.ndim] if array.ndim < 3 else f"an array of more than two axes of {word}s"
