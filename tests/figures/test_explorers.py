"""The mathematics inside the explorers agrees with NumPy and with the library."""

import json
import subprocess
from itertools import pairwise

import numpy as np

from _ext.built_pages import NODE
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

SAY = """const say = (value) =>
  console.log(JSON.stringify(value, (_, v) => (ArrayBuffer.isView(v) ? [...v] : v)));"""


def run_node(tmp_path, widget, script):
    """Import a widget's module, or its text, under node as `m`; return what `script` says."""
    module = tmp_path / "explorer.mjs"
    module.write_text(getattr(widget, "_esm", widget), encoding="utf-8")
    main = tmp_path / "main.mjs"
    main.write_text(f'import * as m from "{module.as_uri()}";\n{SAY}\n{script}', encoding="utf-8")
    run = subprocess.run([NODE, main], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_explorer_computes_classical_scaling(tmp_path):
    rng = np.random.default_rng(1)
    tables = rng.uniform(0.2, 3, size=(50, 6))
    script = f"say({tables.tolist()}.map(m.scaling))"
    H = np.eye(4) - 0.25
    for table, found in zip(tables, run_node(tmp_path, gram_explorer(), script), strict=True):
        D = np.zeros((4, 4))
        D[np.triu_indices(4, 1)] = table
        B = -0.5 * H @ (D + D.T) ** 2 @ H
        np.testing.assert_allclose(found["B"], B, rtol=0, atol=1e-13)
        expected = np.linalg.eigvalsh(B)[::-1]
        np.testing.assert_allclose(found["values"], expected, rtol=0, atol=1e-12)
        Y = np.array(found["map"])
        kept = np.diag(np.maximum(expected[:2], 0))
        np.testing.assert_allclose(Y.T @ Y, kept, rtol=0, atol=1e-12)


def test_presets_are_what_their_buttons_say(tmp_path):
    script = """
    const judge = ({ points, table = m.sixDistances(points) }) => {
      const { values, map } = m.scaling(table);
      const [triangle, apart] = [m.brokenTriangle(table), m.sixDistances(map)];
      return { ...m.verdict(table, values), triangle, apart: Math.min(...apart) };
    };
    const found = Object.entries(m.PRESETS).map(([name, preset]) => [name, judge(preset)]);
    say(Object.fromEntries(found));
    """
    found = run_node(tmp_path, gram_explorer(), script)
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


def test_distances_are_read_with_point_or_comma_and_other_input_is_refused_in_words(tmp_path):
    typed = json.dumps([*READ, *REFUSED])
    script = f"say({typed}.map((text) => m.readNumber(text, m.LONGEST)))"
    found = run_node(tmp_path, gram_explorer(), script)
    read, refused = found[: len(READ)], found[len(READ) :]
    assert read == [{"number": number} for number in READ.values()]
    for said, why in zip(refused, REFUSED.values(), strict=True):
        assert "number" not in said
        assert why in said["refusal"]
        assert said["refusal"].endswith("from 0 to 99.")


def test_change_of_basis_agrees_with_numpy(tmp_path):
    bases = np.random.default_rng(2).normal(size=(40, 2, 2)).tolist()
    parallel = [[[1, 0], [2, 0]], [[0, 0], [0, 1]], [[1, 0], [1, 0.01]]]
    script = f"""
    say(Object.values(m.MAPS).flatMap((M) => {bases + parallel}.map((basis) => {{
      const Mnew = m.similar(M, basis);
      return {{ M, basis, Mnew, facts: Mnew && m.invariants(Mnew) }};
    }})));
    """
    for row in run_node(tmp_path, map_explorer(), script):
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


def test_eigenvectors_of_the_three_maps(tmp_path):
    script = """
    say(Object.entries(m.MAPS).map(([kind, M]) => ({
      kind, M, vectors: m.eigenvectors(M), ...m.invariants(M) })));
    """
    for row in run_node(tmp_path, map_explorer(), script):
        M, vectors = np.array(row["M"]), np.array(row["vectors"])
        assert len(vectors) == (1 if row["kind"] == "defective" else 2)
        for vector, value in zip(vectors, [row["high"], row["low"]], strict=False):
            np.testing.assert_allclose(M @ vector, value * vector, atol=1e-14)
        assert (abs(vectors @ vectors.T - np.eye(len(vectors))).max() < 1e-14) == (
            row["kind"] != "diagonalisable"
        )


def test_the_words_of_a_parallel_basis_deny(tmp_path):
    script = 'say(m.sentence("symmetric", null).holds)'
    assert run_node(tmp_path, map_explorer(), script) is False


def test_the_table_explorer_computes_what_the_library_does(tmp_path):
    widget = table_explorer()
    n, places = len(widget.labels), np.array(widget.places)
    data = json.dumps({"labels": widget.labels, "table": widget.table, "places": widget.places})
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
    script = f"say({json.dumps(states)}.map((state) => m.resultOf(state, {data})));"
    roads = np.zeros((n, n))
    roads[np.triu_indices(n, 1)] = widget.table
    for state, found in zip(states, run_node(tmp_path, widget, script), strict=True):
        table = roads + roads.T if state["base"] == "roads" else distances(places)
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


def stress_data(widget):
    """Return the road table, and JavaScript that makes the explorer's data of it."""
    n = len(widget.labels)
    roads = np.zeros((n, n))
    roads[np.triu_indices(n, 1)] = widget.table
    script = f"""
    const best = m.fromRows({widget.best});
    const D = m.fromPairs({widget.table}, {n});
    const data = {{ D, best, least: m.rawStress(best, 2, D) }};
    """
    return roads + roads.T, script


def guttman(Y, D):
    """Return 1/n L(Y) Y, the Guttman transform with unit weights."""
    d = distances(Y)
    ratio = np.divide(D, d, out=np.zeros_like(D), where=d > 0)
    return (np.diag(ratio.sum(axis=1)) - ratio) @ Y / len(Y)


def test_the_stress_explorer_takes_the_steps_of_smacof(tmp_path):
    widget = stress_explorer()
    D, data = stress_data(widget)
    best = np.array(widget.best)
    hand = [7, *np.random.default_rng(3).integers(-2500, 2500, 2 * len(D)).tolist()]
    script = f"""
    {data}
    say([[0], [2], [3], [11], [250], {hand}].map((run) => {{
      const path = m.pathOf(run, data);
      path.reach(m.MOST_STEPS);
      const turned = path.maps.at(-1).map((_, at, Y) => (at % 2 ? Y[at - 1] : -Y[at + 1]));
      return {{ ...m.misplaced(turned, data), stresses: path.stresses,
        maps: path.maps.map((map) => m.toRows(map, 2)) }};
    }}));
    """
    *by_seed, by_hand = run_node(tmp_path, widget, script)
    np.testing.assert_array_equal(np.ravel(by_hand["maps"][0]), np.divide(hand[1:], 1000))
    for found in (*by_seed, by_hand):
        Y, *_, end = maps = np.array(found["maps"])
        expected = [raw_stress(Y, D) for Y in maps]
        np.testing.assert_allclose(found["stresses"], expected, rtol=1e-9)
        assert np.all(np.diff(found["stresses"]) < 1e-9)
        for Y, after in pairwise(maps):
            np.testing.assert_allclose(after, guttman(Y, D), rtol=0, atol=1e-9)
        fit = smacof(D, init=end, tol=1e-8)
        assert abs(fit.raw_stress - found["stresses"][-1]) < 5e-4
        city = np.argmax(fit.stress_per_point)
        others = np.arange(len(D)) != city
        turn = procrustes_align(end[others], target=best[others])
        if found is not by_hand:
            np.testing.assert_allclose(turn.rotation, np.eye(2), rtol=0, atol=2e-5)
        off = np.linalg.norm(end[city] @ turn.rotation + turn.translation - best[city])
        assert found["city"] == city
        assert abs(found["off"] - off) < 1e-9


def test_the_traps_are_what_their_buttons_say(tmp_path):
    widget = stress_explorer()
    D, data = stress_data(widget)
    script = f"""
    {data}
    const {{ run, steps, ends, tried, chosen }} = {json.dumps(widget.start)};
    const recall = (run) => m.pathOf(run, data);
    say([run, m.PRESETS.rome, m.PRESETS.stockholm].map((run) => {{
      const state = {{ run, steps, ends, tried, chosen, held: false }};
      const result = m.resultOf(state, data, recall);
      const said = m.sentence(state, result, {json.dumps(widget.labels)});
      return [said.head, said.reason, result.stress, result.stress1, m.toRows(result.points, 2)];
    }}));
    """
    found = run_node(tmp_path, widget, script)
    assert found[0] == found[1]
    for (head, reason, stress, stress1, Y), city in zip(
        found, ["Rome", "Rome", "Stockholm"], strict=True
    ):
        assert head == f"Stuck: stress {raw_stress(Y, D):.2f}, the least known is 6.71."
        assert f"no step leads on. {city} is " in reason
        np.testing.assert_allclose(
            [stress, stress1], [raw_stress(Y, D), kruskal_stress(Y, D)], rtol=1e-9
        )
    least = min(smacof(D, n_init=20, seed=0).local_minima)
    assert abs(kruskal_stress(widget.best, D) - least) < 1e-4


def test_ends_are_kept_once_the_lowest_first_and_not_too_many(tmp_path):
    script = """
    const stressOf = (run) => (run.length > 1 ? run[1] : run[0]);
    let ends = [];
    for (const seed of [30, 10, 20, 10]) ends = m.withEnd(ends, [seed], 1, stressOf);
    const once = ends;
    for (let k = 0; k < 12; k++) ends = m.withEnd(ends, [100 + k], 1, stressOf);
    const many = ends;
    for (let k = 0; k < 8; k++) ends = m.withEnd(ends, [0, 50 - k, 0], 0, stressOf);
    say([once, many, ends]);
    """
    once, many, by_hand = run_node(tmp_path, stress_explorer(), script)
    assert once == [[2, 10], [1, 20], [1, 30]]
    assert many == [*once, *([1, 100 + k] for k in range(8)), [1, 111]]
    hands = [end for end in by_hand if len(end) > 2]
    assert len(by_hand) == 12
    assert hands == [[0, 0, 43 + k, 0] for k in range(6)]
    assert by_hand[:3] == once


def test_a_run_is_a_seed_or_where_a_hand_left_all_cities(tmp_path):
    runs = [[3], [0, *range(42)]]
    runs += [[-1], [1.5], [], [21, *range(42)], [0, *range(41)], [0, *[5, 7] * 21]]
    runs += [[0, *range(20000, 20042)], None]
    script = f"say({json.dumps(runs)}.map((run) => m.isRun(run, 21)))"
    assert run_node(tmp_path, stress_explorer(), script) == [True] * 2 + [False] * 8
