"""The roll of Chapter 11 with its neighbour graph under the reader's hand, against the library."""

import json
import re

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from kmds_lib import classical_scaling, distances, isomap, procrustes_align
from tests.book.conftest import source_of
from tests.book.explorers.conftest import Shown, drag_by_finger, time_on_a_phone

pytestmark = pytest.mark.slow

PATH = "chapters/11-manifolds.html"
NAME = "neighbor_explorer"
# A point is a circle, a square or a triangle, which begin left, above left and above of it.
MARK = re.compile(r"M(-?[\d.]+) (-?[\d.]+)([ahl])")
BEGIN = {"a": (-1, 0), "h": (-0.9, -0.9), "l": (0, -1.3)}


@pytest.fixture(scope="module")
def roll():
    """Return points and sheet as the page holds them."""
    page = source_of(PATH).partition(f'data-name="{NAME}"')[2]
    state = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page)[1])
    return np.array(state["points"]), np.array(state["sheet"])


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "neighbor_explorer"

    def __init__(self, tab):
        super().__init__(tab)
        self.neighbors, self.points = self.figure.locator('input[type="range"]').all()

    def facts(self):
        """Return edges, short circuits, negative mass and missed share, as they are written."""
        return self.part("facts").locator("td").all_inner_texts()

    def blamed(self):
        """Return the rows of short circuits: name, both lengths, share of the paths."""
        return [row[:4] for row in self.rows("blame") if "–" in row[0]]

    def marks(self, part, name, radius):
        """Return shapes and places of the points that the paths of a class draw, path by path."""
        paths = (
            self.part(part)
            .locator(f"path.{name}")
            .evaluate_all("paths => paths.map((path) => path.getAttribute('d') ?? '')")
        )
        return [
            [
                (shape, *(np.array([x, y], float) - radius * np.array(BEGIN[shape])))
                for x, y, shape in MARK.findall(path)
            ]
            for path in paths
        ]

    def edges(self, part):
        """Return how many edges are drawn: plain ones, short circuits, the worst, cut ones."""
        count = (
            "paths => paths.map((path) => path.getAttribute('d').match(/M[^M]*L/g)?.length ?? 0)"
        )
        drawn = self.part(part).locator("path:not(.kx-grain)").evaluate_all(count)
        far, wires, gone, wrong, worst = drawn
        return [far + wires, wrong, worst, gone]

    def turned(self):
        return self.figure.locator(".kx-turntable").get_attribute("aria-valuetext")


def graph_of(roll, count, kappa, cut=()):
    """Return the lengths of a graph without some edges, and which of them are short circuits."""
    points, sheet = (part[:count] for part in roll)
    lengths = isomap(points, n_neighbors=kappa).graph.toarray()
    for pair in cut:
        lengths[pair] = lengths[pair[::-1]] = 0
    return lengths, (lengths > 0) & (distances(sheet) > 2 * distances(points))


def facts_of(roll, count, kappa, cut=()):
    """Return what the figures are to say, by the library."""
    lengths, bad = graph_of(roll, count, kappa, cut)
    fit = classical_scaling(shortest_path(lengths))
    sheet = roll[1][:count]
    left = procrustes_align(fit.points, target=sheet).residual ** 2
    missed = left / np.sum((sheet - sheet.mean(axis=0)) ** 2)
    counts = [str(np.count_nonzero(np.triu(edges))) for edges in (lengths, bad)]
    return [*counts, f"{fit.negative_mass:.3f}", f"{100 * missed:.1f} %"]


def blamed_by(roll, count, kappa):
    """Return the three short circuits that most shortest paths run over, as they are written."""
    lengths, bad = graph_of(roll, count, kappa)
    paths, sheet = shortest_path(lengths), distances(roll[1][:count])
    upper, rows = np.triu_indices(count, 1), []
    for i, j in np.argwhere(np.triu(bad)):
        over = paths[:, [i]] + lengths[i, j] + paths[j]
        share = np.mean(np.minimum(over, over.T)[upper] <= paths[upper] * (1 + 1e-10))
        rows.append((share, f"{i}–{j}", f"{lengths[i, j]:.1f}", f"{sheet[i, j]:.1f}"))
    rows.sort(key=lambda row: -row[0])
    return [[*words, f"{100 * share:.1f} %"] for share, *words in rows[:3]]


