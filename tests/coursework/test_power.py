"""The tests of the checks have power: a judge that is broken does not pass them."""

import functools
import itertools

import numpy as np
import pytest

from coursework import checks
from coursework.checks import Verdict
from tests.coursework import test_checks

pytestmark = pytest.mark.slow

SIGHT = checks.compare


def always_right(given, right, **_):
    return Verdict(1.0, message="Right, whatever it is.")


def always_wrong(given, right, **_):
    return Verdict(0.0, message="Wrong, whatever it is.")


def loose(given, right, *, rtol=1e-6, **rest):
    return SIGHT(given, right, rtol=1e-2, **rest)


def strict(given, right, *, rtol=1e-6, **rest):
    return SIGHT(given, right, rtol=1e-17, **rest)


def signs_only(given, right, *, up_to="equal", **rest):
    return SIGHT(given, right, up_to="sign" if up_to == "rotation" else up_to, **rest)


def turns_for_signs(given, right, *, up_to="equal", **rest):
    return SIGHT(given, right, up_to="rotation" if up_to == "sign" else up_to, **rest)


def shifts_too(given, right, *, up_to="equal", **rest):
    return SIGHT(given, right, up_to="rigid" if up_to == "rotation" else up_to, **rest)


def sizes_only(given, right, **rest):
    if isinstance(given, np.ndarray) and np.shape(given) == np.shape(right):
        return SIGHT(np.abs(given), np.abs(right), **rest)
    return SIGHT(given, right, **rest)


def blind_to_mistakes(given, right, *, mistakes=(), **rest):
    return SIGHT(given, right, **rest)


def mistakes_first(given, right, *, mistakes=(), **rest):
    for name, value in dict(mistakes).items():
        if SIGHT(given, value).score == 1:
            return Verdict(0.5, name, checks.MISTAKES[name])
    return SIGHT(given, right, mistakes=mistakes, **rest)


def not_a_number_is_fine(given, right, **rest):
    try:
        return SIGHT(np.nan_to_num(np.asarray(given, dtype=float)), right, **rest)
    except (TypeError, ValueError):
        return SIGHT(given, right, **rest)


def talkative(given, right, **rest):
    verdict = SIGHT(given, right, **rest)
    return Verdict(verdict.score, verdict.mistake, f"{verdict.message} The answer is {right}.")


BROKEN = (
    always_right,
    always_wrong,
    loose,
    strict,
    signs_only,
    turns_for_signs,
    shifts_too,
    sizes_only,
    blind_to_mistakes,
    mistakes_first,
    not_a_number_is_fine,
    talkative,
)


def drawn(test, *inputs):
    """Return a property test on one input, which hypothesis would draw."""
    return functools.partial(test.hypothesis.inner_test, *inputs)


def examples():
    """Yield the tests of `compare`, on a few inputs each."""
    signs = (1, -1)
    for seed, kind, sign in itertools.product((1, 2), test_checks.KINDS, signs):
        accepted = test_checks.test_what_is_left_open_is_accepted
        yield drawn(accepted, seed, (6, 3), 1.0, kind, sign)
        yield drawn(test_checks.test_wrong_by_one_in_a_thousand_is_wrong, seed, (6, 3), 1.0, kind)
        no_more = test_checks.test_no_more_is_accepted_than_is_left_open
        yield drawn(no_more, kind, seed, (6, 3))
        odd = test_checks.test_odd_answers_get_nothing_but_a_sentence
        yield drawn(odd, kind, np.full((2, 2), np.nan))
    yield test_checks.test_mistakes_are_named_under_the_same_freedom
    yield test_checks.test_infinite_values_must_stand_where_they_belong


def test_the_examples_pass():
    for example in examples():
        example()


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_comparison_is_caught(monkeypatch, broken):
    monkeypatch.setattr(test_checks, "compare", broken)
    caught = []
    for example in examples():
        try:
            example()
        except AssertionError as failure:
            caught.append(failure)
    assert caught
