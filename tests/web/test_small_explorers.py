"""Compare what the smaller explorers compute with NumPy and with the library."""

import re
from itertools import pairwise

import numpy as np
from numpy.testing import assert_allclose
from scipy.spatial.distance import squareform

from kmds_figures.explorers import (
    change_of_basis_explorer,
    classical_scaling_explorer,
    four_points_explorer,
    new_point_explorer,
    rotation_explorer,
    smacof_explorer,
)
from kmds_lib import (
    additive_constant,
    centering_matrix,
    classical_scaling,
    distances,
    gram_from_distances,
    kruskal_stress,
    procrustes_align,
    raw_stress,
    smacof,
)
from tests.web.node import decimals_in, evaluate


def test_four_points_explorer_computes_classical_scaling():
    tables = np.random.default_rng(1).uniform(0.2, 3, size=(20, 6))
    expression = """tables.map((table) => m.judged(
      m.scaling(table), ({ values }) => m.distancesVerdict(table, values, "all")))"""
    all_found = evaluate(four_points_explorer(), expression, tables=tables)
    H = centering_matrix(4)
    for table, found in zip(tables, all_found, strict=True):
        B = -0.5 * H @ squareform(table) ** 2 @ H
        assert_allclose(found["B"], B, rtol=0, atol=1e-13)
        values = np.linalg.eigvalsh(B)[::-1]
        assert_allclose(found["values"], values, rtol=0, atol=1e-12)
        Y = np.array(found["map"])
        assert_allclose(Y.T @ Y, np.diag(np.maximum(values[:2], 0)), rtol=0, atol=1e-12)
        D = squareform(table)
        through = D[:, None] + D  # through[i, j, k] is the length from i over k to j
        i, j, k = np.unravel_index(np.argmax(D[..., None] - through), through.shape)
        triangle = [D[i, j], through[i, j, k]] if D[i, j] > through[i, j, k] + 1e-9 else []
        shown = [values[-1], *triangle] if values[-1] < -1e-9 else [values[2]]
        assert_allclose(decimals_in(found["said"]), shown, atol=0.006)


def test_typed_numbers_are_read_and_others_rejected():
    numbers = {"3.5": 3.5, "3,5": 3.5, " 2 ": 2, ",5": 0.5, "0": 0, "1e1": 10, "99": 99}
    invalid = ["1e9", "99.1", "-4", "\u22124", "abc", "1,000.5", "0x10", "Infinity", ""]
    read = "typed.map((text) => m.readNumber(text, m.LONGEST).number ?? null)"
    found = evaluate(four_points_explorer(), read, typed=[*numbers, *invalid])
    assert found == [*numbers.values(), *[None] * len(invalid)]


def test_change_of_basis_agrees_with_numpy():
    bases = np.random.default_rng(2).normal(size=(20, 2, 2)).tolist()
    nearly_dependent = [[[1, 0], [2, 0]], [[0, 0], [0, 1]], [[1, 0], [1, 0.01]]]
    bases += nearly_dependent
    for row in evaluate(change_of_basis_explorer(), "bases.flatMap(m.changeBasis)", bases=bases):
        M, P_inverse = np.array(row["M"]), np.array(row["basis"]).T
        if row["Mnew"] is None:
            u, v = np.linalg.norm(P_inverse, axis=0)
            assert min(u, v) == 0 or abs(np.linalg.det(P_inverse)) / u / v < 0.05
            continue
        assert row["basis"] not in nearly_dependent
        expected = np.linalg.inv(P_inverse) @ M @ P_inverse
        assert_allclose(row["Mnew"], expected, rtol=0, atol=1e-9)
        assert_allclose(decimals_in(row["said"]), [expected[0, 1], expected[1, 0]], atol=0.006)
        facts = [row["facts"][name] for name in ("det", "trace", "high", "low")]
        defective = np.linalg.det(M) == 1 and M.trace() == 2
        values = [1.0, 1.0] if defective else sorted(np.linalg.eigvals(M).real, reverse=True)
        assert_allclose(facts, [np.prod(values), sum(values), *values], atol=1e-6)


