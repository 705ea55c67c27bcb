"""Answers are judged as the mathematics says: nothing right is refused, nothing wrong accepted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursework.checks import MISTAKES, Answers, Missing, Verdict, combine, compare

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.tuples(st.integers(2, 12), st.integers(1, 5))
SCALES = st.sampled_from([1e-8, 1e-3, 1.0, 1e4, 1e150])
KINDS = ("equal", "sign", "rotation", "shift", "rigid")


def drawn(seed, shape, scale=1.0):
    """Return points, and a generator to change them with."""
    rng = np.random.default_rng(seed)
    return scale * rng.normal(size=shape), rng


def orthogonal(rng, size, sign):
    """Return an orthogonal matrix of the determinant's sign."""
    matrix, _ = np.linalg.qr(rng.normal(size=(size, size)))
    matrix[:, 0] *= sign * np.linalg.det(matrix)
    return matrix


def moved(points, rng, up_to, sign=1):
    """Return points changed by all that `up_to` leaves open."""
    if up_to == "sign":
        points = points * rng.choice([-1.0, 1.0], size=points.shape[1])
    if up_to in ("rotation", "rigid"):
        points = points @ orthogonal(rng, points.shape[1], sign)
    if up_to in ("shift", "rigid"):
        points = points + np.abs(points).max() * rng.normal(size=points.shape[1])
    return points


@given(SEEDS, SHAPES, SCALES, st.sampled_from(KINDS), st.sampled_from([-1, 1]))
def test_what_is_left_open_is_accepted(seed, shape, scale, up_to, sign):
    points, rng = drawn(seed, shape, scale)
    assert compare(moved(points, rng, up_to, sign), points, up_to=up_to).score == 1


@given(SEEDS, SHAPES, SCALES, st.sampled_from(KINDS))
def test_wrong_by_one_in_a_thousand_is_wrong(seed, shape, scale, up_to):
    points, rng = drawn(seed, shape, scale)
    points[0] *= 3  # so that a shift cannot make up for what is added
    stretched = points * 1.001
    one_entry = points.copy()
    one_entry[np.unravel_index(np.abs(points).argmax(), shape)] *= 1.001
    for wrong in (stretched, one_entry):
        if shape[0] == 2 and shape[1] > 1 and up_to == "rigid" and wrong is one_entry:
            continue  # two points have one distance, which the entry may leave as it was
        assert compare(moved(wrong, rng, up_to), points, up_to=up_to).score == 0


@pytest.mark.parametrize("up_to", KINDS)
@given(seed=SEEDS, shape=st.tuples(st.integers(4, 12), st.integers(2, 5)))
def test_no_more_is_accepted_than_is_left_open(up_to, seed, shape):
    points, rng = drawn(seed, shape)
    open_to = {"equal": [], "sign": ["sign"], "shift": ["shift"]}
    open_to |= {"rotation": ["sign", "rotation"], "rigid": ["sign", "rotation", "shift", "rigid"]}
    for change in ("sign", "rotation", "shift", "rigid"):
        other = moved(points, rng, change)
        if np.allclose(other, points):
            continue
        accepted = compare(other, points, up_to=up_to).score == 1
        assert accepted == (change in open_to[up_to]), change


@given(SEEDS, st.integers(2, 9))
def test_a_zero_column_may_have_any_small_noise(seed, size):
    points, rng = drawn(seed, (size, 3))
    points[:, 2] = 0
    noisy = points + 1e-9 * rng.normal(size=points.shape)
    for up_to in KINDS:
        assert compare(noisy, points, up_to=up_to).score == 1


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(),
    st.binary(),
    st.lists(st.floats(), max_size=8),
    st.lists(st.lists(st.floats(), max_size=3), max_size=3),
    st.tuples(st.floats(), st.lists(st.floats(), max_size=3)),
    st.dictionaries(st.text(max_size=2), st.floats(), max_size=2),
    st.lists(st.integers(), min_size=4, max_size=4).map(
        lambda four: np.array([four[:2], four[2:]])
    ),
    st.builds(
        lambda shape, value: np.full(shape, value),
        st.lists(st.integers(0, 4), max_size=4),
        st.one_of(st.floats(), st.booleans(), st.complex_numbers()),
    ),
)


