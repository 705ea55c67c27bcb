"""What chapter 10's explorer shows agrees with the library."""

import numpy as np
from numpy.testing import assert_allclose

from kmds_figures.explorers import newcomer_explorer
from kmds_lib import classical_scaling, distances, gram_from_distances, procrustes_align
from tests.figures.under_node import ask

WIDGET = newcomer_explorer()
OLD = np.array(WIDGET.points)
RNG = np.random.default_rng(10)
PLACES = RNG.uniform(-2, 2, (6, 2)).round(2)
HEIGHTS = [0.0, 1.44, 4.0, -0.25, 0.02, 2.0]
TRUE = np.sqrt(np.maximum(0, distances(PLACES, OLD) ** 2 + np.array(HEIGHTS)[:, None]))
ROWS = np.concatenate([TRUE, RNG.uniform(0, 6, (8, len(OLD))).round(2)])


def results(source=WIDGET._esm, rows=ROWS):
    """Return what the explorer computes for rows of distances, with its words."""
    placed = """{
      const map = m.mapOf(old);
      return [places.map((place, i) => m.distancesFrom(map, place, heights[i])), rows.map((d) => {
        const found = m.placed(map, d);
        return { ...found, words: m.newcomerVerdict(found) };
      })];
    }"""
    return ask(source, placed, old=OLD, places=PLACES, heights=HEIGHTS, rows=rows)


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


def test_the_newcomer_explorer_computes_what_the_library_does():
    assert distances(PLACES, OLD)[3].min() ** 2 > 0.25
    compare(results())


def test_the_words_say_which_condition_fails():
    flat = distances([[1.5, -0.9]], OLD)[0]
    wrong = flat + np.eye(5)[0] * 0.8
    rows = np.array([flat, np.sqrt(flat**2 + 1.44), np.sqrt(flat**2 - 0.8), wrong])
    _, shown = results(rows=rows)
    heads = [one["words"]["head"] for one in shown]
    assert heads == [
        "It lands at (1.50, −0.90), on the map.",
        "It lands at (1.50, −0.90) and stands 1.20 above the map.",
        "No point: h² = −0.80.",
        "No point has these distances.",
    ]
    assert [one["words"].get("holds") for one in shown] == [True, None, False, False]
    assert "is 0.80 longer than the one given" in shown[2]["words"]["reason"]
