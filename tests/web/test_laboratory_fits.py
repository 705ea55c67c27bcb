"""The laboratory fits maps as the library does."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import pdist, squareform

from kmds_figures.laboratory import laboratory
from kmds_lib import (
    RBF,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_pca,
    kruskal_stress,
    landmark_scaling,
    leave_one_out,
    load_eurodist,
    smacof,
)
from tests.lib.conftest import EQUAL_GROUPS
from tests.web.laboratory_helpers import csv_text, relative_gap, run_laboratory, run_python

RNG = np.random.default_rng(8)
CLOUD = RNG.normal(size=(11, 3)).round(3)
RANDOM = np.triu(RNG.uniform(1, 9, size=(9, 9)).round(2), 1)
RANDOM = RANDOM + RANDOM.T
LINE = np.abs(np.subtract.outer(np.arange(7.0), np.arange(7.0)))
EXTREME = {
    "points": csv_text(CLOUD),
    "repeated points": csv_text(np.vstack([CLOUD, CLOUD[:4]])),
    "huge": csv_text(1e50 * CLOUD),
    "tiny": csv_text(1e-50 * CLOUD),
    "one column": "x\n" + "\n".join(map(str, [1, 2, 4, 9, 7, 3.5, 8])),
    "equal points": csv_text(np.ones((5, 2))),
    "random": csv_text(RANDOM),
    "line": csv_text(LINE),
    "zeros": csv_text(np.zeros((5, 5))),
    "two": "0 3\n3 0",
    "equilateral": "0 1 1\n1 0 1\n1 1 0",
    "asymmetric by rounding": "0 1 2\n1.000000001 0 1.5\n2 1.5 0",
    "gram": csv_text(CLOUD @ CLOUD.T),
    "indefinite gram": "1 3 0\n3 1 0\n0 0 1",
    **{sample["name"]: sample["text"] for sample in laboratory().samples[:3]},
}
OPTIONS = {
    "classical": [{}, {"additive": "lingoes"}, {"additive": "cailliez"}],
    "stress": [{}],
    "pca": [{}, {"metric": "standardised"}],
    "kmds": [{"kernel": "RBF"}, {"kernel": "Exponential"}, {"kernel": "Power", "parameter": 1.5}],
    "kpca": [{"kernel": "RBF"}, {"kernel": "Polynomial", "parameter": 3}],
}
EXPECTED_ERRORS = r"All dissimilarities are 0|The kernel matrix (over|under)flows|K gives no"
UNREADABLE = re.compile(r"e[-+\u2212]\d|NaN|undefined|\binf|null")


@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
def test_extreme_tables_are_fitted_as_by_the_library(tmp_path):
    fits = "Object.entries(texts).flatMap(([name, text]) => m.fitAll(name, text, options))"
    for found in run_laboratory(fits, texts=EXTREME, options=OPTIONS):
        case = f"{found['name']}: {found['asked']}"
        if "error" in found:
            assert re.search(EXPECTED_ERRORS, found["error"]), case
            continue
        assert not UNREADABLE.search(found["words"]), (case, found["words"])
        fit = run_python(tmp_path, found["csv"], found["python"])["fit"]
        if found["asked"]["method"] == "stress":
            compare_stress(case, found, fit)
        else:
            compare_spectral_fit(case, found, fit)


def compare_stress(case, found, fit):
    """Compare a map of minimum stress with that of the library."""
    points = np.reshape(found["points"], (found["n"], -1))
    target = np.reshape(found["target"], (found["n"], -1))
    assert kruskal_stress(points, target) == pytest.approx(found["stress"], abs=1e-9), case
    assert found["stress"] == pytest.approx(fit.stress, abs=1e-3), case
    assert relative_gap(points, fit.points) < 2e-2, case


def compare_spectral_fit(case, found, fit):
    """Compare the spectrum, the goodness of fit, the map and its saved points with a fit."""
    points, k = np.reshape(found["points"], (found["n"], -1)), fit.points.shape[1]
    assert found["axesUsed"] == k, case
    assert found["goodness"][0] == pytest.approx(fit.explained, abs=2e-6), case
    assert found["negativeMass"] == pytest.approx(fit.negative_mass, abs=1e-6), case
    assert not points[:, k:].any(), case
    _, *rows = (line.split(",") for line in found["saved"].splitlines())
    saved = np.array(rows)[:, 1:].astype(float)
    np.testing.assert_array_equal(saved, points[:, : max(1, k)], err_msg=case)
    values = fit.spectrum().eigenvalues
    spectrum = found["spectrum"][: len(values)]
    assert_allclose(spectrum, values, rtol=0, atol=1e-8 * np.abs(values).max(), err_msg=case)
    if k and (np.abs(np.diff(values[: k + 1])) > 1e-6 * values[0]).all():
        gap = np.abs(points[:, :k] - fit.points).max()
        assert gap < 1e-8 * np.abs(fit.points).max(), case


def test_small_negative_eigenvalues_are_no_alarm():
    judged = "texts.map((text) => m.verdictOf(m.fitted(m.readTable(text)), m.link).holds ?? null)"
    texts = [laboratory().samples[0]["text"], "0 9 1\n9 0 1\n1 1 0"]  # the roads; no triangle
    assert run_laboratory(judged, texts=texts) == [None, False]


def test_no_exact_map_is_excluded_for_an_order_or_known_pairs():
    roads = laboratory().samples[0]["text"]
    D = load_eurodist().distances.copy()
    D[0, 1] = D[1, 0] = np.nan
    holes = csv_text(D).replace("nan", "NA")
    tables = [(roads, "identity"), (roads, "ordinal"), (holes, "")]
    excluded = run_laboratory("tables.map((each) => m.isExcluded(...each))", tables=tables)
    assert excluded == [True, False, False]


METRICS = ["cityblock", "correlation", "cosine", "braycurtis", "jaccard", "gower"]


def test_dissimilarities_equal_scipy(tmp_path):
    rng = np.random.default_rng(6)
    X = rng.poisson(0.9, (8, 4)) + np.eye(8, 4)[::-1] + np.eye(8, 4)
    kinds = list("xxyyxyxy")
    text = "name,a,b,c,d,kind\n" + "\n".join(
        f"r{i},{','.join(map(str, row))},{kinds[i]}" for i, row in enumerate(X)
    )
    fits = "metrics.map((metric) => m.withFiles(m.readTable(text), { method: 'pca', metric }))"
    all_found = run_laboratory(fits, text=text, metrics=METRICS)
    for metric, found in zip(METRICS, all_found, strict=True):
        if metric == "gower":
            gaps = [*(np.abs(np.subtract.outer(x, x)) / np.ptp(x) for x in X.T)]
            D = np.mean([*gaps, np.not_equal.outer(kinds, kinds)], axis=0)
        else:
            D = squareform(pdist(X != 0 if metric == "jaccard" else X, metric))
        assert_allclose(np.reshape(found["delta"], (8, 8)), D, atol=1e-12)
        fit = run_python(tmp_path, found["csv"], found["python"])["fit"]
        assert fit.explained == pytest.approx(found["goodness"][0], abs=2e-6)


def test_missing_dissimilarities_have_weight_zero(tmp_path):
    rng = np.random.default_rng(4)
    D = distances(rng.normal(size=(9, 2))) * rng.uniform(0.9, 1.1, (9, 9))
    D = (D + D.T).round(3)
    for i, j in [(0, 4), (2, 7), (3, 8)]:
        D[i, j] = D[j, i] = np.nan
    D[5, 6] = np.nan  # D[6, 5] takes its place
    found = run_laboratory("m.fitWithMissing(text)", text=csv_text(D).replace("nan", "NA"))
    assert (found["choices"]["method"], found["fault"]) == ("stress", None)
    D[5, 6] = D[6, 5]
    expected = smacof(D, n_components=2, weights=~np.isnan(D), tol=1e-9)
    assert found["stress"] == pytest.approx(expected.stress, abs=1e-4)
    assert relative_gap(found["points"], expected.points) < 1e-2
    fit = run_python(tmp_path, found["csv"], found["python"])["fit"]
    assert fit.stress == pytest.approx(found["stress"], abs=1e-4)


# Without the condition on the curvature, the descent of the second one ends at a larger stress.
DESCENTS = [load_eurodist().distances, squareform([8, 9, 8, 1, 7, 9, 8, 4, 1, 9, 9, 4, 3, 6, 4])]


@pytest.mark.parametrize("D", [squareform([1, 4, 7, 3, 6, 3]), EQUAL_GROUPS, 1 - np.eye(6)])
def test_stress_leaves_saddles(D):
    found = run_laboratory("m.descend(D, 'identity')", D=D)
    assert found["stress"] < smacof(D, tol=1e-6).stress + 1e-4


@pytest.mark.parametrize("D", DESCENTS)
def test_stress_descends_to_the_minimum_of_smacof(D):
    transforms = ["identity", "ordinal"]
    descents = "transforms.map((transform) => m.descend(table, transform))"
    all_found = run_laboratory(descents, table=D, transforms=transforms)
    for transform, found in zip(transforms, all_found, strict=True):
        expected = smacof(D, n_components=2, transform=transform, tol=1e-6)
        assert found["converged"]
        assert found["stress"] == pytest.approx(expected.stress, abs=1e-4)
        assert relative_gap(found["points"], expected.points) < 5e-3
    losses = all_found[0]["losses"]
    assert (np.diff(losses) <= 1e-9 * losses[0]).all()


def test_landmarks_place_more_than_500_objects(tmp_path):
    X = np.random.default_rng(3).normal(size=(510, 3)).round(3) * [3, 2, 1]
    asked = {"method": "stress", "additive": "lingoes"}
    found = run_laboratory("m.withFiles(m.readTable(text), asked)", text=csv_text(X), asked=asked)
    assert (found["choices"]["method"], found["choices"]["additive"]) == ("classical", "")
    fit = run_python(tmp_path, found["csv"], found["python"])["fit"]
    assert len(set(fit.landmarks.tolist())) == 200
    assert np.bincount(fit.landmarks % 10, minlength=10).min() > 10
    assert np.histogram(fit.landmarks, bins=8, range=(0, 510))[0].min() > 10
    again = landmark_scaling(X, 2, landmarks=fit.landmarks)
    assert_allclose(np.reshape(found["points"], (-1, 2)), again.points, atol=1e-8)
    assert found["goodness"][0] == pytest.approx(fit.explained, abs=2e-6)


ADDED = {"additive": "lingoes"}
LEAVE_ONE_OUT = [
    (CLOUD, {"method": "kpca", "parameter": 0.3}, partial(kernel_pca, kernel=RBF(0.3)), 1e-7),
    (RANDOM, {"method": "classical"} | ADDED, partial(classical_scaling, **ADDED), 1e-7),
    (RANDOM, {"method": "kmds", "parameter": 0.02}, partial(kernel_mds, kernel=RBF(0.02)), 1e-7),
    (LINE, {"method": "classical"}, classical_scaling, 1e-7),
    (RANDOM, {"method": "stress"}, partial(smacof, tol=1e-7), 1e-3),
]


@pytest.mark.parametrize(("table", "asked", "fit", "within"), LEAVE_ONE_OUT)
@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
def test_leave_one_out_matches_the_library(table, asked, fit, within):
    kind = "points" if table is CLOUD else "dissimilarities"
    parsed, asked = {"kind": kind, "table": table}, asked | {"dimensions": 3}
    found = run_laboratory("m.leaveOneOut(parsed, asked)", parsed=parsed, asked=asked)
    stress, metric = asked["method"] == "stress", {"points": "euclidean"}.get(kind, "precomputed")
    fit = partial(fit, n_components=3)
    expected = leave_one_out(table, fit, metric=metric, start_from_map=stress)
    assert_allclose(found["moves"], expected.moves, rtol=0, atol=within)
    assert_allclose(found["influence"], expected.influence, rtol=0, atol=within)
    n, k = expected.points.shape
    clouds = np.array(found["clouds"], dtype=float).reshape(n, n, -1)
    assert not np.nan_to_num(clouds[:, :, k:]).any()
    if not stress:  # the map of minimum stress is determined up to a rotation
        atol = 10 * within * np.abs(table).max()
        assert_allclose(clouds[:, :, :k], expected.clouds, rtol=0, atol=atol)


def explained_fractions(D):
    values = classical_scaling(D, n_components=1).spectrum().eigenvalues
    return (values.cumsum() / np.abs(values).sum())[:6]


def test_explained_fractions_are_compared_with_permutations():
    roads, lower = load_eurodist().distances, np.tril_indices(21, -1)
    parsed = {"kind": "dissimilarities", "table": roads}
    found = run_laboratory("m.permute(parsed)", parsed=parsed)
    assert_allclose(found["observed"], explained_fractions(roads), atol=1e-8)
    assert len(found["tables"]) == 20
    for table, curve in zip(np.array(found["tables"]), found["permuted"], strict=True):
        np.testing.assert_array_equal(table, table.T)
        np.testing.assert_array_equal(np.sort(table[lower]), np.sort(roads[lower]))
        assert (table != roads).mean() > 0.8
        assert_allclose(curve, explained_fractions(table), atol=1e-8)


def test_smaller_stress_and_larger_explained_fractions_are_better():
    words = """[true, false].map((byStress) => [0.2, 0.5, 0.8].map((x) =>
      m.chanceWords({ observed: [0.5, x], byStress, permuted: [[0.5, 0.4], [0.5, 0.6]] }, 2)))"""
    same = "no better than by chance."
    verdicts = [[said.rsplit(": ")[-1] for said in curve] for curve in run_laboratory(words)]
    assert verdicts[0] == ["smaller than in all of them.", same, same]
    assert verdicts[1] == [same, same, "larger than in all of them."]


def test_signs_of_errors_are_said():
    """A map of a box loses its height of 2; a centre cannot be at distance 1 of three objects."""
    box = distances(np.array([[0, 0, 2], [10, 0, 0], [10, 5, 2], [0, 5, 0]]))
    star = np.array([[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0]])
    of_box, of_star = run_laboratory("tables.map(m.errorWords)", tables=[box, star])
    assert all(" drawn 0.39 km too close" in said for said in of_box)  # sqrt(29) - 5
    assert all(" drawn 0.15 km too far apart" in said for said in of_star)  # 2/sqrt(3) - 1


def test_bandwidth_starts_at_the_median_rule():
    D = load_eurodist().distances
    widths = """["RBF", "Exponential"].map((kernel) =>
      m.fitted(roads, { method: "kmds", kernel }).choices.parameter)"""
    found = run_laboratory(widths, roads={"kind": "dissimilarities", "table": D})
    median = np.median(D[np.triu_indices(len(D), 1)])
    assert_allclose(found * median ** np.array([2, 1]), 0.5, rtol=1e-3)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_arrows_are_regressions_on_the_map(k):
    rng = np.random.default_rng(k)
    Y = rng.normal(size=(30, k)) * [5, 1, 0.1][:k] + 7
    X = Y @ rng.normal(size=(k, 10)) + rng.normal(size=(30, 10)) * np.arange(10) + 100
    X[:, 9] = 4.5
    arrows = "X[0].map((_, c) => m.propertyVector(m.fromRows(Y), k, X.map((row) => row[c])))"
    found = run_laboratory(arrows, Y=Y, X=X, k=k)
    A = np.column_stack([np.ones(30), Y])
    slopes = np.linalg.lstsq(A, X, rcond=None)[0]
    shares = (A @ slopes).var(axis=0)[:9] / X.var(axis=0)[:9]
    directions = slopes[1:, :9] / np.linalg.norm(slopes[1:, :9], axis=0)
    assert_allclose([arrow["direction"] for arrow in found[:9]], directions.T, atol=1e-8)
    assert_allclose([arrow["rSquared"] for arrow in found], [*shares, 0], atol=1e-9)


def test_another_matrix_is_mapped_in_the_order_of_the_first():
    names, order = ["Ada", "Bo", "Cleo", "Dan", "Eve"], [3, 0, 4, 1, 2]
    D = distances(np.random.default_rng(4).normal(size=(5, 3)).round(3))
    text = pd.DataFrame(D, names, names).iloc[order, order].to_csv()
    steps = "m.comparisonSteps({ parsed: m.readTable(text), names, count: 5, choices: {} })"
    found = run_laboratory(f"m.runToEnd({steps})", text=text, names=names)
    gaps = distances(np.reshape(found["points"], (5, 2)))
    assert_allclose(gaps, distances(classical_scaling(D).points), atol=1e-9)


def test_share_of_the_skew_symmetric_part():
    D = np.array([[0, 3, 9, 4], [5, 0, 2, 6], [1, 2, 0, 7], [4, 8, 7, 0]])
    share = run_laboratory("m.skewShare(table)", table=D)
    assert share == pytest.approx(np.sum(((D - D.T) / 2) ** 2) / np.sum(D**2), rel=1e-12)