@pytest.mark.parametrize("up_to", KINDS)
@given(ODD)
def test_odd_answers_get_nothing_but_a_sentence(up_to, odd):
    right = np.array([[1.25, -3.5], [0.75, 2.125]])
    verdict = compare(odd, right, up_to=up_to, mistakes={"minus-half-forgotten": -2 * right})
    assert verdict.score == 0
    assert len(verdict.message) > 10
    for number in ("1.25", "3.5", "0.75", "2.125"):
        assert number not in verdict.message


@pytest.mark.parametrize("right", [2.5, True, "yes", (1.5, "no"), np.arange(5.0), np.eye(3) == 1])
@given(ODD)
def test_odd_answers_to_other_kinds_of_questions(right, odd):
    kind = type(odd) is type(right) or isinstance(odd, (int, float, np.ndarray, list))
    verdict = compare(odd, right)
    assert verdict.score == 0 or kind
    assert verdict.message


FAR = np.array([[0.0, np.inf], [np.inf, 0.0]])


@pytest.mark.parametrize(
    ("given", "right", "score"),
    [
        ([[1, 2], [3, 4]], np.array([[1.0, 2.0], [3.0, 4.0]]), 1),
        (3, 3.0, 1),
        (3.0, 3, 1),
        (np.float32(3), 3, 1),
        ([2.0, "Yes "], (2, "yes"), 1),
        (np.True_, True, 1),
        ([True, False], np.array([True, False]), 1),
        # Infinite values stand where they belong.
        (FAR.copy(), FAR, 1),
        (-FAR, FAR, 0),
        (FAR[[0, 0]], FAR, 0),
        (np.where(np.isinf(FAR), np.nan, FAR), FAR, 0),
        # Whole numbers are not right by being large.
        (10**7 + 1, 10**7, 0),
        (10**7 + 1.0, 1e7, 1),
        # Complex numbers without an imaginary part are real.
        (np.eye(3) + 0j, np.eye(3), 1),
        (np.eye(3) + 1e-3j, np.eye(3), 0),
        # Zero has room for rounding errors only.
        (3e-16, 1e-17, 1),
        (np.full(3, 1e-12), np.zeros(3), 1),
        (1e-4, 0.0, 0),
    ],
)
def test_what_is_the_same_value(given, right, score):
    assert compare(given, right).score == score


@pytest.mark.parametrize(
    ("odd", "right", "words"),
    [
        (None, 1.0, "None (is a return missing?), expected a number"),
        (1, True, "a number, expected a truth value"),
        (True, 1, "a truth value, expected a number"),
        (np.zeros((3, 2)), np.zeros((2, 3)) + 1, "a matrix of numbers with too many or too few"),
        (np.zeros(4), np.ones((2, 2)), "a vector of numbers, expected a matrix of numbers"),
        (np.zeros((2, 2, 2)), np.ones((2, 2)), "more than two axes of numbers, expected a matrix"),
        (np.zeros((2, 3)) + 1j, np.ones((2, 3)), "a matrix of complex numbers, expected"),
        ([[1.0], [1.0, 2.0]], np.ones((2, 2)), "a list of values that are no array, expected"),
        ([1.0, np.nan, np.inf], np.ones(3), "Some of the numbers are NaN or infinite"),
        (3.0, "yes", "a number, expected one of the words"),
        (3.0, (3.0, 4.0), "expected a tuple of 2 values"),
        ((3.0, 5.0), (3.0, 4.0), "Not all"),
        ({"a": 1}, 1.0, "a dict, expected a number"),
        (Missing("Your function stopped with KeyError: 'x'."), 1.0, "KeyError"),
    ],
)
def test_the_sentence_says_what_was_found(odd, right, words):
    verdict = compare(odd, right)
    assert verdict.score == 0
    assert words in verdict.message


