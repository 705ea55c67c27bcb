"""The mathematics inside the explorers agrees with NumPy and with the library."""

import json
import shutil
import subprocess

import numpy as np
import pytest

from kmds_lib import (
    additive_constant,
    classical_scaling,
    distances,
    isomap,
    procrustes_align,
    swiss_roll,
)
from kmds_lib.explorers import gram_explorer, map_explorer, neighbor_explorer, table_explorer


def run_node(tmp_path, widget, script):
    """Import the widget's module under node as `m`, and return what `script` prints as JSON."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    module = tmp_path / "explorer.mjs"
    module.write_text(widget._esm, encoding="utf-8")
    main = tmp_path / "main.mjs"
    main.write_text(f'import * as m from "{module.as_uri()}";\n{script}', encoding="utf-8")
    run = subprocess.run([node, str(main)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def symmetric_matrices(seed, count):
    rng = np.random.default_rng(seed)
    shape = (count, 4, 4)
    plain = rng.normal(size=shape)
    plain = plain + plain.transpose(0, 2, 1)
    bases = np.linalg.qr(rng.normal(size=shape))[0]
    repeated = np.array([np.diag([3.0, 3.0, 3.0, -1.0])] * count)
    graded = np.array([np.diag([1e8, 1.0, 1e-3, 0.0])] * count)
    turned = [bases @ D @ bases.transpose(0, 2, 1) for D in (repeated, graded)]
    turned = [(A + A.transpose(0, 2, 1)) / 2 for A in turned]
    return np.concatenate([plain, 1e-150 * plain, 1e150 * plain, repeated, *turned])


def test_jacobi_agrees_with_numpy(tmp_path):
    matrices = symmetric_matrices(0, 40)
    matrices = np.concatenate([matrices, np.zeros((1, 4, 4)), [np.eye(4)]])
    script = f"console.log(JSON.stringify({matrices.tolist()}.map(m.eigen)))"
    for A, found in zip(matrices, run_node(tmp_path, gram_explorer(), script), strict=True):
        values, V = np.array(found["values"]), np.array(found["vectors"])
        scale = np.abs(A).max() or 1.0
        expected = np.linalg.eigvalsh(A / scale)[::-1]
        np.testing.assert_allclose(values / scale, expected, rtol=0, atol=1e-14)
        np.testing.assert_allclose(V.T @ V, np.eye(4), rtol=0, atol=1e-14)
        np.testing.assert_allclose(A / scale @ V, V * (values / scale), rtol=0, atol=1e-14)
        assert (V[np.abs(V).argmax(axis=0), range(4)] > 0).all()


def test_explorer_computes_classical_scaling(tmp_path):
    rng = np.random.default_rng(1)
    tables = rng.uniform(0.2, 3, size=(50, 6))
    script = f"console.log(JSON.stringify({tables.tolist()}.map(m.scaling)))"
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
    const judge = ({ points, table = m.sixDistances(points) }) => ({
      ...m.verdict(table, m.scaling(table).values), triangle: m.brokenTriangle(table) });
    const found = Object.entries(m.PRESETS).map(([name, preset]) => [name, judge(preset)]);
    console.log(JSON.stringify(Object.fromEntries(found)));
    """
    found = run_node(tmp_path, gram_explorer(), script)
    assert found["square"]["head"] == "Euclidean, in two dimensions: no eigenvalue is negative."
    assert found["space"]["head"] == "Euclidean, in three dimensions: no eigenvalue is negative."
    assert found["broken"]["head"] == "Not Euclidean: eigenvalue −4.25."
    assert found["broken"]["triangle"] == [0, 2, 1]
    assert found["star"]["head"] == "Not Euclidean: eigenvalue −0.25."
    assert found["star"]["triangle"] is None


def test_maps_of_the_presets_keep_their_points_apart(tmp_path):
    script = """
    const maps = Object.values(m.PRESETS).map(({ points, table = m.sixDistances(points) }) =>
      m.sixDistances(m.scaling(table).map));
    console.log(JSON.stringify(maps));
    """
    assert np.min(run_node(tmp_path, gram_explorer(), script)) > 0.4


