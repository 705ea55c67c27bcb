"""What chapter 5's explorer shows of both computations agrees with the library."""

from itertools import pairwise

import numpy as np
import pytest

from kmds_figures.explorers import clerk_explorer
from kmds_lib import canonical_signs, classical_scaling, distances, pca, procrustes_align
from tests.figures.under_node import ask

WIDGET = clerk_explorer()
PRESETS = WIDGET.presets
OWN = {"signs": [1, 1, 1, 1], "agree": False}


def clouds(count, seed=3):
    rng = np.random.default_rng(seed)
    for n in rng.integers(4, 21, count):
        spread = rng.uniform(0.1, 0.5, 2) @ [[1, 0.2], [0.3, 1]]
        yield np.clip(rng.normal(size=(n, 2)) * spread, -1.3, 1.3).round(2)


def both(asked):
    """Return what the explorer finds for some (points, state, last)."""
    return ask(WIDGET, "asked.map((one) => m.bothComputations(...one))", asked=asked)


def square(entries):
    return np.reshape(entries, (-1, 2))


def said(points, **state):
    """Return what the banner says of some points."""
    words = "m.dualityVerdict(m.bothComputations(points, state), state.agree)"
    return ask(WIDGET, words, points=points, state=OWN | state)


def test_both_compute_what_the_library_does():
    clouds_ = [*clouds(25), *(np.array(PRESETS[name]) for name in ("long", "outlier", "irises"))]
    differing = 0
    found = both([(X, OWN, None) for X in clouds_])
    for X, both_found in zip(clouds_, found, strict=True):
        n, X_c = len(X), X - X.mean(axis=0)
        U = canonical_signs(np.linalg.eigh(X_c.T @ X_c / n)[1][:, ::-1])
        fit, scaled = pca(X), classical_scaling(distances(X))
        np.testing.assert_allclose(both_found["mean"], X.mean(axis=0), atol=1e-14)
        np.testing.assert_allclose(both_found["variances"], fit.variances, rtol=1e-10)
        np.testing.assert_allclose(square(both_found["axes"]), U, atol=1e-9)
        np.testing.assert_allclose(square(both_found["scores"]), X_c @ U, atol=1e-9)
        np.testing.assert_allclose(square(both_found["second"]), scaled.points, atol=1e-9)
        spectrum = scaled.spectrum().eigenvalues
        np.testing.assert_allclose(both_found["values"], spectrum, atol=1e-12 * spectrum[0])
        differ = np.sign(np.sum(X_c @ U * scaled.points, axis=0))
        assert (both_found["zeros"], both_found["rank"], both_found["equal"]) == (n - 2, 2, False)
        assert both_found["differ"] == differ.tolist()
        differing += np.sum(differ < 0)
        apart = np.abs(X_c @ U - scaled.points).max()
        assert both_found["gaps"]["asHandedIn"] == pytest.approx(apart, abs=1e-9)
        assert max(both_found["gaps"]["signsAside"], both_found["gaps"]["turned"]) < 1e-9
    assert 5 < differing < 2 * len(clouds_) - 5


def test_the_signs_of_the_second_are_turned_to_agree():
    asked = [(X, OWN | {"agree": True}, None) for X in clouds(10)]
    for both_found in both(asked):
        np.testing.assert_allclose(both_found["second"], both_found["scores"], atol=1e-9)
        assert both_found["gaps"]["asHandedIn"] < 1e-9
        handed = square(both_found["handed"]) * both_found["differ"]
        np.testing.assert_allclose(handed, square(both_found["second"]), atol=0)


def test_given_signs_are_relative_to_the_rule():
    X = PRESETS["irises"]
    signs = [-1, 1, 1, -1]
    plain, turned = both([(X, OWN, None), (X, OWN | {"signs": signs}, None)])
    for name, own in (("axes", signs[:2]), ("scores", signs[:2]), ("second", signs[2:])):
        np.testing.assert_array_equal(square(turned[name]), square(plain[name]) * own)
    assert turned["signs"] == signs


def gap_of(one, other):
    """Return the largest change of an axis or a score from one step to the next."""
    return max(np.abs(np.subtract(a, b)).max() for a, b in zip(one, other, strict=True))


def test_no_axis_flips_while_a_point_is_dragged():
    base, path = np.array(PRESETS["long"]), np.linspace(-1.2, 1.2, 49)
    steps = [np.vstack([base[:-1], [x, -0.4 * x - 0.3]]).round(2) for x in path]
    dragged = """{
      let last = null;
      return steps.map((points) => {
        const [found, alone] = [last, null].map((one) => m.bothComputations(points, own, one));
        last = { axes: found.axes, second: found.handed };
        return [found, alone].map(({ axes, second }) => [axes, second]);
      });
    }"""
    shown = ask(WIDGET, dragged, steps=steps, own=OWN)
    jumps = np.array(
        [[gap_of(*pair) for pair in zip(*two, strict=True)] for two in pairwise(shown)]
    )
    assert jumps[:, 0].max() < 0.2
    assert jumps[:, 1].max() > 1


def test_equal_eigenvalues_need_a_turn_and_no_sign_does():
    (found,) = both([(PRESETS["round"], OWN | {"agree": True}, None)])
    first, second = square(found["scores"]), square(found["second"])
    assert found["equal"]
    assert found["gaps"]["signsAside"] > 0.5
    turned = procrustes_align(second, target=first)
    assert np.abs(turned.points - first).max() < 1e-12
    assert found["gaps"]["turned"] < 1e-12
    verdict = said(PRESETS["round"])
    assert verdict["head"] == "λ₁ = λ₂: the axes are each program’s own choice."
    assert "after one turn less than 10⁻¹² cm." in verdict["reason"]
    moved = np.array(PRESETS["round"])
    moved[3, 0] += 0.01
    (found,) = both([(moved, OWN | {"agree": True}, None)])
    assert not found["equal"]
    assert found["gaps"]["asHandedIn"] < 1e-10
    assert "They are close" in said(moved)["reason"]


