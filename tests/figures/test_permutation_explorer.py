"""What chapter 12's explorer shows agrees with the library."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from kmds_figures.explorers import permutation_explorer
from kmds_lib import (
    distance_correlation,
    distance_covariance,
    energy_distance,
    hsic,
    mmd,
    permutation_test,
)
from kmds_lib.kernels import RBF, Power
from tests.figures.under_node import ask

WIDGET = permutation_explorer()
N, DEALS = 30, 999
RNG = np.random.default_rng(12)
HALF = list(range(15, 30))
FEW = [0, 4, 5, 11, 20, 22, 29]
CLOUD = RNG.normal(size=(N, 2)).round(2)
BENT = np.column_stack([CLOUD[:, 0], 0.5 * CLOUD[:, 0] ** 2 + 0.3 * CLOUD[:, 1]]).round(2)
TIED = np.tile([[-3.3, -1.8], [3.3, 1.8]], (N // 2, 1))


def state(asks, kernel, points, second=HALF, **parameters):
    """Return a state as the page holds it."""
    own = {"asks": asks, "kernel": kernel, "points": points, "second": second}
    return {"exponent": 1.0, "theta": 0.5} | own | parameters


STATES = [
    state("samples", "distance", CLOUD),
    state("samples", "distance", BENT, FEW, exponent=0.4),
    state("samples", "distance", TIED),
    state("samples", "RBF", BENT, FEW),
    state("samples", "RBF", WIDGET.presets["wide"], theta=8.0),
    state("pairs", "distance", CLOUD),
    state("pairs", "distance", BENT, exponent=1.6),
    state("pairs", "RBF", BENT, FEW, theta=2.0),
    state("pairs", "RBF", WIDGET.presets["cross"]),
]


def results(source=WIDGET._esm, states=STATES):
    """Return the deals, and what the explorer computes of each state, with its words."""
    shown = """{
      const deals = m.dealsOf(n);
      return [deals, states.map((state) => {
        const found = m.tested(state, deals);
        const bars = Object.values(m.histogram(found)).slice(1);
        const words = m.chanceVerdict(found, state);
        return { ...found, bars, plain: m.plainNumbers(state), words };
      })];
    }"""
    return ask(source, shown, n=N, states=states)


def call_of(one):
    """Return the library's statistic of a state, its arguments, and both sides of the data."""
    X = np.array(one["points"])
    side = np.isin(np.arange(N), one["second"])
    pairs = one["asks"] == "pairs"
    data = (X[:, :1], X[:, 1:]) if pairs else (X[~side], X[side])
    if one["kernel"] == "distance":
        statistic = distance_covariance if pairs else energy_distance
        return statistic, (), {"exponent": one["exponent"]}, data
    return (hsic if pairs else mmd), (RBF(one["theta"]),) * (1 + pairs), {}, data


def dealt_to(one, order):
    """Return both sides of the data for a deal."""
    X, order = np.array(one["points"]), np.array(order)
    if one["asks"] == "pairs":
        return X[:, :1], X[order, 1:]
    taken = np.isin(np.arange(N), order[one["second"]])
    return X[~taken], X[taken]


def tables(one):
    """Return HKH and the matrix A whose trace with it is the statistic."""
    X, side = np.array(one["points"]), np.isin(np.arange(N), one["second"])
    k = RBF(one["theta"]) if one["kernel"] == "RBF" else Power(one["exponent"])
    H = np.eye(N) - 1 / N
    if one["asks"] == "pairs":
        return H @ k(X[:, :1]) @ H, H @ k(X[:, 1:]) @ H / N**2
    c = np.where(side, -1 / side.sum(), 1 / (~side).sum())
    return H @ k(X) @ H, np.outer(c, c)


def compare_one(one, shown, deals):
    """Compare one state with the library, to 1e-9 of the largest value."""
    statistic, arguments, options, data = call_of(one)
    close = {"rtol": 0, "atol": 1e-9 * max(shown["dealt"])}
    assert_allclose(shown["observed"], statistic(*data, *arguments, **options), **close)
    dealt = [statistic(*dealt_to(one, order), *arguments, **options) for order in deals[:40]]
    assert_allclose(shown["dealt"][:40], dealt, **close)
    reached = np.array(shown["dealt"]) >= shown["observed"] - 1e-10 * max(shown["dealt"])
    assert shown["count"] == reached.sum()
    assert shown["p"] == pytest.approx((1 + reached.sum()) / (1 + DEALS), abs=1e-12)
    drawn = permutation_test(
        statistic, *data, *arguments, n_permutations=4999, seed=1, **options
    ).p_value
    error = np.sqrt(drawn * (1 - drawn) * (1 / 999 + 1 / 4999))
    assert abs(shown["p"] - drawn) <= 4 * error + 1e-3
    M, A = tables(one)
    lam, V = np.linalg.eigh(M)
    parts = (lam * np.sum(V * (A @ V), axis=0))[::-1]
    assert_allclose(shown["parts"], parts, **close)
    assert sum(shown["parts"]) == pytest.approx(shown["observed"], abs=close["atol"])
    assert np.sum(shown["bars"], axis=1).tolist() == [DEALS, shown["count"]]