@pytest.mark.parametrize(
    ("typed", "number"),
    [("3.5", 3.5), ("3,5", 3.5), (" 2 ", 2), (",5", 0.5), ("0", 0), ("1e1", 10), ("99", 99)],
)
def test_distances_are_read_with_point_or_comma(tmp_path, typed, number):
    script = f"console.log(JSON.stringify(m.readNumber({typed!r}, m.LONGEST)))"
    assert run_node(tmp_path, gram_explorer(), script) == {"number": number}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("1e9", "1e9 is too long"),
        ("99.1", "99.1 is too long"),
        ("-4", "never negative"),
        ("\u22124", "never negative"),
        ("abc", "is no number"),
        ("1,000.5", "is no number"),
        ("0x10", "is no number"),
        ("Infinity", "is no number"),
        ("", "The table takes numbers"),
    ],
)
def test_other_input_is_refused_in_words(tmp_path, typed, why):
    script = f"console.log(JSON.stringify(m.readNumber({typed!r}, m.LONGEST)))"
    found = run_node(tmp_path, gram_explorer(), script)
    assert "number" not in found
    assert why in found["refusal"]
    assert found["refusal"].endswith("from 0 to 99.")


def test_a_preset_is_known_until_a_number_changes(tmp_path):
    script = """
    const start = [[-2, 0.6], [0.2, 1.8], [2.2, -0.4], [-0.7, -1.5]];
    const shown = Object.values(m.PRESETS).map(({ points = start, table = [] }) => [
      m.presetOf(points, table),
      m.presetOf(points.map(([x, y], i) => [x + (table.length ? 0 : 0.1 * (i === 2)), y]),
                 table.map((d, i) => d + 0.1 * (i === 5)))]);
    console.log(JSON.stringify([...shown, [m.presetOf(start, []), null]]));
    """
    found = run_node(tmp_path, gram_explorer(), script)
    names = ["square", "broken", "star", "space", None]
    assert found == [[name, None] for name in names]


def test_change_of_basis_agrees_with_numpy(tmp_path):
    bases = np.random.default_rng(2).normal(size=(40, 2, 2)).tolist()
    script = f"""
    const rows = Object.values(m.MAPS).flatMap((M) => {bases}.map((basis) => {{
      const Mnew = m.similar(M, basis);
      return {{ M, basis, Mnew, facts: Mnew && m.invariants(Mnew) }};
    }}));
    console.log(JSON.stringify(rows));
    """
    for row in run_node(tmp_path, map_explorer(), script):
        M, back = np.array(row["M"]), np.array(row["basis"]).T
        u, v = back.T
        sine = abs(np.linalg.det(back)) / np.linalg.norm(u) / np.linalg.norm(v)
        if row["Mnew"] is None:
            assert min(sine, np.linalg.norm(u), np.linalg.norm(v)) < 0.05
            continue
        expected = np.linalg.inv(back) @ M @ back
        np.testing.assert_allclose(row["Mnew"], expected, rtol=0, atol=1e-9)
        facts = [row["facts"][name] for name in ("det", "trace", "high", "low")]
        values = [1.0, 1.0] if np.linalg.det(M) == 1 and M.trace() == 2 else None
        values = values or sorted(np.linalg.eigvals(M).real, reverse=True)
        np.testing.assert_allclose(facts, [np.prod(values), sum(values), *values], atol=1e-6)


def test_eigenvectors_of_the_three_maps(tmp_path):
    script = """
    const out = Object.entries(m.MAPS).map(([kind, M]) => ({
      kind, M, vectors: m.eigenvectors(M), ...m.invariants(M) }));
    console.log(JSON.stringify(out));
    """
    for row in run_node(tmp_path, map_explorer(), script):
        M, vectors = np.array(row["M"]), np.array(row["vectors"])
        assert len(vectors) == (1 if row["kind"] == "defective" else 2)
        for vector, value in zip(vectors, [row["high"], row["low"]], strict=False):
            np.testing.assert_allclose(M @ vector, value * vector, atol=1e-14)
        assert (abs(vectors @ vectors.T - np.eye(len(vectors))).max() < 1e-14) == (
            row["kind"] != "diagonalisable"
        )


