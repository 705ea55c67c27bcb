"""The laboratory: it reads a table, draws the right map, saves it, and explains bad input."""

import csv
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.spatial import procrustes
from scipy.spatial.distance import squareform

from kmds_lib import classical_scaling, load_eurodist, smacof
from tests.pages.conftest import HTML, PHONE, is_broken
from tests.pages.explorer import Explorer, centre, drag, drag_by_finger, drawn_numbers
from tests.web.laboratory_helpers import csv_text, run_python

PATH = "chapters/laboratory.html"
SVG = "{http://www.w3.org/2000/svg}"


class Laboratory(Explorer):
    """The laboratory in an open tab."""

    def __init__(self, tab):
        super().__init__(tab, "laboratory")

    def wait_until_started(self):
        """Wait until the laboratory has drawn its first map."""
        super().wait_until_started()
        self.wait()

    def wait(self):
        """Wait until no computation is under way."""
        expect(self.part("busy")).to_be_hidden(timeout=20_000)

    def press(self, *names):
        """Press buttons one after the other, and wait for the result of each."""
        for name in names:
            self.button(name).click()
            self.wait()

    def unfold(self, name):
        """Open a fold by its class."""
        self.figure.locator(f"details.{name}").evaluate("(fold) => { fold.open = true; }")

    def fill(self, text):
        """Put a text into the field."""
        self.unfold("kl-input")
        self.part("text").evaluate("(box, text) => { box.value = text; }", text)

    def paste(self, text):
        """Put a text into the field and have it read."""
        self.fill(text)
        self.press("draw the map")

    def save(self, name, path):
        """Press a button that saves a file, and return the path of the file."""
        with self.page.expect_download() as found:
            self.button(name).click()
        found.value.save_as(path)
        return path

    @property
    def summary(self):
        """Return the report of the laboratory on the table that it read."""
        return "\n".join(self.part(name).inner_text() for name in ("summary", "question"))

    @property
    def places(self):
        """Return the places of the marks on the map."""
        marks = self.figure.locator(".kl-points path")
        return np.array([move[:2] for move in drawn_numbers(marks, "transform")])


@pytest.fixture
def laboratory(open_tab):
    """Open the laboratory in its first state."""
    return Laboratory(open_tab(PATH))


def points_of(path):
    """Return names and coordinates in a file of points."""
    header, *rows = csv.reader(path.read_text("utf-8").splitlines())
    assert header[0] == "name"
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float)


def is_same_map(places, points):
    """Compare a drawing with points, up to one scale and a translation."""
    places, points = places - places.mean(axis=0), points - points.mean(axis=0)
    scale = (places * points).sum() / (points**2).sum()
    assert scale > 0
    np.testing.assert_allclose(places, scale * points, atol=0.02)


# Reading tables

ROAD_TABLE = ",a,b,c,d\na,0,3,4,5\nb,3,0,5,6\nc,4,5,0,7\nd,5,6,7,0"


def test_the_code_of_a_pasted_table_reproduces_its_saved_map(laboratory, tmp_path):
    laboratory.paste(ROAD_TABLE)
    names, points = points_of(laboratory.save("coordinates as CSV", tmp_path / "points.csv"))
    assert names == ["a", "b", "c", "d"]
    table = laboratory.save("table as CSV", tmp_path / "table.csv").read_text("utf-8")
    found = run_python(tmp_path, table, laboratory.part("python").text_content())
    np.testing.assert_allclose(found["points"], points, atol=1e-9)


def drop(laboratory, text, name=None):
    """Drop a text, or a file with this name that contains it, on the laboratory."""
    data = laboratory.page.evaluate_handle("new DataTransfer()")
    add = "data.items.add(new File([text], name))" if name else "data.setData('text', text)"
    data.evaluate(f"(data, [text, name]) => {add}", [text, name])
    laboratory.figure.locator(".kl").dispatch_event("drop", {"dataTransfer": data})


