"""The turning line computes what NumPy computes, and says it."""

import numpy as np
import pytest

from kmds_figures.explorers import turn_explorer
from tests.figures.under_node import ask

POINTS = np.random.default_rng(5).normal(size=(30, 2)) @ [[1.1, 0.4], [0.0, 0.5]]
POINTS = (POINTS - POINTS.mean(axis=0)).round(2)
WIDGET = turn_explorer(POINTS, "axes")


def found_at(angle):
    """Return what the browser computes at an angle."""
    return ask(WIDGET, "m.along(points, angle)", points=POINTS, angle=angle)


@pytest.mark.parametrize("angle", [0, 22.8, 90, 135, -60])
def test_sums_and_best_line_agree_with_numpy(angle):
    found = found_at(angle)
    turn = np.radians(angle)
    P = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    C = P @ POINTS.T @ POINTS @ P.T
    np.testing.assert_allclose(
        [found["kept"], found["lost"], found["mixed"]], C[[0, 1, 0], [0, 1, 1]]
    )
    np.testing.assert_allclose(found["scores"], POINTS @ P.T)
    values, vectors = np.linalg.eigh(POINTS.T @ POINTS)
    np.testing.assert_allclose(found["least"], values[0])
    best = np.degrees(np.arctan2(*vectors[::-1, 1])) % 180
    np.testing.assert_allclose(found["best"], best)


def test_words_tell_the_best_line_from_others():
    best = found_at(0)["best"]
    words = """
["axes", "line", "shadow"].map((asks) => [0, 40, 90].map((more) =>
      m.turnSays(asks, m.along(points, best + more), points.length)))"""
    axes, line, shadow = ask(WIDGET, words, points=POINTS, best=best)
    S = POINTS.T @ POINTS / len(POINTS)
    low, high = np.linalg.eigvalsh(S)
    assert axes[0]["head"] == f"Variances {high:.2f} and {low:.2f}, covariance 0.00."
    assert {one["reason"] for one in axes} == {
        f"Trace {high + low:.2f} and determinant {high * low:.2f} at every angle."
    }
    judged = [[one.get("holds") for one in words] for words in (axes, line, shadow)]
    assert judged == [[True, None, True], [True, None, None], [True, None, None]]
    assert line[0]["head"].startswith(f"Kept {30 * high:.2f}, lost {30 * low:.2f}")
    assert shadow[2]["head"] == f"It loses {high / low:.2f} times the least possible."
