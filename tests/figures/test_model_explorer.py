"""What chapter 13's explorer shows agrees with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kmds_figures.explorers import model_explorer
from kmds_lib import gaussian_log_likelihood, pca, probabilistic_pca
from tests.figures.under_node import ask

RNG = np.random.default_rng(13)
N, P = 42, 6
X = RNG.normal(size=(N, 3)) @ RNG.normal(size=(3, P)) + 0.5 * RNG.normal(size=(N, P))
X = X * [1, 10, 0.1, 3, 1, 1] + [0, 5, 0, 0, -2, 1]
GROUPS = np.arange(N) % 3
WIDGET = model_explorer(X, GROUPS, noun="leaf")
NAMES = ("variances", "folds", "scores", "groups")
DATA = {name: getattr(WIDGET, name) for name in NAMES}
Z = (X - X.mean(axis=0)) / X.std(axis=0)
NOISES = (0.01, 0.05, 0.3, 1.2, 10.0)
SETTINGS = [(k, noise) for k in range(P) for noise in NOISES]
FOLDS = np.array_split(np.random.default_rng(0).permutation(N), 5)


def results(source=WIDGET._esm):
    """Return what the explorer computes at each setting, and the likeliest for those not seen."""
    shown = """{
      const top = m.bestUnseen(data);
      const own = data.variances.map((_, k) => [k, m.bestNoise(data.variances, k)]);
      return [top, [...settings, ...own, [top.k, top.noise]].map(([k, noise]) => {
        const found = m.atSetting(data, k, noise);
        const words = m.modelVerdict(found, top, "leaf");
        return { ...found, words, advice: m.unseenSays(found, top, "leaf") };
      })];
    }"""
    return ask(source, shown, data=DATA, settings=SETTINGS)


def fitted(table, k, noise):
    """Return the model covariance of greatest likelihood for a table and a given noise."""
    fit = pca(table, n_components=P)
    excess = np.where(np.arange(P) < k, np.maximum(fit.variances - noise, 0), 0)
    return (fit.axes * excess) @ fit.axes.T + noise * np.eye(P)


def unseen(k, noise):
    """Return the mean log-likelihood of the objects that each fold leaves out."""
    total = 0.0
    for part in FOLDS:
        rest = np.delete(X, part, axis=0)
        mean, unit = rest.mean(axis=0), rest.std(axis=0)
        C = fitted((rest - mean) / unit, k, noise)
        total += gaussian_log_likelihood((X[part] - mean) / unit, np.zeros(P), C)
    return total / N


def compare_one(shown):
    """Compare one setting with the library, to 1e-6, for the page holds eight digits."""
    k, noise = shown["k"], shown["noise"]
    close = {"rtol": 1e-6, "atol": 1e-6}
    C = fitted(Z, k, noise)
    assert_allclose(shown["spectrum"], np.linalg.eigvalsh(C)[::-1], **close)
    assert_allclose(shown["height"], gaussian_log_likelihood(Z, np.zeros(P), C) / N, **close)
    assert_allclose(shown["unseen"], unseen(k, noise), **close)
    signal = np.trace(C - noise * np.eye(P)) / P
    assert_allclose(shown["signal"], signal, **close)
    # Posterior means of W z, axis by axis: the scores, times what is left of each.
    posterior = (C - noise * np.eye(P)) @ np.linalg.solve(C, Z.T)
    fit = pca(Z, n_components=P)
    left = (posterior.T @ fit.axes) / fit.points
    assert_allclose(np.broadcast_to(shown["kept"], left.shape), left, atol=1e-6, rtol=0)


def compare(found):
    """Compare all settings with the library, and the likeliest noise with that of its model."""
    top, shown = found
    for one in shown:
        compare_one(one)
    for k in range(1, P):
        model, one = probabilistic_pca(Z, n_components=k), shown[len(SETTINGS) + k]
        close = {"rtol": 1e-6, "atol": 1e-6}
        assert_allclose(one["noise"], model.noise_variance, **close)
        assert_allclose(one["best"], model.noise_variance, **close)
        assert_allclose([one["height"], one["highest"]], model.log_likelihood() / N, **close)
        scores = pca(Z, n_components=k)
        hidden = scores.points / np.sqrt(scores.variances) * np.sqrt(one["kept"][:k])
        assert_allclose(hidden, model.points, **close)
    grid = np.logspace(-2, 1, 121)
    heights = np.array([[unseen(k, noise) for noise in grid] for k in range(P)])
    k, at = np.unravel_index(heights.argmax(), heights.shape)
    assert top["k"] == k
    assert top["noise"] == pytest.approx(grid[at], rel=6e-3)
    assert top["height"] == pytest.approx(heights.max(), abs=1e-6)


def test_the_model_explorer_computes_what_the_library_does():
    variances = pca(Z, n_components=P).variances
    assert NOISES[0] < variances[-1] < variances[0] < NOISES[-1]
    compare(results())


def test_the_words_follow_the_noise():
    top, (*shown, at_best) = results()
    for one in shown:
        words, k = one["words"], one["k"]
        nats = f"{one['height']:.2f} nats for each leaf, {one['unseen']:.2f} for one not seen; "
        assert words["reason"].startswith(nats.replace("-", "−"))
        below = one["highest"] - one["height"]
        assert words["holds"] == (below < 0.005)
        if below < 0.005:
            assert words["head"] == f"The most likely noise for k = {k}."
            continue
        places = np.count_nonzero(one["kept"])
        gone = k > 0 and places == 0
        side = "All is noise, the map one point" if gone else "Too much noise"
        side = "Too little noise" if one["noise"] < one["best"] else side
        assert words["head"] == f"{side}: {below:.2f} nats below the best for k = {k}."
        if 0 < places < k:
            assert f"only {places} of {k} axes left" in words["reason"]
    said = [one["advice"] for one in shown]
    assert at_best["advice"] == "No setting is better for leafs not seen."
    assert all(f"k = {top['k']}, σ² = {top['noise']:g}" in text for text in said)
    assert any(one["words"]["reason"].endswith("none of 1 axis left.") for one in shown)


def test_units_of_columns_do_not_matter():
    other = model_explorer(X * [1000, 1, 1, 0.001, 7, 7] - 3, GROUPS)
    assert_allclose(other.variances, WIDGET.variances, rtol=1e-6)
    for one, two in zip(other.folds, WIDGET.folds, strict=True):
        assert_allclose(one["moments"], two["moments"], rtol=1e-6)
    assert (WIDGET.n_components, WIDGET.noise, WIDGET.space) == (2, 0.1, "places")