def test_points_on_any_line_have_one_axis_and_equal_points_none():
    rng = np.random.default_rng(8)
    lines = []
    for n in (4, 9, 20) * 20:
        start, way = rng.integers(-40, 41, 2), rng.integers(-9, 10, 2)
        lines.append((start + np.outer(rng.integers(-9, 10, n), way)) / 100)
    places = [[0.1, 0.1], [0.3, -0.7], *rng.uniform(-1.3, 1.3, (30, 2)).round(2)]
    lines.append(np.array(PRESETS["line"]))
    lines += [np.tile(place, (n, 1)) for n in (4, 6, 7, 20) for place in places]
    ranks = [min(1, len(np.unique(X, axis=0)) - 1) for X in lines]
    assert 50 < sum(ranks) <= 61
    found = both([(X, OWN | {"agree": True}, None) for X in lines])
    for X, rank, both_found in zip(lines, ranks, found, strict=True):
        assert (both_found["rank"], both_found["zeros"]) == (rank, len(X) - rank)
        assert not any(both_found["variances"][rank:])
        for name in ("scores", "second"):
            assert not square(both_found[name])[:, rank:].any()
        np.testing.assert_allclose(both_found["second"], both_found["scores"], atol=1e-9)
    assert "there is no axis 2" in said(PRESETS["line"])["reason"]
    assert said(lines[-1]) == {
        "head": "All points are one.",
        "reason": "S and B are zero: there is no axis, and no score.",
    }


def test_words_name_the_axes_whose_signs_differ():
    X = PRESETS["long"]
    lam = pca(X).eigenvalues
    for signs, which in (
        ([1, 1, 1, 1], "axis 1"),
        ([1, 1, -1, 1], None),
        ([1, 1, 1, -1], "both axes"),
        ([1, 1, -1, -1], "axis 2"),
    ):
        verdict = said(X, signs=signs)
        sign = "signs" if which == "both axes" else "sign"
        head = f"The same scores, but for the {sign} of {which}." if which else "The same scores."
        assert verdict["head"] == head
        assert f"of nS and of B are {lam[0]:.4f} and {lam[1]:.4f} cm²" in verdict["reason"]
        turned = said(X, signs=signs, agree=True)
        assert turned["head"] == "The same scores."
        verb = "are" if which == "both axes" else "is"
        assert (f"now that {which} of the second {verb} mirrored" in turned["reason"]) == (
            which is not None
        )


def test_lines_of_a_narrow_axis_are_told_by_its_sign():
    ends = [[-1.04, -0.87]] * 10 + [[1.04, 0.87]] * 9
    narrow = [
        [*ends, [0.55, 0.46]],
        [*ends, [-0.55, -0.46]],
        [*ends[:3], *ends[-3:], [0.55, 0.46]],
    ]
    lines = """asked.map((points) => {
      const { scores, second, differ, values } = m.bothComputations(points, own);
      const size = Math.max(...[...scores, ...second].map(Math.abs));
      const columns = (axis) => [scores, second].map((M) => M.filter((_, at) => at % 2 === axis));
      const words = [0, 1].map((axis) => m.linesSay(...columns(axis), size));
      return [words, differ, values[1] / values[0]];
    })"""
    shown = ask(WIDGET, lines, asked=[*narrow, *clouds(20)], own=OWN)
    assert max(share for *_, share in shown[:3]) < 1e-9
    told = {1: "All lines are upright: the scores agree."}
    told[-1] = "All lines cross at zero: the signs disagree."
    for words, differ, _ in shown:
        assert words == [told[sign] for sign in differ]


def test_presets_are_what_their_buttons_say():
    shapes = {name: np.array(X) for name, X in PRESETS.items()}
    nu = {name: np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1] for name, X in shapes.items()}
    assert all(12 <= len(X) <= 20 for X in shapes.values())
    assert 3 < nu["long"][0] / nu["long"][1] < 12
    assert nu["round"][0] == pytest.approx(nu["round"][1], rel=1e-12)
    assert nu["line"][1] < 1e-15
    X = shapes["outlier"]
    far = np.linalg.norm(X - np.median(X, axis=0), axis=1)
    axis = pca(X).axes[:, 0]
    outlier = X[far.argmax()] - X.mean(axis=0)
    assert far.max() > 1.5 * np.sort(far)[-2]
    assert abs(axis @ outlier) > 0.95 * np.linalg.norm(outlier)


def test_clerk_explorer_starts_where_it_is_told():
    widget = clerk_explorer("round")
    assert widget.points == PRESETS["round"]
    assert (widget.chosen, widget.agree) == (15, False)


def test_a_gap_is_told_by_the_power_of_ten_above_it():
    gaps = {0: "10⁻¹²", 3e-11: "10⁻¹⁰", 3e-7: "10⁻⁶", 0.004: "10⁻²", 1.234: "1.23"}
    reasons = """gaps.map((signsAside) => {
      const found = m.bothComputations(points, own);
      return m.dualityVerdict({ ...found, gaps: { ...found.gaps, signsAside } }, false).reason;
    })"""
    found = ask(WIDGET, reasons, gaps=list(gaps), points=PRESETS["outlier"], own=OWN)
    for (gap, words), reason in zip(gaps.items(), found, strict=True):
        less = "less than " if gap < 1 else ""
        assert reason.startswith(f"They are {less}{words} cm apart.")
