"""One submission of each set, right but for one answer; the other tests take longer."""

import pytest

from coursework import running
from coursework.marking import compare_seed
from coursework.restore import restored
from coursework.sets import SETS, load_set, set_names
from coursework.student import stored, student_version
from tests.coursework import planted, trial


@pytest.mark.parametrize("name", set_names(SETS))
def test_right_answers_get_full_marks_and_a_wrong_one_is_named(name, tmp_path):
    set_, seed = load_set(name), 0
    material = running.material_of(set_, seed)
    given = tmp_path / "data.npz"
    given.write_bytes(stored(set_.reference.data(seed)))
    compare_seed(given, material)  # with gaps in the data too, which are not equal to themselves
    given.write_bytes(stored(set_.reference.data(seed + 1)))
    with pytest.raises(AssertionError, match="another seed"):
        compare_seed(given, material)

    # The release that the book shows has judged the master already, with nothing wrong in it.
    # No other question rests on the last one.
    wrong = [plant for plant in planted.plants(name) if plant.names][-1]
    handed_in = trial.filled(set_.master(), {wrong.question: wrong.code})
    done = running.run(restored(handed_in, student_version(set_)).notebook, material)
    assert done.status == "run", done.notes
    verdicts = set_.reference.verdicts(seed, done.answers)
    verdict = verdicts.pop(wrong.test)
    assert (verdict.score, verdict.mistake) == (wrong.score, wrong.names)
    assert {right.score for right in verdicts.values()} == {1.0}
