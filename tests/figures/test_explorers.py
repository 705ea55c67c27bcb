"""The mathematics inside the explorers agrees with NumPy and with the library."""

from itertools import pairwise

import numpy as np
from scipy.spatial.distance import squareform

from kmds_figures.explorers import gram_explorer, map_explorer, stress_explorer, table_explorer
from kmds_lib import (
    additive_constant,
    classical_scaling,
    distances,
    gram_from_distances,
    kruskal_stress,
    procrustes_align,
    raw_stress,
    smacof,
)
from tests.figures.under_node import ask


def test_explorer_computes_classical_scaling():
    rng = np.random.default_rng(1)
    tables = rng.uniform(0.2, 3, size=(50, 6))
    all_found = ask(gram_explorer(), "tables.map(m.scaling)", tables=tables)
    H = np.eye(4) - 0.25
    for table, found in zip(tables, all_found, strict=True):
        B = -0.5 * H @ squareform(table) ** 2 @ H
        np.testing.assert_allclose(found["B"], B, rtol=0, atol=1e-13)
        expected = np.linalg.eigvalsh(B)[::-1]
        np.testing.assert_allclose(found["values"], expected, rtol=0, atol=1e-12)
        Y = np.array(found["map"])
        kept = np.diag(np.maximum(expected[:2], 0))
        np.testing.assert_allclose(Y.T @ Y, kept, rtol=0, atol=1e-12)


def test_presets_are_what_their_buttons_say():
    judged = """{
    const judge = ({ points, table = m.sixDistances(points) }) => {
      const { values, map } = m.scaling(table);
      const [triangle, apart] = [m.brokenTriangle(table), m.sixDistances(map)];
      return { ...m.verdict(table, values), triangle, apart: Math.min(...apart) };
    };
    const found = Object.entries(m.PRESETS).map(([name, preset]) => [name, judge(preset)]);
    return Object.fromEntries(found);
    }"""
    found = ask(gram_explorer(), judged)
    assert found["square"]["head"] == "Euclidean, in two dimensions: no eigenvalue is negative."
    assert found["space"]["head"] == "Euclidean, in three dimensions: no eigenvalue is negative."
    assert found["broken"]["head"] == "Not Euclidean: eigenvalue −4.25."
    assert found["broken"]["triangle"] == [0, 2, 1]
    assert found["star"]["head"] == "Not Euclidean: eigenvalue −0.25."
    assert found["star"]["triangle"] is None
    assert min(preset["apart"] for preset in found.values()) > 0.4


READ = {"3.5": 3.5, "3,5": 3.5, " 2 ": 2, ",5": 0.5, "0": 0, "1e1": 10, "99": 99}
REFUSED = {
    "1e9": "1e9 is too long",
    "99.1": "99.1 is too long",
    "-4": "never negative",
    "\u22124": "never negative",
    "abc": "is no number",
    "1,000.5": "is no number",
    "0x10": "is no number",
    "Infinity": "is no number",
    "": "The table takes numbers",
}


def test_distances_are_read_with_point_or_comma_and_other_input_is_refused_in_words():
    numbers = "typed.map((text) => m.readNumber(text, m.LONGEST))"
    found = ask(gram_explorer(), numbers, typed=[*READ, *REFUSED])
    read, refused = found[: len(READ)], found[len(READ) :]
    assert read == [{"number": number} for number in READ.values()]
    for said, why in zip(refused, REFUSED.values(), strict=True):
        assert "number" not in said
        assert why in said["refusal"]
        assert said["refusal"].endswith("from 0 to 99.")


def test_change_of_basis_agrees_with_numpy():
    bases = np.random.default_rng(2).normal(size=(40, 2, 2)).tolist()
    parallel = [[[1, 0], [2, 0]], [[0, 0], [0, 1]], [[1, 0], [1, 0.01]]]
    changed = """Object.values(m.MAPS).flatMap((M) => bases.map((basis) => {
      const Mnew = m.similar(M, basis);
      return { M, basis, Mnew, facts: Mnew && m.invariants(Mnew) };
    }))"""
    for row in ask(map_explorer(), changed, bases=bases + parallel):
        M, back = np.array(row["M"]), np.array(row["basis"]).T
        u, v = np.linalg.norm(back, axis=0)
        if row["basis"] in parallel or row["Mnew"] is None:
            assert row["Mnew"] is None
            assert min(u, v) == 0 or abs(np.linalg.det(back)) / u / v < 0.05
            continue
        expected = np.linalg.inv(back) @ M @ back
        np.testing.assert_allclose(row["Mnew"], expected, rtol=0, atol=1e-9)
        facts = [row["facts"][name] for name in ("det", "trace", "high", "low")]
        values = [1.0, 1.0] if np.linalg.det(M) == 1 and M.trace() == 2 else None
        values = values or sorted(np.linalg.eigvals(M).real, reverse=True)
        np.testing.assert_allclose(facts, [np.prod(values), sum(values), *values], atol=1e-6)