def test_dropped_texts_and_files_and_chosen_files_are_read(laboratory, tmp_path):
    summary, matrix = laboratory.part("summary"), "4 1 2\n1 9 3\n2 3 16"
    laboratory.unfold("kl-input")
    drop(laboratory, matrix)
    expect(summary).to_contain_text("3 objects, similarities")
    drop(laboratory, "x;y\n1,5;2\n3;4\n5;7", "b.csv")
    expect(summary).to_contain_text("3 objects, 2 variables (x, y)")
    path = tmp_path / "a.csv"
    path.write_text("0,1\n1,0")
    with laboratory.page.expect_file_chooser() as chooser:
        laboratory.unfold("kl-input")
        laboratory.figure.locator('input[type="file"]').click()
    chooser.value.set_files(path)
    expect(summary).to_contain_text("2 objects")
    laboratory.unfold("kl-table")
    laboratory.press("points")
    expect(summary).to_contain_text("2 objects, 2 variables")


def test_a_pasted_text_is_read_and_a_typed_text_dims_the_map(laboratory):
    opacity = "(element) => Number(getComputedStyle(element).opacity)"
    box, out = laboratory.part("text"), laboratory.part("out")
    verdict = laboratory.figure.locator(".kx-banner")
    box.press_sequentially("0 3\n3 0")
    assert "21 cities" in laboratory.summary
    expect(out).to_have_attribute("inert", "")
    assert verdict.evaluate(opacity) < 0.5
    box.clear()
    expect(out).not_to_have_attribute("inert", "")
    assert verdict.evaluate(opacity) == 1
    box.fill("0 3\n3 0")
    expect(laboratory.part("summary")).to_contain_text("2 objects")
    expect(out).not_to_have_attribute("inert", "")


PASTE = """(box, data) =>
    box.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertFromPaste", data }))"""


def test_bad_input_is_explained_and_markup_is_not_executed(laboratory):
    laboratory.part("text").evaluate(PASTE, "1 2 3 4 5 6 7 8 9 0\n" * 500_000)
    rejection = laboratory.part("rejected")
    expect(rejection).to_contain_text("more than 6 million characters")
    expect(rejection).to_be_in_viewport()
    expect(laboratory.part("out")).to_have_attribute("inert", "")
    laboratory.paste(",a,b,c\na,0,-1,4\nb,-1,0,5\nc,4,5,0")
    assert laboratory.figure.locator(".kl-wrong").first.inner_text()
    laboratory.paste("Ada,0,3,4\n<i>Bo</i>,3,0,5\nCleo,4,5,0")
    assert "3 objects" in laboratory.summary
    assert "<i>Bo</i>" in laboratory.figure.locator(".kl-labels").text_content()
    assert laboratory.figure.locator(".kl-points path").count() == 3


def test_a_phone_shows_methods_and_map_of_a_new_table(open_tab):
    laboratory = Laboratory(open_tab(PATH, **PHONE))
    laboratory.paste("Bern\t\t\n100\tBasel\t\n150\t250\tGenf")
    for part in (laboratory.part("methods"), laboratory.figure.locator(".kl-map")):
        expect(part).to_be_in_viewport(ratio=1)
    assert "3 objects, dissimilarities" in laboratory.summary
    laboratory.unfold("kl-table")
    rows = laboratory.figure.locator(".kl-excerpt tr").all_inner_texts()
    assert [row.split() for row in rows[1:]] == [
        ["Bern", "0", "100", "150"],
        ["Basel", "100", "0", "250"],
        ["Genf", "150", "250", "0"],
    ]


def test_a_matrix_without_distances_needs_kernel_pca(laboratory):
    laboratory.press("classical scaling")
    laboratory.paste("1 3 0\n3 1 0\n0 0 1")
    banner = laboratory.figure.locator(".kx-banner")
    expect(banner).to_contain_text("K[1, 0] = -4 is negative")
    expect(laboratory.part("answer")).to_be_hidden()
    laboratory.press("kernel PCA")
    expect(laboratory.part("answer")).to_be_visible()
    assert laboratory.figure.locator(".kl-points path").count() == 3


# Methods and figures