def compare(found):
    """Compare all states with the library, and the deals with the uniform law."""
    deals, states = found
    for one, shown in zip(STATES, states, strict=True):
        compare_one(one, shown, deals)
        X, side = np.array(one["points"]), np.isin(np.arange(N), one["second"])
        step = np.linalg.norm(X[side].mean(axis=0) - X[~side].mean(axis=0))
        r = np.corrcoef(X.T)[0, 1]
        assert_allclose([shown["plain"]["step"], shown["plain"]["r"]], [step, r], atol=1e-12)
        if one["asks"] == "pairs":
            M, A = tables(one)
            L = N**2 * A
            cosine = np.sum(M * L) / np.linalg.norm(M) / np.linalg.norm(L)
            assert shown["cosine"] == pytest.approx(cosine, abs=1e-9)
            if one["kernel"] == "distance":
                known = distance_correlation(X[:, :1], X[:, 1:], exponent=one["exponent"])
                assert shown["cosine"] == pytest.approx(known, abs=1e-9)
    assert len(deals) == DEALS
    assert (np.sort(deals, axis=1) == np.arange(N)).all()
    fell = np.array([np.bincount(place, minlength=N) for place in np.transpose(deals)])
    odd = np.sum((fell - DEALS / N) ** 2) / (DEALS / N)
    low, high = chi2((N - 1) ** 2).ppf([1e-4, 1 - 1e-4])
    assert low < odd < high


def test_the_permutation_explorer_computes_what_the_library_does():
    compare(results())


def test_the_words_follow_the_deals():
    _, states = results()
    for one, shown in zip(STATES, states, strict=True):
        words, count = shown["words"], shown["count"]
        assert "holds" not in words
        odds = "Chance deals this too" if shown["p"] > 0.05 else "Chance seldom deals this"
        assert words["head"] == f"{odds}: p = {1 + count}/1000."
        dealt = "labels" if one["asks"] == "samples" else "partners"
        value = float(re.search(r"([\d.]+): ", words["reason"])[1])
        assert value == pytest.approx(shown["observed"], rel=6e-3)
        assert f"{count or 'none'} of 999 deals of the {dealt} reach it, and" in words["reason"]
    assert any(shown["count"] == 0 for shown in states)


def asked_of_presets(asks, kernel, **parameters):
    """Return plain numbers and p of each preset."""
    names = list(WIDGET.presets)
    states = [state(asks, kernel, WIDGET.presets[name], **parameters) for name in names]
    _, found = results(states=states)
    return {name: (one["plain"], one["p"]) for name, one in zip(names, found, strict=True)}


def test_presets_are_what_their_buttons_say():
    for kernel in ("distance", "RBF"):
        found = asked_of_presets("samples", kernel)
        assert {name for name, (_, p) in found.items() if p <= 0.05} == {"shift", "wide", "cross"}
    squares = asked_of_presets("samples", "distance", exponent=2.0)
    assert {name for name, (_, p) in squares.items() if p <= 0.05} == {"shift"}
    assert squares["shift"][0]["step"] == pytest.approx(1.6, abs=0.01)
    for name in ("wide", "cross"):
        assert squares[name][0]["step"] < 0.005
        assert abs(squares[name][0]["r"]) < 0.01


def test_crossed_lines_are_found_by_the_first_width_and_not_by_the_distance():
    plain, p = asked_of_presets("pairs", "RBF", theta=WIDGET.theta)["cross"]
    assert abs(plain["r"]) < 0.01
    assert p <= 0.05
    _, by_distance = asked_of_presets("pairs", "distance")["cross"]
    assert by_distance > 0.05


def test_a_sample_moves_as_far_as_the_plane_holds_it():
    moves = """[[0.5, -0.2], [9, 9], [-9, 0]].map((step) =>
      m.movedSample({ points, second }, 1, step, [3.39, 1.82]))"""
    before = np.array(WIDGET.presets["wide"])
    small, corner, left = map(np.array, ask(WIDGET, moves, points=before, second=HALF))
    for moved in (small, corner, left):
        assert (moved[:15] == before[:15]).all()
        steps = moved[15:] - before[15:]
        assert_allclose(steps, np.broadcast_to(steps[0], steps.shape), atol=1e-9)
    assert_allclose(small[15] - before[15], [0.5, -0.2], atol=1e-9)
    assert_allclose(corner[15:].max(axis=0), [3.39, 1.82], atol=1e-9)
    assert_allclose(left[15:, 0].min(), -3.39, atol=1e-9)