def test_eigenvectors_of_the_three_maps():
    vectors = """Object.entries(m.MAPS).map(([kind, M]) => (
      { kind, M, vectors: m.eigenvectors(M), ...m.invariants(M) }))"""
    for row in ask(map_explorer(), vectors):
        M, vectors = np.array(row["M"]), np.array(row["vectors"])
        assert len(vectors) == (1 if row["kind"] == "defective" else 2)
        for vector, value in zip(vectors, [row["high"], row["low"]], strict=False):
            np.testing.assert_allclose(M @ vector, value * vector, atol=1e-14)
        assert (abs(vectors @ vectors.T - np.eye(len(vectors))).max() < 1e-14) == (
            row["kind"] != "diagonalisable"
        )


def test_the_words_of_a_parallel_basis_deny():
    assert ask(map_explorer(), 'm.sentence("symmetric", null).holds') is False


def test_the_table_explorer_computes_what_the_library_does():
    widget = table_explorer()
    n, places = len(widget.labels), np.array(widget.places)
    data = {"labels": widget.labels, "table": widget.table, "places": widget.places}
    rng = np.random.default_rng(5)
    states = [
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
    results = "states.map((state) => m.resultOf(state, data))"
    all_found = ask(widget, results, states=states, data=data)
    roads = squareform(widget.table)
    for state, found in zip(states, all_found, strict=True):
        table = roads.copy() if state["base"] == "roads" else distances(places)
        for i, j, length in state["edits"]:
            table[i, j] = table[j, i] = length
        for method in ("cailliez", "lingoes"):
            expected = additive_constant(table, method)
            np.testing.assert_allclose(found["constants"][method], expected, rtol=1e-9)
        constant = state["share"] * additive_constant(table, state["method"])
        squares = table**2 + 2 * constant
        table = table + constant if state["method"] == "cailliez" else np.sqrt(squares)
        np.fill_diagonal(table, 0)
        np.testing.assert_allclose(np.reshape(found["delta"], (n, n)), table, rtol=1e-9)
        fit = classical_scaling(table, n_components=2)
        spectrum = fit.spectrum()
        size = 1e-9 * spectrum.eigenvalues[0]
        np.testing.assert_allclose(found["values"], spectrum.eigenvalues, rtol=0, atol=size)
        figures = [*spectrum.goodness_of_fit(2), spectrum.negative_mass]
        np.testing.assert_allclose([*found["fits"], found["mass"]], figures, atol=1e-9)
        least = points = procrustes_align(fit.points, target=places).points
        if state["moved"]:
            points = points.copy()
            points[3] = state["moved"][1:]
        shown = np.reshape(found["points"], (n, 2))
        np.testing.assert_allclose(shown, points, rtol=0, atol=1e-6 * np.abs(points).max())
        B, d, upper = gram_from_distances(table), distances(points), np.triu_indices(n, 1)
        centred = (Y - Y.mean(axis=0) for Y in (points, least))
        strains = [np.sum((B - Y @ Y.T) ** 2) for Y in centred]
        if spectrum.negative_mass > 1e-6:
            assert abs(found["strainRatio"] / (strains[0] / strains[1]) - 1) < 1e-6
        order = np.argsort(-np.abs(d - table)[upper])
        pairs = np.column_stack([*upper, table[upper], d[upper], (d - table)[upper]])[order]
        shown = [list(pair.values()) for pair in found["pairs"]]
        np.testing.assert_allclose(shown[:3], pairs[:3], atol=1e-2)
        np.testing.assert_allclose(sorted(shown), sorted(pairs.tolist()), atol=1e-2)


STRESS = stress_explorer()
ROADS = squareform(STRESS.table)
GIVEN = {"labels": STRESS.labels, "table": STRESS.table, "best": STRESS.best}


def guttman(Y):
    """Return 1/n L(Y) Y, the Guttman transform with unit weights."""
    d = distances(Y)
    ratio = np.divide(ROADS, d, out=np.zeros_like(d), where=d > 0)
    return (np.diag(ratio.sum(axis=1)) - ratio) @ Y / len(Y)


def test_the_stress_explorer_takes_the_steps_of_smacof():
    hand = [7, *np.random.default_rng(3).integers(-2500, 2500, 42)]
    paths = """[[0], [2], [3], [11], [250], hand].map((run) => {
      const data = m.dataOf(21, table, best);
      const path = m.pathOf(run, data);
      path.reach(m.MOST_STEPS);
      const turned = path.maps.at(-1).map((_, at, Y) => (at % 2 ? Y[at - 1] : -Y[at + 1]));
      return { ...m.misplaced(turned, data), stresses: path.stresses,
        maps: path.maps.map((map) => m.toRows(map, 2)) };
    })"""
    *by_seed, by_hand = ask(STRESS, paths, hand=hand, **GIVEN)
    np.testing.assert_array_equal(np.ravel(by_hand["maps"][0]), np.divide(hand[1:], 1000))
    for found in (*by_seed, by_hand):
        Y, *_, end = maps = np.array(found["maps"])
        expected = [raw_stress(Y, ROADS) for Y in maps]
        np.testing.assert_allclose(found["stresses"], expected, rtol=1e-9)
        assert np.all(np.diff(found["stresses"]) < 1e-9)
        for Y, after in pairwise(maps):
            np.testing.assert_allclose(after, guttman(Y), rtol=0, atol=1e-9)
        fit = smacof(ROADS, init=end, tol=1e-8)
        assert abs(fit.raw_stress - found["stresses"][-1]) < 5e-4
        city = np.argmax(fit.stress_per_point)
        others, best = np.arange(21) != city, np.array(STRESS.best)
        turn = procrustes_align(end[others], target=best[others])
        if found is not by_hand:
            np.testing.assert_allclose(turn.rotation, np.eye(2), rtol=0, atol=2e-5)
        off = np.linalg.norm(end[city] @ turn.rotation + turn.translation - best[city])
        assert found["city"] == city
        assert abs(found["off"] - off) < 1e-9


def test_the_traps_are_what_their_buttons_say():
    traps = """[start.run, m.PRESETS.rome, m.PRESETS.stockholm].map((run) => {
      const [state, data] = [{ ...start, run, held: false }, m.dataOf(21, table, best)];
      const result = m.resultOf(state, data, (run) => m.pathOf(run, data));
      const said = m.sentence(state, result, labels);
      return [said.head, said.reason, result.stress, result.stress1, m.toRows(result.points, 2)];
    })"""
    found = ask(STRESS, traps, start=STRESS.start, **GIVEN)
    assert found[0] == found[1]
    cities = ["Rome", "Rome", "Stockholm"]
    for (head, reason, *figures, Y), city in zip(found, cities, strict=True):
        expected = [raw_stress(Y, ROADS), kruskal_stress(Y, ROADS)]
        assert head == f"Stuck: stress {expected[0]:.2f}, the least known is 6.71."
        assert f"no step leads on. {city} is " in reason
        np.testing.assert_allclose(figures, expected, rtol=1e-9)
    least = min(smacof(ROADS, n_init=20, seed=0).local_minima)
    assert abs(kruskal_stress(STRESS.best, ROADS) - least) < 1e-4


def test_ends_are_kept_once_the_lowest_first_and_not_too_many():
    kept = """{
    const stressOf = (run) => (run.length > 1 ? run[1] : run[0]);
    let ends = [];
    for (const seed of [30, 10, 20, 10]) ends = m.withEnd(ends, [seed], 1, stressOf);
    const once = ends;
    for (let k = 0; k < 12; k++) ends = m.withEnd(ends, [100 + k], 1, stressOf);
    const many = ends;
    for (let k = 0; k < 8; k++) ends = m.withEnd(ends, [0, 50 - k, 0], 0, stressOf);
    return [once, many, ends];
    }"""
    once, many, by_hand = ask(STRESS, kept)
    assert once == [[2, 10], [1, 20], [1, 30]]
    assert many == [*once, *([1, 100 + k] for k in range(8)), [1, 111]]
    hands = [end for end in by_hand if len(end) > 2]
    assert len(by_hand) == 12
    assert hands == [[0, 0, 43 + k, 0] for k in range(6)]
    assert by_hand[:3] == once


def test_a_run_is_a_seed_or_where_a_hand_left_all_cities():
    runs = [[3], [0, *range(42)]]
    runs += [[-1], [1.5], [], [21, *range(42)], [0, *range(41)], [0, *[5, 7] * 21]]
    runs += [[0, *range(20000, 20042)], None]
    found = ask(STRESS, "runs.map((run) => m.isRun(run, 21))", runs=runs)
    assert found == [True] * 2 + [False] * 8
