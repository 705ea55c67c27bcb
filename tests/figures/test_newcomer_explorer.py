"""What chapter 10's explorer shows agrees with the library, and faults are seen."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kmds_figures.explorers import newcomer_explorer
from kmds_lib import classical_scaling, distances, gram_from_distances, procrustes_align
from tests.figures.test_explorers import run_node

WIDGET = newcomer_explorer()
OLD = np.array(WIDGET.points)
RNG = np.random.default_rng(10)
PLACES = RNG.uniform(-2, 2, (6, 2)).round(2)
HEIGHTS = (0.0, 1.44, 4.0, -0.25, 0.02, 2.0)
TRUE = np.sqrt(np.maximum(0, distances(PLACES, OLD) ** 2 + np.array(HEIGHTS)[:, None]))
ROWS = np.concatenate([TRUE, RNG.uniform(0, 6, (8, len(OLD))).round(2)])


def results(tmp_path, source=WIDGET._esm, rows=ROWS):
    """Return what the explorer computes for rows of distances, with its words."""
    script = f"""
    const map = m.mapOf({OLD.tolist()});
    const from = {PLACES.tolist()}.map((place, i) => m.distancesFrom(map, place, {HEIGHTS}[i]));
    const shown = {rows.tolist()}.map((d) => {{
      const found = m.placed(map, d);
      return {{ ...found, words: m.newcomerVerdict(found) }};
    }});
    console.log(JSON.stringify([from, shown]));
    """.replace(str(HEIGHTS), str(list(HEIGHTS)))
    return run_node(tmp_path, SimpleNamespace(_esm=source), script)


def compare(found):
    """Compare with the library and with NumPy, to 1e-9 of the largest squared distance."""
    from_places, shown = found
    close = {"rtol": 0, "atol": 1e-9 * ROWS.max() ** 2}
    assert_allclose(from_places, TRUE, **close)
    D = distances(OLD)
    B = gram_from_distances(D)
    fit = classical_scaling(D, n_components=2)
    turned = procrustes_align(fit.points, target=OLD)
    H = np.eye(len(OLD)) - 1 / len(OLD)
    for d, one in zip(ROWS, shown, strict=True):
        g = H @ (np.diag(B) - d**2) / 2
        y = fit.transform([d])[0] @ turned.rotation + turned.translation
        square = np.mean(d**2 - np.diag(B))
        assert_allclose(one["g"], g, **close)
        assert_allclose(one["place"], y, **close)
        assert_allclose(one["place"], np.linalg.lstsq(OLD, g, rcond=None)[0], **close)
        assert_allclose(one["terms"], np.linalg.pinv(OLD).T * g[:, None], **close)
        assert_allclose(one["height"], square - y @ y, **close)
        assert_allclose(one["outside"], np.linalg.norm(g - OLD @ y), **close)
        assert_allclose(one["size"], np.linalg.norm(g), **close)
    for place, height, one in zip(PLACES, HEIGHTS, shown, strict=False):
        assert_allclose(one["place"], place, **close)
        assert_allclose(one["height"], height, **close)
        assert one["outside"] < 1e-9


def test_the_newcomer_explorer_computes_what_the_library_does(tmp_path):
    assert distances(PLACES, OLD)[3].min() ** 2 > 0.25
    compare(results(tmp_path))


FAULTS = {
    "no half": (
        "+ square) / 2)",
        "+ square))",
    ),
    "distances are not squared": (
        "b[i] - di * di + square",
        "b[i] - di + square",
    ),
    "the mean is that of the squares": (
        "sumOf(d, (di, i) => di * di - b[i])",
        "sumOf(d, (di) => di * di)",
    ),
    "the height keeps the place": (
        "height: square - sumOf(y, (x) => x * x)",
        "height: square",
    ),
    "terms over the root of lambda": (
        "/ fit.eigenvalues[at % 2]",
        "/ Math.sqrt(fit.eigenvalues[at % 2])",
    ),
    "the map is not turned onto the points": (
        "multiplied(fit.transform(Float64Array.from(d)), 2, turn, 2)",
        "fit.transform(Float64Array.from(d))",
    ),
    "the height is added to distances": (
        "Math.sqrt(Math.max(0, squares[i] + squaredHeight))",
        "Math.sqrt(squares[i]) + squaredHeight",
    ),
    "the first axis alone explains g": (
        "- X[2 * i + 1] * y[1]",
        "",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_newcomer_explorer_is_caught(tmp_path, fault):
    before, after = FAULTS[fault]
    assert WIDGET._esm.count(before) == 1
    with pytest.raises(AssertionError):
        compare(results(tmp_path, WIDGET._esm.replace(before, after)))


def test_the_words_say_which_condition_fails(tmp_path):
    flat = distances([[1.5, -0.9]], OLD)[0]
    wrong = flat + np.eye(5)[0] * 0.8
    rows = np.array([flat, np.sqrt(flat**2 + 1.44), np.sqrt(flat**2 - 0.8), wrong])
    _, shown = results(tmp_path, rows=rows)
    heads = [one["words"]["head"] for one in shown]
    assert heads == [
        "It lands at (1.50, −0.90), on the map.",
        "It lands at (1.50, −0.90) and stands 1.20 above the map.",
        "No point: h² = −0.80.",
        "No point has these distances.",
    ]
    assert [one["words"].get("bad", False) for one in shown] == [False, False, True, True]
    assert "is 0.80 longer than the one given" in shown[2]["words"]["reason"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"points": OLD[:3]}, r"points has shape \(3, 2\); pass 4 to 6 points"),
        ({"points": np.vstack([OLD, OLD])}, r"points has shape \(10, 2\)"),
        ({"points": 2 * OLD}, "lies outside the plane that is drawn"),
        ({"points": np.outer(np.arange(5), [0.3, 0.2])}, "The points lie on a line"),
        ({"new_point": (9, 0)}, "lies outside the plane that is drawn"),
        ({"new_point": (np.nan, 0)}, "finite"),
        ({"squared_height": 5}, "squared_height is 5; give a number from -2 to 4"),
        ({"squared_height": -3}, "squared_height"),
    ],
)
def test_newcomer_explorer_refuses_what_it_cannot_draw(change, why):
    with pytest.raises(ValueError, match=why):
        newcomer_explorer(**change)


def test_the_old_points_have_their_mean_at_the_origin():
    widget = newcomer_explorer(OLD + np.array([0.3, 0.2]), squared_height=-0.5)
    assert_allclose(widget.points, OLD, rtol=0, atol=1e-9)
    assert widget.squared_height == -0.5
    assert json.dumps(widget.new_point) == "[1.5, -0.9]"
