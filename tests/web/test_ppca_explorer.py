"""Compare chapter 13's explorer with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kmds_figures.explorers import ppca_explorer
from kmds_lib import gaussian_log_likelihood, pca, probabilistic_pca
from tests.web.node import decimals_in, evaluate

RNG = np.random.default_rng(13)
N, P = 42, 6
X = RNG.normal(size=(N, 3)) @ RNG.normal(size=(3, P)) + 0.5 * RNG.normal(size=(N, P))
X = X * [1, 10, 0.1, 3, 1, 1] + [0, 5, 0, 0, -2, 1]
GROUPS = np.arange(N) % 3
Z = (X - X.mean(axis=0)) / X.std(axis=0)
FOLDS = np.array_split(np.random.default_rng(0).permutation(N), 5)
CLOSE = {"rtol": 1e-6, "atol": 1e-6}  # the widget's inputs are rounded to eight digits


def model_covariance(table, k, noise):
    """Return the covariance of the most likely model with k axes and a given noise variance."""
    fit = pca(table, n_components=P)
    signal = np.where(np.arange(P) < k, np.maximum(fit.variances - noise, 0), 0)
    return (fit.axes * signal) @ fit.axes.T + noise * np.eye(P)


def held_out_likelihood(k, noise):
    """Return the mean log-likelihood of the objects, each under the model of the other folds."""
    total = 0.0
    for part in FOLDS:
        rest = np.delete(X, part, axis=0)
        mean, unit = rest.mean(axis=0), rest.std(axis=0)
        C = model_covariance((rest - mean) / unit, k, noise)
        total += gaussian_log_likelihood((X[part] - mean) / unit, np.zeros(P), C)
    return total / N


def compare_setting(found):
    """Compare one setting of k and the noise variance with the library."""
    k, noise = found["k"], found["noise"]
    C = model_covariance(Z, k, noise)
    likelihood = gaussian_log_likelihood(Z, np.zeros(P), C) / N
    assert_allclose(found["spectrum"], np.linalg.eigvalsh(C)[::-1], **CLOSE)
    assert_allclose(found["logLikelihood"], likelihood, **CLOSE)
    assert_allclose(found["heldOut"], held_out_likelihood(k, noise), **CLOSE)
    assert_allclose(found["explained"], np.trace(C - noise * np.eye(P)) / P, **CLOSE)
    below = found["maxLogLikelihood"] - likelihood
    shown = [below, likelihood, held_out_likelihood(k, noise)]
    printed = decimals_in(found["said"])
    assert_allclose(printed, shown[-len(printed) :], atol=0.006)
    posterior_means = (C - noise * np.eye(P)) @ np.linalg.solve(C, Z.T)
    fit = pca(Z, n_components=P)
    shrinkage = (posterior_means.T @ fit.axes) / fit.points
    assert_allclose(shrinkage - found["shrinkage"], 0, atol=1e-6)


def test_ppca_explorer_computes_what_the_library_does():
    widget = ppca_explorer(X, GROUPS, object_name="leaf")
    data = {name: getattr(widget, name) for name in ("variances", "folds", "scores", "groups")}
    settings = [(k, noise) for k in range(P) for noise in (0.01, 0.3, 10.0)]
    results = evaluate(widget, "m.ppcaResults(data, settings)", data=data, settings=settings)
    top, at_settings, at_best = results
    for found in [*at_settings, *at_best]:
        compare_setting(found)
    for found in at_best:
        model = probabilistic_pca(Z, n_components=found["k"])
        assert_allclose([found["noise"], found["estimate"]], model.noise_variance, **CLOSE)
        maxima = [found["logLikelihood"], found["maxLogLikelihood"]]
        assert_allclose(maxima, model.log_likelihood() / N, **CLOSE)
        scores = pca(Z, n_components=found["k"])
        latent = scores.points * np.sqrt(found["shrinkage"][: found["k"]] / scores.variances)
        assert_allclose(latent, model.points, **CLOSE)
    noises = np.logspace(-2, 1, 121)
    noise = noises[np.abs(noises - top["noise"]).argmin()]
    assert top["noise"] == pytest.approx(noise, rel=6e-3)
    assert top["value"] == pytest.approx(held_out_likelihood(top["k"], noise), abs=1e-6)
    others = [held_out_likelihood(k, noise) for k in range(P) for noise in noises[::24]]
    assert top["value"] > max(others) - 1e-6