@pytest.mark.parametrize("right", [np.ones(3), np.ones((2, 2)), 1.0, (1.0, 2.0), "yes"])
def test_no_size_of_an_answer_is_told(right):
    """A function can give its array as many entries as a hidden number says."""
    makers = (
        np.zeros,
        lambda n: np.full(n, np.nan),
        lambda n: np.zeros((n, 2)),
        lambda n: n * "x",
    )
    makers += (lambda n: n * [None], lambda n: (np.zeros(n), n * [1, [2]]))
    for make in makers:
        assert compare(make(41), right).message == compare(make(17), right).message


def test_mistakes_are_named_under_the_same_freedom():
    points, rng = drawn(3, (7, 2))
    unit = points / np.linalg.norm(points, axis=0)
    wrong = {"eigenvectors-without-root": unit, "distances-not-squared": points**2}
    for up_to in ("sign", "rotation"):
        verdict = compare(moved(unit, rng, up_to), points, up_to=up_to, mistakes=wrong)
        assert verdict == Verdict(
            0.5, "eigenvectors-without-root", MISTAKES["eigenvectors-without-root"]
        )
    assert compare(unit, points, mistakes=wrong, score_of_mistake=0.25).score == 0.25
    assert compare(points, points, mistakes={"centred-twice": points}).score == 1
    assert compare(points[:3], points, mistakes={"n-minus-1-for-n": points[:3]}).score == 0.5


def test_a_mistake_may_have_several_values_which_a_right_answer_never_asks_for():
    asked = []

    def known():
        for power in (3, 4):
            asked.append(power)
            yield "distances-not-squared", np.array([2.0**power, 1.0])

    assert compare([4.0, 1.0], [4.0, 1.0], mistakes=known()).score == 1
    assert not asked
    assert compare([16.0, 1.0], [4.0, 1.0], mistakes=known()).mistake == "distances-not-squared"


def test_values_in_the_wrong_place_are_named():
    points, rng = drawn(5, (7, 3))
    square = rng.normal(size=(4, 4))
    assert compare(square.T, square).mistake == "transposed"
    assert compare(points.T, points, up_to="rotation").mistake == "transposed"
    assert compare(-points[:, ::-1], points, up_to="sign").mistake == "ascending-order"
    assert compare([1.0, 2.0, 5.0], [5.0, 2.0, 1.0]).mistake == "ascending-order"
    assert compare([5.0, 2.0, 7.0], [7.0, 2.0, 5.0]) == Verdict(
        0.0, message="The values are not the right ones."
    )


def test_a_huge_answer_costs_nothing():
    huge = np.broadcast_to(1.0, (10**6, 10**6))
    assert compare(huge, np.ones((5, 5)), up_to="rigid").score == 0
    assert compare(np.full((5, 5), 1e308), np.ones((5, 5)), up_to="rigid").score == 0
    assert compare(10**400, 1.0).score == 0


def test_parts_are_weighed_and_the_first_mistake_is_named():
    right, lost = Verdict(1.0, message="Right."), Verdict(0.0, message="Wrong shape.")
    named = Verdict(0.5, "transposed", "Turn it.")
    assert combine(right, right) == right
    assert combine(right, lost, named) == Verdict(0.5, "transposed", "Turn it.")
    assert combine(right, lost, weights=(3, 1)) == Verdict(0.75, message="Wrong shape.")
    with pytest.raises(ValueError, match="give one for each"):
        combine(right, weights=(1, 2))


def test_what_a_reference_gets_wrong_stops_it():
    with pytest.raises(ValueError, match="NaN"):
        compare([1.0], [np.nan])
    with pytest.raises(ValueError, match="up_to is 'sing'"):
        compare([1.0], [2.0], up_to="sing")
    with pytest.raises(ValueError, match=r"score is 1\.5"):
        Verdict(1.5)
    with pytest.raises(ValueError, match="MISTAKES has no"):
        Verdict(0.5, "no-such-mistake")


def test_an_answer_not_handed_in_is_missing():
    answers = Answers(q1=2.0)
    assert compare(answers["q2"], 2.0) == Verdict(0.0, message="No answer was handed in.")
    assert all(sentence.endswith((".", ").")) for sentence in MISTAKES.values())