def test_eigenvectors_of_the_three_linear_maps():
    vectors = """Object.entries(m.MAPS).map(([kind, M]) => (
      { kind, M, vectors: m.eigenvectors(M), ...m.invariants(M) }))"""
    for row in evaluate(change_of_basis_explorer(), vectors):
        M, vectors = np.array(row["M"]), np.array(row["vectors"])
        assert len(vectors) == (1 if row["kind"] == "defective" else 2)
        for vector, value in zip(vectors, [row["high"], row["low"]], strict=False):
            assert_allclose(M @ vector, value * vector, atol=1e-14)
        orthonormal = np.allclose(vectors @ vectors.T, np.eye(len(vectors)), atol=1e-14)
        assert orthonormal == (row["kind"] != "diagonalisable")


def classical_scaling_states(n):
    """Return states of the explorer: edited entries, constants and a dragged city."""
    rng = np.random.default_rng(5)
    return [
        {
            "base": str(rng.choice(["roads", "straight"])),
            "edits": [
                [int(i), int(j), float(rng.integers(100, 4000))]
                for i, j in np.sort(rng.permuted(np.tile(np.arange(n), (3, 1)), axis=1)[:, :2])
            ],
            "method": str(rng.choice(["cailliez", "lingoes"])),
            "share": float(rng.choice([0.0, 0.37, 1.0])),
            "moved": [3, -500, 900] if at % 3 else [],
        }
        for at in range(12)
    ]


def edited_dissimilarities(state, roads, places):
    """Return the dissimilarities of a state without and with the additive constant."""
    edited = roads.copy() if state["base"] == "roads" else distances(places)
    for i, j, length in state["edits"]:
        edited[i, j] = edited[j, i] = length
    constant = state["share"] * additive_constant(edited, state["method"])
    added = edited + constant
    if state["method"] == "lingoes":
        added = np.sqrt(edited**2 + 2 * constant)
    return edited, added * (1 - np.eye(len(roads)))


def test_classical_scaling_explorer_agrees_with_the_library():
    widget = classical_scaling_explorer()
    n, places, roads = len(widget.labels), np.array(widget.places), squareform(widget.upper)
    data = {"labels": widget.labels, "upper": widget.upper, "places": widget.places}
    states = classical_scaling_states(n)
    results = """states.map((state) => m.judged(m.resultOf(state, data), (found) =>
      ["all", "map"].map((show) => m.scalingVerdict({ ...state, show }, found, data.labels))))"""
    all_found = evaluate(widget, results, states=states, data=data)
    for state, found in zip(states, all_found, strict=True):
        edited, delta = edited_dissimilarities(state, roads, places)
        for method, constant in found["constants"].items():
            assert_allclose(constant, additive_constant(edited, method), rtol=1e-9)
        assert_allclose(np.reshape(found["delta"], (n, n)), delta, rtol=1e-9)
        fit = classical_scaling(delta, n_components=2)
        spectrum = fit.spectrum()
        atol = 1e-9 * spectrum.eigenvalues[0]
        assert_allclose(found["values"], spectrum.eigenvalues, rtol=0, atol=atol)
        goodness = [*spectrum.goodness_of_fit(2), spectrum.negative_mass]
        assert_allclose([*found["goodness"], found["mass"]], goodness, atol=1e-9)
        optimum = points = procrustes_align(fit.points, target=places).points
        if state["moved"]:
            points = points.copy()
            points[3] = state["moved"][1:]
        shown = np.reshape(found["points"], (n, 2))
        assert_allclose(shown, points, rtol=0, atol=1e-6 * np.abs(points).max())
        B, d, upper = gram_from_distances(delta), distances(points), np.triu_indices(n, 1)
        centred = (Y - Y.mean(axis=0) for Y in (points, optimum))
        strains = [np.sum((B - Y @ Y.T) ** 2) for Y in centred]
        verdict, on_map = found["said"]
        rms = np.sqrt(np.mean((d - delta)[upper] ** 2))
        assert abs(int(re.search(r"\d+", on_map["head"])[0]) - rms) < 0.6
        if spectrum.negative_mass > 1e-6:
            assert abs(found["strainRatio"] / (strains[0] / strains[1]) - 1) < 1e-6
            shown = [spectrum.negative_mass, strains[0] / strains[1]][: 1 + bool(state["moved"])]
            assert_allclose(decimals_in(verdict)[: len(shown)], shown, rtol=0.01, atol=6e-4)
        pairs = np.column_stack([*upper, delta[upper], d[upper], (d - delta)[upper]])
        shown = sorted(list(pair.values()) for pair in found["pairs"])
        assert_allclose(shown, sorted(pairs.tolist()), atol=1e-2)


