"""Comparison of answers: invariances that a question leaves open, and named mistakes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursework.compare_answers import MISTAKES, Answers, Verdict, combine, compare

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.tuples(st.integers(2, 12), st.integers(1, 5))
SCALES = st.sampled_from([1e-8, 1e-3, 1.0, 1e4, 1e150])
KINDS = ("equal", "sign", "rotation", "shift", "rigid")


def random_points(seed, shape, scale=1.0):
    """Return points and the generator that drew them."""
    rng = np.random.default_rng(seed)
    return scale * rng.normal(size=shape), rng


def moved(points, rng, up_to):
    """Return points changed by everything that `up_to` leaves open."""
    if up_to == "sign":
        points = points * rng.choice([-1.0, 1.0], size=points.shape[1])
    if up_to in ("rotation", "rigid"):
        points = points @ np.linalg.qr(rng.normal(size=(points.shape[1],) * 2))[0]
    if up_to in ("shift", "rigid"):
        points = points + np.abs(points).max() * rng.normal(size=points.shape[1])
    return points


@given(SEEDS, SHAPES, SCALES, st.sampled_from(KINDS))
def test_compare_accepts_open_transformations(seed, shape, scale, up_to):
    points, rng = random_points(seed, shape, scale)
    assert compare(moved(points, rng, up_to), points, up_to=up_to).score == 1


@given(SEEDS, SHAPES, SCALES, st.sampled_from(KINDS))
def test_compare_rejects_error_of_one_in_a_thousand(seed, shape, scale, up_to):
    points, rng = random_points(seed, shape, scale)
    points[0] *= 3  # so that a translation cannot compensate for the change
    assert compare(moved(points * 1.001, rng, up_to), points, up_to=up_to).score == 0


@pytest.mark.parametrize("up_to", KINDS)
@given(seed=SEEDS, shape=st.tuples(st.integers(4, 12), st.integers(2, 5)))
def test_compare_rejects_other_transformations(up_to, seed, shape):
    points, rng = random_points(seed, shape)
    accepted = {"equal": [], "sign": ["sign"], "shift": ["shift"]}
    accepted |= {"rotation": ["sign", "rotation"], "rigid": ["sign", "rotation", "shift", "rigid"]}
    for change in ("sign", "rotation", "shift", "rigid"):
        other = moved(points, rng, change)
        if not np.allclose(other, points):
            right = compare(other, points, up_to=up_to).score == 1
            assert right == (change in accepted[up_to]), change


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(),
    st.binary(),
    st.lists(st.lists(st.floats(), max_size=3), max_size=3),
    st.tuples(st.floats(), st.lists(st.floats(), max_size=3)),
    st.dictionaries(st.text(max_size=2), st.floats(), max_size=2),
    st.builds(
        lambda shape, value: np.full(shape, value),
        st.lists(st.integers(0, 4), max_size=4),
        st.one_of(st.floats(), st.booleans(), st.complex_numbers()),
    ),
)


@pytest.mark.parametrize("up_to", KINDS)
@given(ODD)
def test_messages_do_not_reveal_right_numbers(up_to, odd):
    right = np.array([[1.25, -3.5], [0.75, 2.125]])
    verdict = compare(odd, right, up_to=up_to, mistakes={"minus-half-forgotten": -2 * right})
    assert verdict.score == 0
    assert verdict.message
    assert not any(number in verdict.message for number in ("1.25", "3.5", "0.75", "2.125"))


FAR = np.array([[0.0, np.inf], [np.inf, 0.0]])


@pytest.mark.parametrize(
    ("answer", "right", "score"),
    [
        ([[1, 2], [3, 4]], np.array([[1.0, 2.0], [3.0, 4.0]]), 1),
        (3.0, 3, 1),
        ([2.0, "Yes "], (2, "yes"), 1),
        (1, True, 0),
        ([True, False], np.array([True, False]), 1),
        (FAR.copy(), FAR, 1),
        (-FAR, FAR, 0),
        (np.where(np.isinf(FAR), np.nan, FAR), FAR, 0),
        # Large integers must agree exactly.
        (10**7 + 1, 10**7, 0),
        (10**7 + 1.0, 1e7, 1),
        (np.eye(3) + 0j, np.eye(3), 1),
        (np.eye(3) + 1e-3j, np.eye(3), 0),
        (np.full(3, 1e-12), np.zeros(3), 1),
        (1e-4, 0.0, 0),
        # Huge values must not overflow or exhaust the memory.
        (np.broadcast_to(1.0, (10**6, 10**6)), np.ones((5, 5)), 0),
        (np.full((5, 5), 1e308), np.ones((5, 5)), 0),
        (10**400, 1.0, 0),
        (Answers()["q2"], 2.0, 0),
    ],
)
def test_compare_types_and_special_values(answer, right, score):
    assert compare(answer, right).score == score


def test_compare_names_mistakes_up_to_open_transformations():
    points, rng = random_points(3, (7, 2))
    unit = points / np.linalg.norm(points, axis=0)
    wrong = {"eigenvalues-for-roots": unit, "distances-not-squared": points**2}
    for up_to in ("sign", "rotation"):
        verdict = compare(moved(unit, rng, up_to), points, up_to=up_to, mistakes=wrong)
        assert (verdict.score, verdict.mistake) == (0.5, "eigenvalues-for-roots")
        assert verdict.message == MISTAKES["eigenvalues-for-roots"]
    assert compare(unit, points, mistakes=wrong, score_of_mistake=0.25).score == 0.25
    assert compare(points, points, mistakes={"transposed": points}).score == 1
    assert compare(0 * points, points, mistakes={"transposed": 1e-13 * points}).score == 0


def test_compare_names_transposed_and_reversed_answers():
    points, _ = random_points(5, (7, 3))
    assert compare(points.T, points, up_to="rotation").mistake == "transposed"
    assert compare(-points[:, ::-1], points, up_to="sign").mistake == "ascending-order"
    assert compare([1.0, 2.0, 5.0], [5.0, 2.0, 1.0]).mistake == "ascending-order"
    assert compare([5.0, 2.0, 7.0], [7.0, 2.0, 5.0]).mistake == ""


def test_combine_averages_scores_and_names_first_mistake():
    right, lost = Verdict(1.0, message="Right."), Verdict(0.0, message="Wrong shape.")
    named = Verdict(0.5, "transposed", "Transpose it.")
    assert combine(right, lost, named) == Verdict(0.5, "transposed", "Transpose it.")
    assert combine(right, lost, weights=(3, 1)) == Verdict(0.75, message="Wrong shape.")


def test_errors_of_a_reference_raise():
    with pytest.raises(ValueError, match="up_to is 'sing'"):
        compare([1.0], [2.0], up_to="sing")
    with pytest.raises(KeyError, match="no-such-mistake"):
        compare([1.0], [2.0], mistakes={"no-such-mistake": [1.0]})
