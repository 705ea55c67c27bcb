"""The explorers of kernels: what they are given, what they compute, and what they say of it."""

import re

import numpy as np
import pytest

from kmds_figures.explorers import kernel_explorer, width_explorer
from kmds_figures.explorers.kernel import _RANGES
from kmds_lib import (
    center_gram,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_pca,
    procrustes_align,
)
from kmds_lib.kernels import RBF, DampedCosine, Exponential, Linear, Polynomial, Power
from tests.figures.under_node import ask

PRESETS = ("line", "grid", "rings", "moons", "clusters")


def state_of(widget, **changes):
    names = ("points", "groups", "kernel", "component", "centring", "test", "asks")
    return {name: getattr(widget, name) for name in names} | changes


def verdict(widget, **changes):
    words = "m.componentVerdict(m.study(state), state)"
    return ask(widget, words, state=state_of(widget, **changes))


def test_sliders_reach_what_the_factory_takes():
    parameters = """Object.entries(m.FAMILIES).map(([kernel, [, sliders]]) => [kernel,
        sliders.map(({ name, least, most, log }) =>
          [name, ...[least, most].map((v) => (log ? 10 ** v : v))]),
      ])"""
    found = ask(kernel_explorer(), parameters)
    expected = [
        [kernel.__name__, [[name, *ends] for name, ends in ranges.items()]]
        for kernel, ranges in _RANGES.items()
    ]
    assert found == expected


def test_presets_have_points_of_their_own():
    presets = kernel_explorer().presets
    assert tuple(presets) == PRESETS
    for name, preset in presets.items():
        assert kernel_explorer(name).points == preset["points"]
        distinct = np.unique(preset["points"], axis=0)
        assert len(distinct) == len(preset["points"]) == len(preset["groups"])


def test_no_damped_cosine_below_the_bound_is_called_a_kernel():
    """The border in the plane is alpha = omega; a sample without negative ones proves nothing."""
    heads, holds = {}, []
    for alpha, points in ((0.6, "line"), (0.6, "grid"), (2.9, "grid"), (3.0, "grid")):
        widget = kernel_explorer(points, DampedCosine(alpha, 3.0), asks="kernel")
        said = ask(widget, "m.kernelVerdict(m.study(state))", state=state_of(widget))
        heads[alpha, points] = said["head"]
        holds.append(said.get("holds"))
    assert "proves nothing" in heads[0.6, "line"]
    assert heads[0.6, "grid"].startswith("No kernel")
    assert "proves nothing" in heads[2.9, "grid"]
    assert heads[3.0, "grid"].startswith("A kernel")
    assert holds == [None, False, None, True]


def test_groups_are_parted_where_one_threshold_does_it():
    scores = [0.1, 0.2, 0.9, 1.0, -1.0, -0.5]
    all_groups = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1]]
    all_groups += [[0, 0, 1, 0, 0, 0], [0] * 6]
    parted = "all.map((groups) => m.parted(scores, groups))"
    found = ask(kernel_explorer(), parted, all=all_groups, scores=scores)
    assert found == [[1, 2], [0, 1], [], [], []]


def test_nearly_equal_eigenvalues_and_missing_components_are_told():
    words = {}
    for kernel, component in ((RBF(0.1), 1), (RBF(0.1), 3), (Linear(), 3)):
        said = verdict(kernel_explorer("rings", kernel), component=component)
        words[type(kernel).__name__, component] = said["head"] + said["reason"]
    assert "turned axes" in words["RBF", 1]
    assert "turned axes" not in words["RBF", 3]
    assert "no component 3" in words["Linear", 3]


def test_the_component_that_parts_the_rings_changes_with_the_width():
    for theta, expected in ((0.1, 3), (0.282, 1)):
        widget = kernel_explorer("rings", RBF(theta))
        fit = kernel_pca(widget.points, RBF(theta), n_components=4)
        shares = 100 * fit.eigenvalues / fit.squared_radii.sum()
        for component, share in enumerate(shares, 1):
            said = verdict(widget, component=component)
            assert said["head"] == f"Component {component} holds {share:.1f} % of the variance."
            parts = "parts the circles from the squares" in said["reason"]
            assert parts == (component == expected)