def test_the_roll_stops_unrolling_at_seven_and_one_edge_is_to_blame(explorer, roll):
    for kappa in (5, 6, 7, 8, 9, 10):
        assert explorer.neighbors.get_attribute("aria-valuetext") == f"{kappa} neighbours"
        assert explorer.facts() == facts_of(roll, 100, kappa)
        assert explorer.blamed() == blamed_by(roll, 100, kappa)
        assert explorer.banner().startswith(
            "The roll unrolls" if kappa < 7 else "The roll does not"
        )
        explorer.neighbors.press("ArrowRight")
    explorer.button("κ = 7, n = 100").click()
    assert "Edge 6–17 is 6.7 long in space and 44.8 on the sheet" in explorer.banner()
    explorer.button("cut edge 6–17").press("Enter")
    freed = facts_of(roll, 100, 7, [(6, 17)])
    assert explorer.facts() == freed
    assert explorer.blamed() == []
    assert (
        f"Without edge 6–17 the negative mass is {freed[2]}; with it it was 0.217."
        in explorer.banner()
    )
    assert explorer.state() == {"n_neighbors": 7, "cut": [[6, 17]]}
    explorer.page.keyboard.press("Enter")
    assert explorer.facts() == facts_of(roll, 100, 7)
    assert explorer.state() == {"n_neighbors": 7}


def test_at_ten_neighbours_no_single_edge_is_to_blame(explorer, roll):
    for _ in range(5):
        explorer.neighbors.press("ArrowRight")
    names = [name for name, *_ in explorer.blamed()]
    explorer.button(f"cut edge {names[0]}").click()
    assert explorer.banner().startswith("The roll does not unroll: 1 of")
    explorer.button(f"cut edge {names[1]}").click()
    assert explorer.banner().startswith("The roll unrolls")
    pairs = [tuple(map(int, name.split("–"))) for name in names]
    assert explorer.facts() == facts_of(roll, 100, 10, pairs)
    explorer.button("put 2 edges back").click()
    assert explorer.blamed() == blamed_by(roll, 100, 10)


def test_mouse_and_keys_turn_the_roll_and_leave_the_map(explorer):
    drawn = (
        explorer.part("map").locator(".kx-grain").evaluate_all("e => e.map((p) => p.outerHTML)")
    )
    stage = explorer.figure.locator(".kx-turntable")
    stage.focus()
    for key, times in (("ArrowRight", 7), ("ArrowUp", 4)):
        for _ in range(times):
            stage.press(key)
    assert explorer.turned() == "turned by 0 degrees, tilted by 0"
    assert explorer.button("from the side").get_attribute("aria-pressed") == "true"
    x, y = explorer.centre(stage)
    explorer.page.mouse.move(x, y)
    explorer.page.mouse.down()
    explorer.page.mouse.move(x - 50, y + 100, steps=4)
    assert explorer.turned() == "turned by 30 degrees, tilted by 60"
    explorer.page.mouse.move(x, y + 900)
    explorer.page.mouse.up()
    assert explorer.turned() == "turned by 0 degrees, tilted by 90"
    assert explorer.state() == {"view": [0, 90]}
    grains = explorer.part("map").locator(".kx-grain")
    assert grains.evaluate_all("e => e.map((p) => p.outerHTML)") == drawn


@pytest.mark.timed
def test_an_update_of_200_points_is_quick_on_a_slow_processor(explorer):
    assert time_on_a_phone(explorer.points, first=200, step=-1) <= 200