def test_parallel_basis_gives_a_message_not_a_number(tmp_path):
    script = """
    const bases = [[[1, 0], [2, 0]], [[0, 0], [0, 1]], [[1, 0], [1, 0.01]]];
    const out = bases.map((basis) => m.similar(m.MAPS.symmetric, basis));
    console.log(JSON.stringify([...out, m.sentence("symmetric", null).bad]));
    """
    assert run_node(tmp_path, map_explorer(), script) == [None, None, None, True]


def test_explorers_start_where_they_are_told():
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    widget = gram_explorer(square)
    assert widget.points == square
    assert widget.distances == []
    assert map_explorer("defective").kind == "defective"


@pytest.mark.parametrize(
    "points", [[[0, 0]], np.zeros((4, 3)), [[0, 0], [1, 0], [1, 1], [0, np.inf]]]
)
def test_gram_explorer_refuses_other_points(points):
    with pytest.raises(ValueError, match="pass four finite points"):
        gram_explorer(points)


def test_map_explorer_refuses_other_maps():
    with pytest.raises(ValueError, match="kind='rotation' is unknown; choose one of symmetric"):
        map_explorer("rotation")


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
            "moved": [],
        }
        for _ in range(12)
    ]
    script = f"""
    const shown = {json.dumps(states)}.map((state) => m.resultOf(state, {data}));
    const plain = ({{ constants, values, fits, points, delta }}) => ({{ constants, fits,
      values: [...values], points: [...points], delta: [...delta] }});
    console.log(JSON.stringify(shown.map(plain)));
    """
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
        np.testing.assert_allclose(found["fits"], spectrum.goodness_of_fit(2), atol=1e-9)
        points = procrustes_align(fit.points, target=places).points
        found = np.reshape(found["points"], (n, 2))
        np.testing.assert_allclose(found, points, rtol=0, atol=1e-6 * np.abs(points).max())


def test_the_neighbor_explorer_computes_what_the_library_does(tmp_path):
    widget = neighbor_explorer(*swiss_roll(160, noise=0.3, seed=3))
    points, sheet = np.array(widget.points), np.array(widget.sheet)
    rng = np.random.default_rng(7)
    states = [
        [int(n), int(k)]
        for n, k in zip(rng.integers(60, 161, 14), rng.integers(3, 13, 14), strict=True)
    ]
    data = json.dumps({"points": widget.points, "sheet": widget.sheet})
    script = f"""
    const memory = {{}};
    const shown = {json.dumps(states)}.map(([n_points, n_neighbors]) => {{
      const state = {{ n_points, n_neighbors, cut: [] }};
      const found = m.graphResult(state, {data}, memory);
      const ends = (edges) => edges.map(({{ i, j }}) => [i, j]);
      return {{ ...found, edges: ends(found.edges), short: ends(found.short),
        geodesics: [...found.geodesics], points: [...found.points] }};
    }});
    console.log(JSON.stringify(shown));
    """
    for (n, k), found in zip(states, run_node(tmp_path, widget, script), strict=True):
        X, places = points[:n], sheet[:n]
        fit = isomap(X, n_neighbors=k)
        edges = np.argwhere(np.triu(fit.graph.toarray()))
        np.testing.assert_array_equal(found["edges"], edges)
        bad = [e for e in edges if distances(places)[tuple(e)] > 2 * distances(X)[tuple(e)]]
        np.testing.assert_array_equal(found["short"], np.reshape(bad, np.shape(found["short"])))
        np.testing.assert_allclose(
            np.reshape(found["geodesics"], (n, n)), fit.geodesics, rtol=1e-9
        )
        np.testing.assert_allclose(found["mass"], fit.negative_mass, atol=1e-9)
        aligned = procrustes_align(fit.points, target=places)
        spread = np.sum((places - places.mean(axis=0)) ** 2)
        np.testing.assert_allclose(found["missed"], aligned.residual**2 / spread, atol=1e-8)
        shown = np.reshape(found["points"], (n, 2))
        np.testing.assert_allclose(shown, aligned.points, rtol=0, atol=1e-6 * np.abs(places).max())