def test_stress_on_the_page_agrees_with_the_library(laboratory):
    laboratory.unfold("kl-compare")
    laboratory.press("keep this map", "stress")
    assert laboratory.figure.locator(".kl-other-map circle").count() == 21
    D = load_eurodist().distances
    disparity = procrustes(smacof(D, tol=1e-6).points, classical_scaling(D).points)[2]
    assert f"m\u00b2 = {disparity:.3f}" in laboratory.part("compared").inner_text()
    laboratory.press("end the comparison")
    assert laboratory.part("compared").text_content() == ""


def test_columns_of_a_data_matrix_colour_and_label_the_map(laboratory):
    assert not laboratory.part("colour").is_visible()
    laboratory.press("irises")
    laboratory.part("colour").select_option(label="petal length")
    assert laboratory.part("legend").locator("svg").count() == 5
    laboratory.part("labels").select_option(label="species")
    labels = laboratory.figure.locator(".kl-labels text").all_text_contents()
    assert {"setosa", "virginica"} <= set(labels)
    laboratory.press("arrows for the variables")
    titles = laboratory.figure.locator(".kl-property").all_text_contents()
    assert sorted(titles) == ["petal length", "petal width", "sepal length", "sepal width"]


def test_variables_in_different_units_get_unit_variance(laboratory):
    laboratory.paste(
        "screen,battery,price\n6.1,3300,900\n6.7,5000,400\n5.4,4200,300\n6.2,3900,700"
    )
    banner = laboratory.figure.locator(".kx-banner")
    expect(banner).to_contain_text("battery and price")
    laboratory.press("scale all to unit variance")
    expect(banner).not_to_contain_text("battery")


def test_a_long_fit_shows_its_steps_and_stops(laboratory):
    table = squareform(np.random.default_rng(5).uniform(1, 2, size=124_750).round(3))
    laboratory.press("stress")
    laboratory.fill(csv_text(table))
    laboratory.button("draw the map").click()
    expect(laboratory.part("busy")).to_contain_text("steps", timeout=20_000)
    laboratory.figure.locator('[data-do="stop"]').click()
    laboratory.wait()
    report = laboratory.part("report").inner_text()
    assert "of 500 objects" in report
    assert int(re.search(r"\((\d+) steps\)", report)[1]) < 400
    assert laboratory.figure.locator(".kl-points path").count() == 500


def test_dimensions_and_stability_are_compared_with_chance(laboratory):
    laboratory.press("Compare with permuted data")
    expect(laboratory.part("chance")).to_contain_text("of them", timeout=20_000)
    assert laboratory.part("curve").locator("circle").count() == 6
    laboratory.press("How stable is the map?")
    stable = laboratory.part("stable")
    expect(stable).to_contain_text("21 of 21 objects were left out in turn", timeout=20_000)
    assert laboratory.figure.locator(".kl-clouds path").count() == 21


# The map: viewed, zoomed, rotated, linked and saved


def test_neighbours_are_shown_by_hover_list_and_touch(open_tab):
    laboratory = Laboratory(open_tab(PATH, **PHONE))
    near, first = laboratory.part("near"), laboratory.figure.locator(".kl-points path").first
    D = load_eurodist()
    for name in ("Paris", "Rome"):
        laboratory.part("object").select_option(label=name)
        row = D.distances[D.labels.index(name)]
        nearest = np.argsort(row)[1]
        expect(near).to_contain_text(f"{name}: nearest in the table {D.labels[nearest]}")
    laboratory.page.mouse.move(*centre(first))
    expect(near).to_contain_text("Athens: nearest")
    laboratory.part("object").select_option(label="Paris")
    laboratory.page.touchscreen.tap(*centre(first))
    expect(near).to_contain_text("Athens: nearest")
    assert laboratory.figure.locator(".kl-nearest").count() == 3


def test_keys_and_mouse_zoom_and_rotate_the_map(laboratory):
    map_ = laboratory.figure.locator(".kl-map")
    seen = [laboratory.places]
    for key in ("+", "ArrowLeft", "-", "0"):
        map_.press(key)
        seen.append(laboratory.places)
    assert len(np.unique(seen[:3], axis=0)) == 3
    np.testing.assert_array_equal(seen[-1], seen[0])
    laboratory.press("3")
    before = laboratory.places
    x, y = centre(map_)
    drag(laboratory.page, (x, y), (x + 30, y - 10), (x + 60, y - 20))
    assert (laboratory.places != before).any()


