"""Every known mistake, planted in an answer, is named; every other right way gets full marks."""

import re
from datetime import UTC, datetime

import pytest

from coursework.checks import MISTAKES
from coursework.sets import SETS, grade_id, is_test, load_set, set_names
from tests.coursework import planted

NAMES = set_names(SETS)
EACH = pytest.mark.parametrize("name", NAMES)
SEEDS = (0, 20261)
FRESH = pytest.param(datetime.now(UTC).toordinal(), marks=pytest.mark.nightly)
# Mistakes that students of this subject make; the sets together plant each of them.
KNOWN = {
    "absolute-eigenvalues",
    "ascending-order",
    "centred-on-one-side",
    "centred-twice",
    "distances-not-squared",
    "eigenvectors-without-root",
    "minus-half-forgotten",
    "n-minus-1-for-n",
    "test-kernel-not-centred",
    "theta-upside-down",
    "training-data-leaked",
}


@pytest.mark.parametrize(
    "seed", [*(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS), FRESH]
)
@EACH
def test_planted_answers_are_judged_as_they_deserve(name, seed):
    wrong = planted.failed(name, seed)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
@EACH
def test_no_sentence_holds_a_number(name):
    """What a student reads must not lead to a hidden value: no decimal stands in it."""
    for verdict in planted.judged(name, SEEDS[0]):
        assert not re.search(r"\d\.\d", verdict.message), verdict


@EACH
def test_every_question_has_a_mistake_and_two_right_ways(name):
    planted_in = planted.plants(name)
    for question in map(grade_id, filter(is_test, load_set(name).master().cells)):
        here = [plant for plant in planted_in if plant.test == question]
        assert sum(bool(plant.names) for plant in here) >= 1, question
        assert sum(plant.score == 1 for plant in here) >= 2, question


def test_all_known_mistakes_are_planted():
    names = {plant.names for name in NAMES for plant in planted.plants(name)}
    assert names >= KNOWN
    for name in NAMES:
        assert load_set(name).reference  # which adds the set's own mistakes
    assert names - {""} <= set(MISTAKES)