def test_dragged_city_has_the_distances_of_its_place():
    widget = classical_scaling_explorer(show="cities")
    n, rome = len(widget.labels), widget.labels.index("Rome")
    data = {"labels": widget.labels, "upper": widget.upper, "places": widget.places}
    rows = [[*sorted([rome, j]), 500.0 + 100 * j] for j in range(n) if j != rome]
    state = {"show": "cities", "edits": rows, "moved": [rome, 900, -1500]}
    state |= {"base": "roads", "method": "cailliez", "share": 0}
    given = {"state": state, "data": data}
    [found] = evaluate(widget, "[m.resultOf(state, data)]", **given)
    edited, _ = edited_dissimilarities(state, squareform(widget.upper), None)
    assert_allclose(np.reshape(found["D"], (n, n)), edited)
    fit = classical_scaling(edited, n_components=2)
    shown = np.reshape(found["points"], (n, 2))
    assert_allclose(distances(shown), distances(fit.points), atol=1e-6 * edited.max())
    said = evaluate(widget, "m.scalingVerdict(state, found, data.labels)", **given, found=found)
    shifts = np.linalg.norm(shown - np.reshape(found["first"], (n, 2)), axis=1)
    moved = int(re.search(r"\d+", said["reason"])[0])
    assert abs(moved - np.delete(shifts, rome).max()) < 0.6


def test_coastline_fits_the_first_map_of_the_cities():
    widget = classical_scaling_explorer(show="cities")
    target = evaluate(widget, "m.toRows(m.resultOf(start, start).points, 2)", start=widget.start)
    cities = procrustes_align(widget.places, target=target, scaling=True).points
    lines = [np.array(line.split(), float) for line in widget.coast.split("M0 0m")[1:]]
    shore = np.vstack([np.cumsum(line.reshape(-1, 2) * [10, -10], axis=0) for line in lines])
    near = distances(cities, shore).min(axis=1) < 150
    assert sorted(np.array(widget.labels)[near]) == ["Athens", "Lisbon", "Rome", "Stockholm"]


STRESS = smacof_explorer()
ROADS = squareform(STRESS.road_distances)
STRESS_DATA = {"roads": STRESS.road_distances, "best": STRESS.best}


def guttman_transform(X, D):
    """Return L(X) X / n, the Guttman transform with unit weights."""
    d = distances(X)
    ratio = np.divide(D, d, out=np.zeros_like(d), where=d > 0)
    return (ratio.sum(axis=1)[:, None] * X - ratio @ X) / len(D)


def test_smacof_explorer_takes_the_steps_of_smacof():
    dragged = [7, *np.random.default_rng(3).integers(-2500, 2500, 42)]
    paths = "[[0], [2], [11], dragged].map((run) => m.smacofPath(roads, best, run))"
    all_found = evaluate(STRESS, paths, dragged=dragged, **STRESS_DATA)
    assert_allclose(np.ravel(all_found[-1]["maps"][0]), np.divide(dragged[1:], 1000))
    for found in all_found:
        *_, last = maps = np.array(found["maps"])
        assert_allclose(found["stresses"], [raw_stress(Y, ROADS) for Y in maps], rtol=1e-9)
        for before, after in pairwise(maps):
            assert_allclose(after, guttman_transform(before, ROADS), rtol=0, atol=1e-9)
        fit = smacof(ROADS, init=last, tol=1e-8)
        assert abs(fit.raw_stress - found["stresses"][-1]) < 5e-4
        _, first, second, *_ = stresses = [raw_stress(Y, ROADS) for Y in maps]
        shown = [second, first - second, stresses[-1], raw_stress(STRESS.best, ROADS)]
        said = decimals_in(*found["said"])
        assert_allclose(said, shown[: len(said)], atol=0.006)
        city = np.argmax(fit.stress_per_point)
        others, best = np.arange(21) != city, np.array(STRESS.best)
        aligned = procrustes_align(last[others], target=best[others])
        place = last[city] @ aligned.rotation + aligned.translation
        assert found["city"] == city
        assert abs(found["distance"] - np.linalg.norm(place - best[city])) < 1e-9


