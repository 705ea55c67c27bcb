"""The portable notebooks: the chapter's code, the book's numbers, and no markup of the book."""

import html
import json
import re
import subprocess
import sys
import types
from collections import Counter
from urllib.parse import unquote, urldefrag

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from _ext.html_postprocess import NODE
from _ext.site_config import read_address
from tests.build.conftest import HTML, NOTEBOOKS, PORTABLE, ROOT, portable, source
from tests.build.test_project import pins
from tests.pages.conftest import anchors, article_of

pytestmark = pytest.mark.slow

ADDRESS = read_address()
RAW = {
    "directive": re.compile(r"^[>\s]*(?::::+|```+)\s*\{|^[>\s]*:::", re.MULTILINE),
    "role": re.compile(r"\{[\w:-]+\}`"),
    "label": re.compile(r"^[>\s]*\([\w-]+\)=|^[>\s]*:\w+: ", re.MULTILINE),
    "label of a formula": re.compile(r"\$\$ \([\w-]+\)|\\label\{"),
    "node": re.compile(r"<\w+_node|docutils|None\b.*\bNone"),
    "key of a citation": re.compile(r"\[[a-z]+\d{4}\w?\]"),
}
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$", re.DOTALL)
LINK = re.compile(r"\]\((https?://[^)\s]+)\)")
CODE = re.compile(r"```.*?```|``.+?``|`[^`\n]+`", re.DOTALL)
pages = pytest.mark.parametrize("page", PORTABLE)


def words(text):
    """Return letters and digits outside formulas, for comparison of page and notebook."""
    text = re.sub(r"<(mjx-container|math)\b.*?</\1>|<[^>]+>", "", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]*\$|\\\(.*?\\\)", "", html.unescape(text), flags=re.DOTALL)
    return "".join(filter(str.isalnum, re.sub(r"\]\([^)]*\)", "", text)))


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_code_is_that_of_the_chapter_in_its_order(page):
    cells = [cell for cell in portable(page).cells if cell.cell_type == "code"]
    wanted = [cell for cell in source(page).cells if cell.cell_type == "code"]
    cells = cells[1:] if page in PORTABLE else cells
    assert [cell.source for cell in cells] == [cell.source for cell in wanted]
    assert [cell.outputs for cell in cells] == [cell.outputs for cell in wanted]


@pages
def test_no_markup_of_the_book_is_left(page, texts):
    text = CODE.sub("", texts[page])
    for what, pattern in RAW.items():
        assert [found[0] for found in pattern.finditer(text)] == [], what
    for what in ("role", "label of a formula"):
        assert RAW[what].search(texts[page]) is None


def test_the_search_for_markup_sees_what_the_chapters_hold():
    text = "\n\n".join(cell.source for page in PORTABLE for cell in source(page).cells)
    for what in ("directive", "role", "label", "label of a formula"):
        assert RAW[what].search(text), what


@pages
def test_notebook_is_valid_and_opens_a_python_kernel(page):
    notebook = portable(page)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert all(cell.source.strip() for cell in notebook.cells)


@pages
def test_first_cell_says_where_the_pictures_are(page):
    first = portable(page).cells[0].source
    assert first.startswith("# ")
    assert "pictures appear after the cells have run" in first
    assert f"]({ADDRESS.page(page)})" in first


@pages
def test_hidden_code_is_hidden(page):
    hidden = [
        cell.source for cell in source(page).cells if "hide-input" in cell.metadata.get("tags", [])
    ]
    found = [
        cell.source
        for cell in portable(page).cells
        if cell.metadata.get("jupyter", {}).get("source_hidden") and "cellView" in cell.metadata
    ]
    assert found == hidden


@pages
def test_headings_are_those_of_the_page(page, texts):
    found = re.findall(r"^(#+) (.+)$", CODE.sub("", texts[page]), re.MULTILINE)
    found = [
        (len(marks), words(title))
        for marks, title in found
        if not re.match("Exercise|Solution", title)
    ]
    wanted = re.findall(
        r"<h(\d)>(.*?)<a class=\"headerlink", article_of(f"{page}.html"), re.DOTALL
    )
    assert found == [(int(depth), words(title)) for depth, title in wanted]


@pages
def test_blocks_have_the_numbers_of_the_page(page, texts):
    numbers = (
        r"(Theorem|Definition|Proposition|Corollary|Lemma|Remark|Algorithm|Exercise) \d+\.\d+"
    )
    found = [
        m[0]
        for m in re.finditer(
            rf"(?:(?<=^> \*\*)|(?<=^### )|(?<=^#### )){numbers}", texts[page], re.M
        )
    ]
    shown = re.findall(
        r'<p class="admonition-title">\s*<span class="caption-number">(.*?)</span>',
        article_of(f"{page}.html"),
        re.DOTALL,
    )
    wanted = [words(title) for title in shown if re.search(r"\d", title)]
    assert [words(title) for title in found] == wanted


@pages
def test_captions_are_those_of_the_page(page, texts):
    found = re.findall(r"^\*\*Figure ([\d.]+)\.\*\* (.+)$", texts[page], re.MULTILINE)
    shown = re.findall(
        r'"caption-number">[\w.]+ ([\d.]+) </span><span class="caption-text">(.*?)</span><a',
        re.sub(r'<span class="stacked">\w+</span>', "", article_of(f"{page}.html")),
        re.DOTALL,
    )
    assert [(number, words(text)) for number, text in found] == [
        (number, words(text)) for number, text in shown
    ]
    count = sum("figure" in cell.metadata.get("mystnb", {}) for cell in source(page).cells)
    assert len(found) == count