@pytest.mark.parametrize(
    ("centring", "component", "words"),
    [
        ("fit", 3, r"x is put at a wrong place\..* is moved by c = −?0\.434 here"),
        ("fit", 1, r"On component 1 nobody notices: c = 0\.000"),
        ("none", 1, "All 32 scores have one sign"),
    ],
)
def test_forgetting_to_centre_is_told(centring, component, words):
    widget = kernel_explorer("rings", RBF(0.1))
    said = verdict(widget, centring=centring, component=component)
    assert re.search(words, f"{said['head']} {said['reason']}")


def test_contours_hold_what_lies_above_their_level():
    """A region and its complement fill the plane; a level that is not reached has no region."""
    call = """[0.3, 0.7, 1.5].map((level) => {
        const [columns, rows] = [35, 32];
        const wave = (_, i) => Math.sin(i % columns / 5) * Math.cos(i / columns / 4);
        const f = Array.from({ length: columns * rows }, wave);
        const area = (path) => path.split("z").filter(Boolean).reduce((sum, part) => {
          const run = part.match(/^M([-\\d.]+) ([-\\d.]+)v10h-?([\\d.]+)v-10$/);
          if (run) return sum + 10 * Number(run[3]);
          const p = part.slice(1).split("L").map((at) => at.split(" ").map(Number));
          return sum + Math.abs(p.reduce((s, [x, y], i) => {
            const [u, v] = p[(i + 1) % p.length];
            return s + (x * v - u * y) / 2;
          }, 0));
        }, 0);
        const over = m.contour(f, { columns, rows }, level, false).area;
        const under = m.contour(f.map((v) => -v), { columns, rows }, -level, false).area;
        return [area(over), area(over) + area(under)];
      })"""
    found = ask(kernel_explorer(), call)
    assert found[0][0] > found[1][0] > found[2][0] == 0
    np.testing.assert_allclose([whole for _, whole in found], 340 * 310, rtol=2e-3)


def test_a_line_through_a_saddle_parts_the_same_corners_as_its_region():
    """Two corners of a cell lie above: each line cuts off one of the other two."""
    corners = [(-170, -155), (-160, -155), (-170, -145), (-160, -145)]
    for f in ([0, 1, 1, 0], [1, 0, 0, 1]):
        call = "m.contour(f, { columns: 2, rows: 2 }, 0.5, false).edge"
        lines = ask(kernel_explorer(), call, f=f).strip("M").split("M")
        middles = [
            np.mean([np.fromstring(p, sep=" ") for p in line.split("L")], 0) for line in lines
        ]
        off = [
            min(corners, key=lambda at, m=m: abs(at[0] - m[0]) + abs(at[1] - m[1]))
            for m in middles
        ]
        assert sorted(off) == sorted(at for at, v in zip(corners, f, strict=True) if v == 0)


def test_only_a_kernel_of_the_distance_says_that_it_adds_up_likenesses():
    found = {}
    for kernel in (RBF(0.5), Linear(), Polynomial(3)):
        points = 2 + 0.4 * np.indices((3, 2)).reshape(2, -1).T
        words = verdict(kernel_explorer(points, kernel), centring="none")
        assert words["head"] == "All 6 scores have one sign."
        found[type(kernel).__name__] = "likenesses to the data" in words["reason"]
    assert found == {"RBF": True, "Linear": False, "Polynomial": False}


def test_rounding_makes_no_eigenvalue_of_a_kernel_negative():
    """A kernel is 1 on points that lie near: centring leaves little more than its rounding."""
    points = 1 + np.random.default_rng(0).uniform(0, 0.08, size=(50, 2))
    kernels = [
        {"name": name, "theta": theta} for name in ("RBF", "Exponential") for theta in (0.01, 0.1)
    ]
    kernels.append({"name": "Polynomial", "degree": 6, "offset": 3})
    widget = kernel_explorer(points)
    states = [state_of(widget, kernel=kernel) for kernel in kernels]
    call = "states.map((state) => m.spectrumWords(m.study(state)))"
    for words in ask(widget, call, states=states):
        assert " 0 negative" in words