def pinch(tab, x, y):
    """Move two fingers apart to twice their distance."""
    device = tab.context.new_cdp_session(tab.page)
    for kind, reach in (("touchStart", 30), ("touchMove", 45), ("touchMove", 60)):
        fingers = [{"x": x - reach, "y": y, "id": 0}, {"x": x + reach, "y": y, "id": 1}]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_two_fingers_zoom_and_one_finger_moves_the_map(open_tab):
    laboratory = Laboratory(open_tab(PATH, **PHONE))
    whole = np.ptp(laboratory.places, axis=0)
    x, y = centre(laboratory.figure.locator(".kl-map"))
    for _ in range(3):  # a browser that is kept waiting drops the gesture
        pinch(laboratory.tab, x, y)
        if np.ptp(laboratory.places, axis=0)[0] > 1.01 * whole[0]:
            break
    np.testing.assert_allclose(np.ptp(laboratory.places, axis=0), 2 * whole, rtol=1e-3)
    before = laboratory.places
    drag_by_finger(laboratory.tab, (x, y), (x + 20, y + 12), (x + 40, y + 24))
    np.testing.assert_allclose(laboratory.places - before, [[40, 24]] * 21, atol=0.1)
    laboratory.press("whole map")
    np.testing.assert_allclose(np.ptp(laboratory.places, axis=0), whole, rtol=1e-3)


def test_keys_reach_every_button(laboratory):
    laboratory.button("colours").press("Enter")
    laboratory.wait()
    assert "14 colours" in laboratory.summary
    laboratory.button("kernel MDS").press("Space")
    laboratory.wait()
    theta = laboratory.part("parameter").inner_text()
    laboratory.part("width").press("ArrowRight")
    expect(laboratory.part("parameter")).not_to_have_text(theta)
    laboratory.button("median rule").press("Enter")
    laboratory.wait()
    expect(laboratory.part("parameter")).to_have_text(theta)
    reached = set()
    laboratory.part("text").focus()
    for _ in range(60):
        reached.add(laboratory.page.evaluate("document.activeElement.textContent.trim()"))
        laboratory.page.keyboard.press("Tab")
    visible = laboratory.figure.locator(".kl button:visible:not([disabled])").all_inner_texts()
    assert set(visible) <= reached


def test_drawing_and_coordinates_are_one_map(laboratory, tmp_path):
    laboratory.press("stress", "rotate", "flip")
    drawing = ET.parse(laboratory.save("map as SVG", tmp_path / "map.svg"))
    layer = next(g for g in drawing.iter(f"{SVG}g") if g.get("class") == "kl-points")
    moves = [re.findall(r"-?[\d.]+", path.get("transform"))[:2] for path in layer]
    _, points = points_of(laboratory.save("coordinates as CSV", tmp_path / "points.csv"))
    is_same_map(np.array(moves, dtype=float) * [1, -1], points)
    is_same_map(laboratory.places * [1, -1], points)


def test_a_link_restores_choices_comparison_and_view(laboratory, open_tab):
    laboratory.press("irises", "kernel PCA")
    laboratory.figure.locator('[data-choice="kernel"]').select_option("Exponential")
    laboratory.wait()
    laboratory.unfold("kl-compare")
    laboratory.press("keep this map", "stress", "rotate")
    other = Laboratory(open_tab(PATH + laboratory.page.evaluate("location.search")))
    for part in ("report", "compared"):
        expect(other.part(part)).to_have_text(laboratory.part(part).inner_text())
    np.testing.assert_allclose(other.places, laboratory.places, atol=0.1)
    other.open(choices={"method": 7, "dimensions": [3], "kept": {"method": 7}})
    expect(other.part("report")).to_contain_text("21 cities in two dimensions")