def test_a_graph_in_pieces_is_told_as_the_library_tells_it(tmp_path):
    widget = neighbor_explorer(*swiss_roll(160, noise=0.3, seed=3), n_neighbors=2)
    data = json.dumps({"points": widget.points, "sheet": widget.sheet})
    state = {"n_points": 160, "n_neighbors": 2, "cut": []}
    script = f"""
    const result = m.graphResult({json.dumps(state)}, {data});
    console.log(JSON.stringify(m.verdict(result)));
    """
    with pytest.raises(ValueError, match="falls into") as told:
        isomap(widget.points, n_neighbors=2)
    said = run_node(tmp_path, widget, script)
    assert said == {"bad": True, "head": "With κ = 2 there is no map.", "reason": str(told.value)}


def test_a_view_of_the_roll_turns_and_tilts(tmp_path):
    views = [[0, 0], [90, 0], [0, 90], [35, 20]]
    axes = np.eye(3).tolist()
    script = f"console.log(JSON.stringify({views}.map((view) => m.seenFrom({axes}, view))))"
    side, left, above, other = np.array(
        run_node(tmp_path, neighbor_explorer(*swiss_roll(40)), script)
    )
    np.testing.assert_allclose(side, [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(left, [[0, 0, -1], [1, 0, 0], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(above, [[1, 0, 0], [0, -1, 0], [0, 0, -1]], atol=1e-12)
    np.testing.assert_allclose(other @ other.T, np.eye(3), atol=1e-12)


def test_who_cuts_the_graph_apart_is_told_so(tmp_path):
    widget = neighbor_explorer(*swiss_roll(60, seed=1), n_neighbors=6)
    data = json.dumps({"points": widget.points, "sheet": widget.sheet})
    graph = isomap(np.array(widget.points), n_neighbors=6).graph.toarray()
    cut = [[int(min(0, j)), int(max(0, j))] for j in np.flatnonzero(graph[0])]
    script = f"""
    const state = {{ n_points: 60, n_neighbors: 6, cut: {cut} }};
    console.log(JSON.stringify(m.graphResult(state, {data}).apart));
    """
    found = run_node(tmp_path, widget, script)
    assert found == "Without the edges that you cut the graph falls apart."


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"points": np.ones((50, 2))}, r"points has shape \(50, 2\); pass from 40 to 200 points"),
        ({"points": np.ones((39, 3))}, r"points has shape \(39, 3\)"),
        ({"points": np.ones((201, 3))}, r"points has shape \(201, 3\)"),
        ({"points": np.full((50, 3), np.nan)}, "finite"),
        ({"sheet": np.ones((49, 2))}, r"sheet has shape \(49, 2\); pass two numbers"),
        ({"sheet": np.ones((50, 3))}, "sheet has shape"),
        ({"n_points": 51}, "n_points = 51 is out of range"),
        ({"n_points": 39}, "n_points = 39 is too few; take at least 40"),
        ({"n_neighbors": 16}, "n_neighbors = 16 is out of range"),
        ({"n_neighbors": 1}, "n_neighbors = 1 is too few; take at least 2"),
    ],
)
def test_neighbor_explorer_refuses_other_rolls(change, why):
    points, sheet = swiss_roll(50)
    with pytest.raises(ValueError, match=why):
        neighbor_explorer(**({"points": points, "sheet": sheet} | change))


def test_neighbor_explorer_keeps_six_digits():
    points, sheet = swiss_roll(50)
    widget = neighbor_explorer(points * 1e-6, sheet * 1e4)
    np.testing.assert_allclose(
        widget.points, points * 1e-6, atol=1e-5 * np.abs(points).max() * 1e-6
    )
    np.testing.assert_allclose(widget.sheet, sheet * 1e4, atol=1e-5 * np.abs(sheet).max() * 1e4)
