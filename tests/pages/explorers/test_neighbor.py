"""The roll of Chapter 11 with its neighbour graph under the reader's hand."""

import re

import numpy as np
import pytest

from tests.pages.explorers.conftest import Shown, drag_by_finger

pytestmark = pytest.mark.slow

PATH = "chapters/11-manifolds.html"
# A point is a circle, a square or a triangle, which begin left, above left and above of it.
MARK = re.compile(r"M(-?[\d.]+) (-?[\d.]+)([ahl])")
BEGIN = {"a": (-1, 0), "h": (-0.9, -0.9), "l": (0, -1.3)}
# What is drawn of a state, and of each number of neighbours, no edge cut.
CURVE = """Array.from({ length: 14 }, (_, at) => {
    const asked = { ...state, n_neighbors: at + 2, cut: [] };
    const { apart, short, mass } = m.graphResult(asked, state, {});
    return apart ? null : [mass, short.length];
})"""


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "neighbor_explorer"
    RESULT = """(() => {
        const found = m.graphResult(state, state, {});
        const seen = state.points.slice(0, found.n);
        return { ...found, seen, sheet: state.sheet, all: state.points, words: m.verdict(found) };
    })()"""

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


def is_right(explorer):
    """Check tables and words of what is on show; return the edges most to blame."""
    found = explorer.result()
    counts = [str(len(found[edges])) for edges in ("edges", "short")]
    facts = [f"{found['mass']:.3f}", f"{100 * found['missed']:.1f} %"]
    assert explorer.facts() == counts + facts
    rows = [[*edge.values()] for edge in found["worst"][:3]]
    expected = [
        [f"{i}–{j}", f"{space:.1f}", f"{sheet:.1f}", f"{100 * share:.1f} %"]
        for i, j, space, sheet, share in rows
    ]
    assert explorer.blamed() == expected
    return [f"{i}–{j}" for i, j, *_ in rows]


def test_the_roll_stops_unrolling_at_seven_and_one_edge_is_to_blame(explorer):
    for kappa in (5, 6, 7, 8, 9, 10):
        assert explorer.neighbors.get_attribute("aria-valuetext") == f"{kappa} neighbours"
        is_right(explorer)
        assert explorer.banner().startswith(
            "The roll unrolls" if kappa < 7 else "The roll does not"
        )
        explorer.neighbors.press("ArrowRight")
    explorer.button("κ = 7, n = 100").click()
    assert is_right(explorer)[0] == "6–17"
    explorer.button("cut edge 6–17").press("Enter")
    assert is_right(explorer) == []
    assert explorer.state() == {"n_neighbors": 7, "cut": [[6, 17]]}
    explorer.page.keyboard.press("Enter")
    assert is_right(explorer)[0] == "6–17"
    assert explorer.state() == {"n_neighbors": 7}


def test_at_ten_neighbours_no_single_edge_is_to_blame(explorer):
    explorer.open(n_neighbors=10)
    first, second = is_right(explorer)
    explorer.button(f"cut edge {first}").click()
    assert explorer.banner().startswith("The roll does not unroll: 1 of")
    explorer.button(f"cut edge {second}").click()
    assert explorer.banner().startswith("The roll unrolls")
    is_right(explorer)
    explorer.button("put 2 edges back").click()
    assert is_right(explorer)[0] == first


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


def test_roll_and_map_are_drawn_as_they_were_computed(explorer):
    explorer.open(n_points=100, n_neighbors=9, cut=[[6, 17]], view=[0, 0])
    found = explorer.result()
    points, roll, sheet = (np.array(found[name]) for name in ("seen", "all", "sheet"))
    shapes = thirds(sheet)
    unit = 100 / np.linalg.norm(roll - roll.mean(axis=0), axis=1).max()
    centred = points - roll.mean(axis=0)
    behind, before = np.split(np.array(explorer.marks("roll", "kx-grain", 3.6), object), 2)
    for half, sign in ((behind, 1), (before, -1)):
        here = np.flatnonzero((centred[:, 1] > 0) == (sign > 0))
        expected = [(shapes[i], unit * centred[i, 0], -unit * centred[i, 2]) for i in here]
        agree([mark for path in half for mark in path], expected)
    places = np.reshape(found["points"], (-1, 2)) - sheet.mean(axis=0)
    unit = 170 / 0.72 / np.ptp(sheet, axis=0).max()
    expected = [(shapes[i], unit * x, -unit * y) for i, (x, y) in enumerate(places)]
    drawn = explorer.marks("map", "kx-grain", 3.6)
    agree([mark for path in drawn for mark in path], expected)
    count, short = (len(found[edges]) for edges in ("edges", "short"))
    for part in ("roll", "map"):
        assert explorer.edges(part) == [count - short, short, min(short, 1), 1]


def agree(found, expected):
    """Compare shapes and places of points, in any order."""
    assert [shape for shape, *_ in sorted(found)] == [shape for shape, *_ in sorted(expected)]
    for _, *place in expected:
        gaps = [np.hypot(x - place[0], y - place[1]) for _, x, y in found]
        assert min(gaps) < 0.3


@pytest.mark.parametrize("count", [40, 100, 200])
def test_the_curve_holds_the_negative_mass_of_each_number_of_neighbors(explorer, count):
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
    found = explorer.computed(CURVE)
    for kappa, (mass, short) in ((k, one) for k, one in enumerate(found, 2) if one):
        x, y = 30 + 296 * (kappa - 1.5) / 13.5, 118 - 110 * mass / 0.3
        expected[short > 0].append(("ah"[short > 0], x, y))
    for shown, marks in zip(drawn, expected, strict=True):
        agree(shown, marks)
    assert apart == found.count(None)