def test_a_finger_turns_the_roll_and_moves_a_slider(phone):
    stage = phone.figure.locator(".kx-stage")
    before, (x, y) = phone.turned(), phone.centre(stage)
    drag_by_finger(phone.tab, (x, y), (x + 40, y))
    assert phone.turned() != before
    assert phone.state()["view"][1] == 20
    phone.neighbors.scroll_into_view_if_needed()
    box = phone.neighbors.bounding_box()
    assert box["height"] >= 44
    phone.page.touchscreen.tap(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    assert phone.banner().startswith("The roll does not unroll")


def thirds(sheet):
    """Return the shape of each point: circles, squares, triangles along the sheet."""
    along = sheet[:, 0]
    part = (along - along.min()) / (along.max() - along.min())
    return ["ahl"[min(2, int(3 * share))] for share in part]


def test_roll_and_map_are_drawn_as_the_library_has_them(explorer, roll):
    explorer.open(n_points=100, n_neighbors=9, cut=[[6, 17]], view=[0, 0])
    points, sheet = (part[:100] for part in roll)
    shapes = thirds(roll[1])[:100]
    centred = roll[0] - roll[0].mean(axis=0)
    unit = 100 / np.linalg.norm(centred, axis=1).max()
    behind, before = np.split(np.array(explorer.marks("roll", "kx-grain", 3.6), object), 2)
    for half, sign in ((behind, 1), (before, -1)):
        here = [i for i in range(100) if (points[i, 1] > roll[0][:, 1].mean()) == (sign > 0)]
        expected = [(shapes[i], unit * centred[i, 0], -unit * centred[i, 2]) for i in here]
        agree([mark for path in half for mark in path], expected)
    lengths, bad = graph_of(roll, 100, 9, [(6, 17)])
    fit = classical_scaling(shortest_path(lengths))
    places = procrustes_align(fit.points, target=sheet).points - roll[1].mean(axis=0)
    unit = 170 / 0.72 / np.ptp(roll[1], axis=0).max()
    expected = [(shapes[i], unit * x, -unit * y) for i, (x, y) in enumerate(places)]
    drawn = explorer.marks("map", "kx-grain", 3.6)
    agree([mark for path in drawn for mark in path], expected)
    count, short = (np.count_nonzero(np.triu(edges)) for edges in (lengths, bad))
    for part in ("roll", "map"):
        assert explorer.edges(part) == [count - short, short, min(short, 1), 1]


def agree(found, expected):
    """Compare shapes and places of points, in any order."""
    assert [shape for shape, *_ in sorted(found)] == [shape for shape, *_ in sorted(expected)]
    for _, *place in expected:
        gaps = [np.hypot(x - place[0], y - place[1]) for _, x, y in found]
        assert min(gaps) < 0.3


@pytest.mark.parametrize("count", [40, 100, 200])
def test_the_curve_holds_the_negative_mass_of_each_number_of_neighbors(explorer, roll, count):
    explorer.open(n_points=count)
    curve = explorer.part("curve")
    crosses = curve.locator(".kx-apart")
    for _ in range(100):
        drawn = [explorer.marks("curve", name, 4.5)[0] for name in ("kx-bar-kept", "kx-bar-minus")]
        apart = len(re.findall("M", crosses.get_attribute("d")))
        if sum(map(len, drawn)) + apart == 14:
            break
        explorer.page.wait_for_timeout(50)
    expected = [], []
    for kappa in range(2, 16):
        try:
            _, short, mass, _ = facts_of(roll, count, kappa)
        except ValueError:
            continue
        x, y = 30 + 296 * (kappa - 1.5) / 13.5, 118 - 110 * float(mass) / 0.3
        expected[short != "0"].append(("ah"[short != "0"], x, y))
    for found, marks in zip(drawn, expected, strict=True):
        agree(found, marks)
    assert apart == 14 - sum(map(len, expected))


@pytest.mark.parametrize("count", [40, 60, 150])
def test_a_graph_with_too_few_edges_is_told_by_its_detours(explorer, roll, count):
    explorer.open(n_points=count, n_neighbors=2)
    *_, mass, missed = facts_of(roll, count, 2)
    upper = np.tril_indices(count, -1)
    paths = shortest_path(graph_of(roll, count, 2)[0])[upper]
    ratios = np.sort(paths / distances(roll[1][:count])[upper])
    gap = "is farther from the sheet than one point would be"
    if count < 150:
        gap = f"misses {missed} of the sheet"
    assert explorer.banner() == (
        "No edge is a short circuit, and yet the map is not the sheet. Its edges are few: the "
        f"median path is {ratios[len(ratios) // 2]:.2f} times as long as on the sheet. "
        f"The map {gap}, and the negative mass is {mass}."
    )
    assert explorer.facts() == facts_of(roll, count, 2)