def test_best_map_of_smacof_explorer_has_the_smallest_stress():
    smallest = min(smacof(ROADS, n_init=20, seed=0).local_minima)
    assert abs(kruskal_stress(STRESS.best, ROADS) - smallest) < 1e-4


def test_new_point_explorer_places_by_gowers_formula():
    widget = new_point_explorer()
    old, rng = np.array(widget.points), np.random.default_rng(10)
    places = rng.uniform(-2, 2, (6, 2)).round(2)
    heights = np.array([0.0, 1.44, 4.0, -0.25, 0.02, 2.0])
    exact = np.sqrt(distances(places, old) ** 2 + heights[:, None])
    rows = np.concatenate([exact, rng.uniform(0, 6, (8, 5)).round(2)])
    given = (old, places, heights, rows)
    from_places, all_found = evaluate(widget, "m.placePoints(...given)", given=given)
    close = {"rtol": 0, "atol": 1e-9 * rows.max() ** 2}
    assert_allclose(from_places, exact, **close)
    D = distances(old)
    fit = classical_scaling(D, n_components=2)
    aligned = procrustes_align(fit.points, target=old)
    B_diagonal, H = np.diag(gram_from_distances(D)), centering_matrix(5)
    for d, found in zip(rows, all_found, strict=True):
        g = H @ (B_diagonal - d**2) / 2
        y = fit.transform([d])[0] @ aligned.rotation + aligned.translation
        assert_allclose(found["g"], g, **close)
        assert_allclose(found["position"], y, **close)
        assert_allclose(found["terms"], np.linalg.pinv(old).T * g[:, None], **close)
        h2, outside = np.mean(d**2 - B_diagonal) - y @ y, np.linalg.norm(g - old @ y)
        assert_allclose(found["squaredHeight"], h2, **close)
        assert_allclose(found["outside"], outside, **close)
        assert_allclose(found["norm"], np.linalg.norm(g), **close)
        off_map = [np.sqrt(h2) if h2 > 0 else h2, *y, abs(h2)]
        near = off_map if abs(h2) > 0.005 else y
        shown = [*y, h2, np.linalg.norm(g), outside] if outside > 0.1 else near
        assert_allclose(decimals_in(found["said"]), shown, atol=0.006)
    assert_allclose([found["position"] for found in all_found[:6]], places, **close)
    assert_allclose([found["squaredHeight"] for found in all_found[:6]], heights, **close)


def test_rotation_explorer_computes_what_numpy_does():
    X = np.random.default_rng(5).normal(size=(30, 2)) @ [[1.1, 0.4], [0.0, 0.5]]
    X = (X - X.mean(axis=0)).round(2)
    angles = [0, 22.8, 90, 135, -60]
    shows = ["variances", "projections", "distances"]
    sums = """angles.map((angle) => m.judged(m.sumsOfSquares(points, angle), (found) =>
      shows.map((show) => m.rotationVerdict(show, found, 30))))"""
    values, vectors = np.linalg.eigh(X.T @ X)
    best = np.degrees(np.arctan2(*vectors[::-1, 1])) % 180
    given = {"points": X, "angles": angles, "shows": shows}
    all_found = evaluate(rotation_explorer(X, "variances"), sums, **given)
    for angle, found in zip(np.radians(angles), all_found, strict=True):
        P = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        C = P @ X.T @ X @ P.T
        squares = [found[name] for name in ("along", "across", "product")]
        assert_allclose(squares, C[[0, 1, 0], [0, 1, 1]])
        assert_allclose(found["scores"], X @ P.T)
        assert_allclose([found["smallest"], found["best"]], [values[0], best])
        variances = [*C.diagonal() / 30, np.trace(C) / 30, np.linalg.det(C) / 900]
        errors = [values[0], C[1, 1], C[0, 0], np.trace(C), C[1, 1] / values[0]]
        shown = [C[0, 1] / 30, *variances, *errors]
        assert_allclose(decimals_in(*found["said"]), shown, atol=0.006)