def test_a_share_of_an_indefinite_spectrum_is_none_of_variance():
    wave = DampedCosine(0.6, 3.0)
    widget = kernel_explorer("grid", RBF(0.5))
    assert verdict(widget)["head"].endswith("% of the variance.")
    with pytest.warns(UserWarning, match="positive"):
        K = wave(widget.points)
    values = np.linalg.eigvalsh(center_gram(K))
    share = 100 * values[-1] / np.abs(values).sum()
    assert values.sum() < 0.97 * np.abs(values).sum()
    assert verdict(kernel_explorer("grid", wave))["head"] == (
        f"Component 1 holds {share:.1f} % of the spectrum, of which a part is negative."
    )


def test_kernel_explorer_takes_points_of_ones_own():
    widget = kernel_explorer(np.arange(12.0).reshape(6, 2) / 5, Power(1.5))
    assert widget.points[5] == [2.0, 2.2]
    assert widget.groups == [0] * 6
    assert kernel_explorer(widget.points, groups=[0, 0, 1, 1, 2, 2]).groups == [0, 0, 1, 1, 2, 2]
    assert widget.kernel == {"name": "Power", "beta": 1.5}
    assert kernel_explorer(kernel=RBF(10 / 9)).kernel == {"name": "RBF", "theta": 1.11}


def cloud(n=20):
    X = np.random.default_rng(3).normal(size=(n, 4))
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


@pytest.mark.parametrize("kernel", [RBF, Exponential])
def test_width_explorer_computes_what_the_library_does(kernel):
    widget = width_explorer(cloud())
    D = np.zeros((20, 20))
    D[np.triu_indices(20, 1)] = widget.upper
    D = D + D.T
    limit = classical_scaling(D if kernel is RBF else np.sqrt(D)).points
    thetas = [1e-4, 0.02, 0.7, 30.0, 1e3]
    call = """thetas.map((theta) => {
        const [n, D] = [20, m.fromPairs(upper, 20)];
        const wide = m.wideLimit(D, n, kernel);
        const { unit, gap, ratio, gamma } = m.atWidth({ D, n, wide }, kernel, theta);
        return [unit, gap, ratio, ...gamma];
      })"""
    all_found = ask(widget, call, thetas=thetas, upper=widget.upper, kernel=kernel.__name__)
    for theta, found in zip(thetas, all_found, strict=True):
        fit = kernel_mds(D, kernel(theta))
        far = fit.feature_distances[np.triu_indices(20, 1)]
        values = np.linalg.eigvalsh(center_gram(kernel(theta).profile(D)))[::-1]
        gammas = np.cumsum(values) / np.abs(values).sum()
        np.testing.assert_allclose(found[0], np.sqrt(np.mean(far**2)), rtol=1e-9)
        np.testing.assert_allclose(found[2:], [far.max() / far.min(), *gammas], rtol=1e-8)
        if theta < 1:
            aligned = procrustes_align(fit.points, target=limit, scaling=True)
            gap = aligned.residual / np.linalg.norm(limit)
            np.testing.assert_allclose(found[1], gap, rtol=1e-6)


def test_width_explorer_rounds_to_six_digits():
    widget = width_explorer(1234.5678 * (1 - np.eye(6)), range(6) % np.int64(3))
    assert widget.upper == [1234.57] * 15
    assert widget.groups == [0, 1, 2, 0, 1, 2]


def test_no_object_lies_outside_the_drawing():
    """One object far from all others: its place on the map grows with their number."""
    X = np.random.default_rng(4).normal(size=(40, 3))
    X[0] += 90
    D = distances(X)
    fit = kernel_mds(D, RBF(1e-4))
    unit = np.sqrt(np.mean(fit.feature_distances[np.triu_indices(40, 1)] ** 2))
    call = "[1, 0.01].map((part) => m.pixelsFor(Y.map((y) => y.map((x) => part * x)), unit))"
    pixels, near = ask(width_explorer(D), call, Y=fit.points, unit=unit)
    reach = pixels / unit * np.abs(fit.points).max(axis=0)
    assert pixels < 100
    assert max(reach / [162, 122]) == pytest.approx(1)
    assert near == 150