def test_a_link_says_if_it_does_not_contain_the_data(laboratory, open_tab):
    laboratory.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = laboratory.figure.locator(".kx-link")
    laboratory.paste("name,x,y,kind\na,0,0,u\nb,3,0,u\nc,0,4,v\nd,5,5,v")
    copy.click()
    expect(copy).to_have_text("link copied")
    address = laboratory.page.evaluate("navigator.clipboard.readText()")
    other = Laboratory(open_tab(address.removeprefix(f"{laboratory.tab.site}/")))
    assert other.figure.locator(".kl-labels text").all_text_contents() == list("abcd")
    np.testing.assert_allclose(other.places, laboratory.places, atol=0.1)
    expect(other.part("colour")).to_contain_text("group (as read)")
    laboratory.paste("\n".join(f"{i},{i * i % 97},{i**3 % 89},{i * i}" for i in range(500)))
    copy.click()
    expect(copy).to_have_text("link copied, without your data")


LONG_NAMES = [f"object {i}, {'of a long name ' * (i % 4)}".strip() for i in range(1, 10)]
NAMED_TABLE = "name,a,b,c,kind\n" + "\n".join(
    f'"{name}",{i % 3},{(i * i) % 7},{(5 * i) % 4},{"odd" if i % 2 else "even"}'
    for i, name in enumerate(LONG_NAMES)
)


def test_a_saved_drawing_is_complete_and_light(laboratory, tmp_path):
    laboratory.paste(NAMED_TABLE)
    light = laboratory.save("map as SVG", tmp_path / "map.svg").read_text("utf-8")
    drawing = ET.fromstring(light)
    words = {"".join(text.itertext()) for text in drawing.iter(f"{SVG}text")}
    assert {"odd", "even", *LONG_NAMES} <= words
    assert "url(data:font/woff2;base64," in light
    laboratory.tab.set_theme("dark")
    assert laboratory.save("map as SVG", tmp_path / "dark.svg").read_text("utf-8") == light
    png = laboratory.save("map as PNG", tmp_path / "map.png").read_bytes()
    width = int.from_bytes(png[16:20], "big")
    assert width == pytest.approx(float(drawing.get("width")) * 300 / 96, abs=0.5)


# The page


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_the_link_on_the_preface_opens_the_field_for_a_table(open_tab, options):
    page = open_tab("chapters/preface.html", **options).page
    page.get_by_role("link", name="Map your own data").click()
    field = page.get_by_role("textbox", name="Your own table")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)


def test_a_table_is_kept_after_a_reload_until_it_is_deleted(laboratory):
    laboratory.paste("from,to,km\nA,B,3\nA,C,4\nB,D,5\nC,D,4\nB,C,2\n")
    laboratory.press("fit by stress without them")
    places = laboratory.places
    laboratory.page.reload()
    laboratory.wait_until_started()
    assert "1 of 6 dissimilarities is missing" in laboratory.summary
    np.testing.assert_allclose(laboratory.places, places)
    laboratory.tab.goto(PATH)
    laboratory.wait_until_started()
    expect(laboratory.part("summary")).to_contain_text("21 cities")
    laboratory.press("my table")
    assert "1 of 6 dissimilarities is missing" in laboratory.summary
    laboratory.unfold("kl-input")
    laboratory.part("text").press_sequentially("1")
    laboratory.press("my table")
    expect(laboratory.part("out")).not_to_have_attribute("inert", "")
    laboratory.unfold("kl-input")
    laboratory.press("delete my table from this browser")
    laboratory.page.reload()
    laboratory.wait_until_started()
    expect(laboratory.part("summary")).to_contain_text("21 cities")
    laboratory.paste(ROAD_TABLE)
    laboratory.page.evaluate("localStorage.clear()")  # the table is deleted in another tab
    laboratory.press("my table")
    assert "was deleted" in laboratory.summary


def test_words_link_to_existing_sections(laboratory):
    script = (HTML / "_static" / "laboratory.js").read_text("utf-8")
    sections = set(re.findall(r'"(\d\d-[\w-]+\.html#[\w-]+)"', script))
    assert len(sections) > 15
    words = laboratory.figure.locator('[data-part="out"] a')
    links = words.evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    assert [link for link in {*links, *sections} if is_broken(HTML / PATH, link)] == []
