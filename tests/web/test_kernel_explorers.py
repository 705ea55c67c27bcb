"""Compare what the explorers of kernels compute with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import squareform

from kmds_figures.explorers import bandwidth_explorer, kernel_explorer
from kmds_figures.explorers.kernel import _SLIDER_RANGES
from kmds_lib import (
    center_gram,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_pca,
    procrustes_align,
)
from kmds_lib.kernels import RBF, DampedCosine, Exponential, Polynomial, Power
from tests.web.node import decimals_in, evaluate


def test_sliders_have_the_ranges_that_python_accepts():
    expected = [
        [kernel.__name__, [[name, *ends] for name, ends in ranges.items()]]
        for kernel, ranges in _SLIDER_RANGES.items()
    ]
    assert evaluate(kernel_explorer(), "m.sliderRanges()") == expected


@pytest.mark.parametrize("kernel", [RBF(0.5), Exponential(0.3), Polynomial(3)])
def test_kernel_explorer_computes_kernel_pca(kernel):
    X = np.random.default_rng(6).uniform(-2, 2, size=(14, 2)).round(2)
    new = np.array([[1.9, -1.2], [0.3, 0.4]])
    widget = kernel_explorer(X, kernel)
    state = {name: getattr(widget, name) for name in ("points", "groups", "kernel", "show")}
    found = evaluate(widget, "m.kernelPcaOf(state, at)", state=state, at=new)
    fit = kernel_pca(X, kernel, n_components=4)
    close = {"rtol": 0, "atol": 1e-8 * fit.eigenvalues[0]}
    assert_allclose(found["values"], fit.spectrum().eigenvalues, **close)
    for name, expected in (("points", fit.points), ("projected", fit.transform(new))):
        shown = np.reshape(found[name], expected.shape)
        assert_allclose(np.abs(shown), np.abs(expected), **close)
    values, similar = fit.spectrum().eigenvalues, kernel(X, new[:1])[:, 0]
    shares = 100 * values[:2] / np.abs(values).sum()
    nearest = similar[np.argmin(distances(X, new[:1]))]
    head = np.unique([nearest, similar.max()])
    shown = [*head, similar.min(), similar.max(), *kernel(new[:1])[0], *shares]
    assert_allclose(decimals_in(*found["said"]), shown, atol=0.06)


def test_damped_cosine_below_its_bound_is_no_kernel():
    """Test that no negative eigenvalue on a sample is not taken as a proof."""
    judged = "m.definitenessVerdict(m.resultOf(state))"
    found = []
    for alpha, points in ((0.6, "line"), (0.6, "grid"), (2.9, "grid"), (3.0, "grid")):
        widget = kernel_explorer(points, DampedCosine(alpha, 3.0), show="definiteness")
        names = ("points", "kernel", "show")
        state = {name: getattr(widget, name) for name in names}
        verdict = evaluate(widget, judged, state=state)
        found.append(verdict.get("holds"))
        K = DampedCosine(alpha, 3.0).profile(distances(widget.points))
        shown = [np.linalg.eigvalsh(K)[0]] if found[-1] is False else []
        assert_allclose(decimals_in(verdict), shown, atol=6e-4)
    assert found == [None, False, None, True]


def test_separated_groups_are_found():
    scores = [0.1, 0.2, 0.9, 1.0, -1.0, -0.5]
    groupings = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1], [0] * 6]
    separated = "groupings.map((groups) => m.separatedGroups(scores, groups))"
    found = evaluate(kernel_explorer(), separated, groupings=groupings, scores=scores)
    assert found == [[1, 2], [0, 1], [], []]


def test_kernel_explorer_takes_points_and_rounds_them():
    widget = kernel_explorer(np.arange(12.0).reshape(6, 2) / 5, Power(1.5))
    assert widget.points[5] == [2.0, 2.2]
    assert widget.kernel == {"name": "Power", "beta": 1.5}
    assert kernel_explorer(kernel=RBF(10 / 9)).kernel == {"name": "RBF", "theta": 1.11}


@pytest.mark.parametrize("kernel", [RBF, Exponential])
def test_bandwidth_explorer_computes_kernel_mds(kernel):
    widget = bandwidth_explorer(distances(np.random.default_rng(3).normal(size=(20, 4))))
    upper = np.triu_indices(20, 1)
    D = squareform(widget.upper)
    limit = classical_scaling(D if kernel is RBF else np.sqrt(D)).points
    thetas = [1e-4, 0.02, 0.7, 30.0, 1e3]
    maps = f"thetas.map((theta) => m.mapAtWidth(upper, 20, {kernel.__name__!r}, theta))"
    all_found = evaluate(widget, maps, thetas=thetas, upper=widget.upper)
    for theta, found in zip(thetas, all_found, strict=True):
        fit = kernel_mds(D, kernel(theta))
        d = fit.feature_distances[upper]
        values = np.linalg.eigvalsh(center_gram(kernel(theta).profile(D)))[::-1]
        assert_allclose(found["unit"], np.sqrt(np.mean(d**2)), rtol=1e-9)
        assert_allclose(found["ratio"], d.max() / d.min(), rtol=1e-8)
        assert_allclose(found["gamma"], np.cumsum(values) / np.abs(values).sum(), rtol=1e-8)
        if theta < 1:
            aligned = procrustes_align(fit.points, target=limit, scaling=True)
            gap = aligned.residual / np.linalg.norm(limit)
            assert_allclose(found["gap"], gap, rtol=1e-6)


def test_bandwidth_verdict_names_both_limits():
    """Test that differences of up to 1%, between maps or between distances, count as zero."""
    judged = """found.map(([gap, ratio]) => m.bandwidthVerdict(
      { gamma: [0.4, 0.6], gap, ratio }, 9, [0.5, 0.8], { kernel: "RBF", show: "all" }))"""
    found = [[0.009, 5], [0.011, 5], [0.5, 1.011], [0.5, 1.009]]
    verdicts = evaluate("explorers/bandwidth", judged, found=found)
    assert [verdict.get("holds") for verdict in verdicts] == [True, None, None, False]
    assert decimals_in(verdicts[2]) == [1.01, 0.6, 0.8, 2 / (9 - 1)]
    assert verdicts[3]["head"] == "All feature distances are equal, up to 1%."
