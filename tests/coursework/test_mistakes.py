"""Every known mistake, planted in an answer, is named; every other right way gets full marks."""

import re
import tomllib
from datetime import UTC, datetime

import pytest

from coursework import executor
from coursework.autograde import compare_seed
from coursework.checks import MISTAKES_FILE
from coursework.repair_submission import repair
from coursework.sets import SETS_DIR, grade_id, is_test, load_set, set_names
from coursework.student import npz_bytes, student_version
from tests.coursework import example_set, wrong_answers

NAMES = set_names(SETS_DIR)
EACH = pytest.mark.parametrize("name", NAMES)
SEEDS = (0, 20261)
FRESH = pytest.param(datetime.now(UTC).toordinal(), marks=pytest.mark.weekly)


@EACH
def test_right_answers_get_full_marks_and_a_wrong_one_is_named(name, tmp_path):
    set_, seed = load_set(name), 0
    material = executor.grading_inputs(set_, seed)
    given = tmp_path / "data.npz"
    given.write_bytes(npz_bytes(set_.reference.data(seed)))
    compare_seed(given, material)  # with gaps in the data too, which are not equal to themselves
    given.write_bytes(npz_bytes(set_.reference.data(seed + 1)))
    with pytest.raises(AssertionError, match="another seed"):
        compare_seed(given, material)

    # The release that the book shows has judged the master already, with nothing wrong in it.
    # No other question rests on the last one.
    wrong = [plant for plant in wrong_answers.plants(name) if plant.names][-1]
    submitted_files = example_set.filled(set_.master(), {wrong.question: wrong.code})
    done = executor.run(repair(submitted_files, student_version(set_)).notebook, material)
    assert done.status == "run", done.notes
    verdicts = set_.reference.verdicts(seed, done.answers)
    verdict = verdicts.pop(wrong.test)
    assert (verdict.score, verdict.mistake) == (wrong.score, wrong.names)
    assert {right.score for right in verdicts.values()} == {1.0}


@pytest.mark.parametrize(
    "seed", [*(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS), FRESH]
)
@EACH
def test_planted_answers_are_judged_as_they_deserve(name, seed):
    wrong = wrong_answers.failed(name, seed)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
@EACH
def test_no_sentence_holds_a_number(name):
    """What a student reads must not lead to a hidden value: no decimal stands in it."""
    for verdict in wrong_answers.judged(name, SEEDS[0]):
        assert not re.search(r"\d\.\d", verdict.message), verdict


@EACH
def test_every_question_has_a_mistake_and_two_right_ways(name):
    planted_in = wrong_answers.plants(name)
    for question in map(grade_id, filter(is_test, load_set(name).master().cells)):
        here = [plant for plant in planted_in if plant.test == question]
        assert sum(bool(plant.names) for plant in here) >= 1, question
        assert sum(plant.score == 1 for plant in here) >= 2, question


def test_all_known_mistakes_are_planted():
    known = tomllib.loads(MISTAKES_FILE.read_text("utf-8"))
    assert {plant.names for name in NAMES for plant in wrong_answers.plants(name)} >= known.keys()