@pages
def test_formulas_have_the_numbers_of_the_page(page, texts):
    found = re.findall(r"\\tag\{([\d.]+)\}", texts[page])
    wanted = re.findall(r'<span class="eqno">\(([\d.]+)\)', article_of(f"{page}.html"))
    assert found == wanted


@pages
def test_links_lead_to_published_pages(page, texts):
    for link in LINK.findall(texts[page]):
        if not link.startswith(ADDRESS.site):
            continue
        place, anchor = urldefrag(link.removeprefix(ADDRESS.site))
        target = HTML / (place or "index.html")
        assert target.is_file(), link
        assert not anchor or unquote(anchor) in anchors(target).ids, link
    assert re.search(r"\]\((?!https?://)", CODE.sub("", texts[page])) is None


@pages
def test_citations_read_as_author_and_year(page, texts):
    asked = sum(len(re.findall(r"\{cite:[tp]\}`", cell.source)) for cell in source(page).cells)
    cited = re.findall(r"bibliography\.html#", texts[page])
    assert len(cited) >= asked
    for text, _ in re.findall(r"\[([^\]]*)\]\(([^)]*bibliography\.html#[^)]*)\)", texts[page]):
        assert re.search(r"\d{4}|undated", text), text


@pages
def test_solutions_are_folded(page):
    notebook = portable(page)
    asked = sum(
        len(re.findall(r"^:::+\{solution(?:-start)?\}", cell.source, re.MULTILINE))
        for cell in source(page).cells
    )
    folded, open_section = 0, False
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        assert cell.source.count("<details>") == cell.source.count("</details>")
        folded += len(re.findall(r"<summary>Solution to Exercise [\d.]+</summary>", cell.source))
        if cell.source.startswith("#"):
            open_section = cell.metadata.get("jp-MarkdownHeadingCollapsed", False)
            if open_section:
                assert re.fullmatch(r"#+ Solution to Exercise [\d.]+", cell.source)
                assert cell.id in notebook.metadata.colab.collapsed_sections
                folded += 1
        elif open_section:
            assert re.match(r"<details>|\*\*Figure ", cell.source), cell.source
    assert folded == asked


def test_code_that_is_only_shown_stays_shown(texts):
    wanted = sum(
        len(re.findall(r"^```python", cell.source, re.MULTILINE))
        for page in PORTABLE
        for cell in source(page).cells
    )
    assert sum(text.count("```python") for text in texts.values()) == wanted > 0


class Colab(InteractiveShell):
    """A shell that notes what would be installed."""

    def run_line_magic(self, name, line, **options):
        """Note the command."""
        self.asked = getattr(self, "asked", [])
        self.asked.append((name, line))


@pages
def test_colab_installs_the_release_with_pins(page, monkeypatch):
    code = next(cell for cell in portable(page).cells if cell.cell_type == "code").source
    shell = Colab()
    assert shell.run_cell(code).success
    assert not hasattr(shell, "asked")
    google, colab = types.ModuleType("google"), types.ModuleType("google.colab")
    enabled = []
    colab.output = types.SimpleNamespace(enable_custom_widget_manager=lambda: enabled.append(1))
    google.colab = colab
    monkeypatch.setitem(sys.modules, "google", google)
    monkeypatch.setitem(sys.modules, "google.colab", colab)
    assert shell.run_cell(code).success
    ((name, line),) = shell.asked
    assert (name, enabled) == ("pip", [1])
    assert f'"kmds_lib @ {ADDRESS.repository}/archive/refs/tags/{ADDRESS.release}.tar.gz"' in line
    versions = dict(re.findall(r"(\S+)==(\S+)", line))
    assert {"anywidget", "ipywidgets"} <= versions.keys()
    assert versions.items() <= pins("requirements.txt").items()


def formulas(texts):
    """Return the formulas of all notebooks: in lines, and on lines of their own."""
    found = Counter()
    for text in texts.values():
        for display, inline in FORMULA.findall(CODE.sub("", text)):
            found[display or inline, bool(display)] += 1
    return [[formula, display] for formula, display in found]


def set_by_mathjax(asked):
    """Return the formulas that MathJax, without macros, finds a fault in."""
    run = subprocess.run(
        [NODE, ROOT / "_ext" / "formulas.cjs"],
        input=json.dumps({"macros": {}, "formulas": asked}),
        capture_output=True,
        text=True,
        check=True,
    )
    faults = json.loads(run.stdout)["faults"]
    return [formula for (formula, _), fault in zip(asked, faults, strict=True) if fault]


def test_katex_and_mathjax_set_every_formula(texts, chromium):
    page = chromium.new_page()
    page.add_script_tag(path=ROOT / "_ext/browser/node_modules/katex/dist/katex.min.js")
    program = """(all) => all.filter(([formula, displayMode]) => {
        try { return !katex.renderToString(formula, {displayMode, strict: false}); }
        catch { return true; }
    })"""
    asked = formulas(texts)
    assert len(asked) > 1500
    planted = [[r"\undefinedword x", False]]
    assert page.evaluate(program, planted) == planted
    assert set_by_mathjax(planted) == [r"\undefinedword x"]
    assert page.evaluate(program, asked) == []
    assert set_by_mathjax(asked) == []
    page.close()
