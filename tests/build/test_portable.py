"""Portable notebooks have the code of the chapters and the numbers of the book, and they run."""

import html
import os
import re
import subprocess
import sys
import types
from pathlib import Path
from urllib.parse import unquote, urldefrag

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from _ext.node import run_node
from _ext.portable import is_graded
from _ext.site_config import ROOT, read_site_config
from tests.build.conftest import HTML, NOTEBOOKS, article, portable, source
from tools.binder_folder import assemble

pytestmark = pytest.mark.slow

SITE = read_site_config()
MARKUP = re.compile(
    r"^[>\s]*(?::::+|```+\s*\{)"  # a directive
    r"|\{[\w:-]+\}`"  # a role
    r"|^[>\s]*\([\w-]+\)=|^[>\s]*:\w+: |\$\$ \([\w-]+\)|\\label\{"  # a label
    r"|\[[a-z]+\d{4}\w?\]"  # a citation key
    r"|<\w+_node",
    re.MULTILINE,
)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$", re.DOTALL)
CODE = re.compile(r"```.*?```|``.+?``|`[^`\n]+`", re.DOTALL)
# Without the rule text_join, signs after a backslash are not part of the text.
PARSER = MarkdownIt("commonmark").enable("table").disable("text_join").use(dollarmath_plugin)


def plain(text):
    """Return letters and digits outside formulas, to compare HTML with Markdown."""
    text = re.sub(r"<(mjx-container|math)\b.*?</\1>|<[^>]+>", "", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]*\$|\\\(.*?\\\)", "", html.unescape(text), flags=re.DOTALL)
    return "".join(filter(str.isalnum, re.sub(r"\]\([^)]*\)", "", text)))


@pytest.fixture(scope="module")
def binder_folder(tmp_path_factory):
    """Return the folder that Binder and Colab open."""
    folder = tmp_path_factory.mktemp("release") / "portable"
    assemble(HTML / "notebooks", folder)
    return folder


def test_notebook_has_the_code_of_the_chapter():
    for page in NOTEBOOKS:
        cells = [cell for cell in portable(page).cells if cell.cell_type == "code"]
        expected = [cell for cell in source(page).cells if cell.cell_type == "code"]
        found = cells[len(cells) - len(expected) :]
        assert [cell.source for cell in found] == [cell.source for cell in expected], page
        assert [cell.outputs for cell in found] == [cell.outputs for cell in expected], page


def test_no_markup_of_the_book_is_left(texts):
    for page, text in texts.items():
        assert MARKUP.search("\n".join(cell.source for cell in source(page).cells))
        assert [found[0] for found in MARKUP.finditer(CODE.sub("", text))] == [], page


def literal_marks(text):
    """Yield the texts in which a mark of Markdown is shown as it is, without a backslash."""
    for block in PARSER.parse(text):
        for part in block.children or [block]:
            shown = re.sub(r"<[^>]+>", "", part.content) if "html" in part.type else part.content
            if part.type in ("text", "html_block") and re.search(r"[*_`~$\[]", shown):
                yield shown


def test_no_mark_of_markdown_is_shown(texts):
    assert list(literal_marks("**Right. **The *first* $a_1$, `b_2` or \\*")) == ["**Right. **The "]
    assert {page: found for page in texts if (found := list(literal_marks(texts[page])))} == {}


def test_notebook_has_the_headings_of_the_page(texts):
    for page, text in texts.items():
        found = re.findall(r"^(#+) (?!Exercise|Solution)(.+)$", CODE.sub("", text), re.MULTILINE)
        shown = re.findall(r"<h(\d)>(.*?)<a class=\"headerlink", article(page), re.DOTALL)
        expected = [(int(depth), plain(title)) for depth, title in shown]
        assert [(len(marks), plain(title)) for marks, title in found] == expected, page


def test_notebook_has_the_numbers_of_the_page(texts):
    for page, text in texts.items():
        blocks = re.findall(r"^(?:> \*\*|#{3,4} )([A-Z][a-z]+ \d+\.\d+)", text, re.MULTILINE)
        titles = r'<p class="admonition-title">\s*<span class="caption-number">(.*?)</span>'
        shown = [plain(title) for title in re.findall(titles, article(page), re.DOTALL)]
        assert list(map(plain, blocks)) == [title for title in shown if re.search(r"\d", title)]
        figures = re.findall(r"^\*\*Figure ([\d.]+)\.\*\*", text, re.MULTILINE)
        captions = (
            r'<span class="caption-number">[\w.]+ ([\d.]+) </span><span class="caption-text">'
        )
        assert figures == re.findall(captions, article(page)), page
        equations = re.findall(r'<span class="eqno">\(([\d.]+)\)', article(page))
        assert re.findall(r"\\tag\{([\d.]+)\}", text) == equations, page


def test_links_lead_to_published_pages(texts):
    for link in set(re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", "".join(texts.values())))):
        assert link.startswith(("https://", "http://")), link
        if link.startswith(SITE.site):
            place, anchor = urldefrag(link.removeprefix(SITE.site))
            page = (HTML / (place or "index.html")).read_text("utf-8")
            assert not anchor or f'id="{html.escape(unquote(anchor))}"' in page, link


def test_solutions_are_folded(texts):
    for page, text in texts.items():
        folded = re.findall(r"<summary>Solution to Exercise [\d.]+</summary>", text)
        sections = [
            cell.metadata.get("jp-MarkdownHeadingCollapsed", False)
            for cell in portable(page).cells
            if re.match(r"#+ Solution to Exercise", cell.source)
        ]
        assert all(sections), page
        solutions = len(re.findall(r'class="[^"]*\bsolution\b[^"]*" id=', article(page)))
        assert len(folded) + len(sections) == solutions, page


def test_every_formula_renders_with_katex(texts):
    found = {match for text in texts.values() for match in FORMULA.findall(CODE.sub("", text))}
    formulas = [[r"\undefinedcommand", False]]
    formulas += [[display or inline, bool(display)] for display, inline in sorted(found)]
    wrong = run_node(Path(__file__).with_name("wrongFormulas.js"), formulas)
    assert wrong == formulas[:1]


def test_buttons_open_the_portable_notebook(binder_folder):
    for page in NOTEBOOKS:
        header = (HTML / f"{page}.html").read_text("utf-8").partition("<article")[0]
        assert html.escape(SITE.binder(page)) in header, page
        assert html.escape(SITE.colab(page)) in header, page
        (download,) = set(re.findall(r'<a href="((?!https:)[^"]+\.ipynb)"', header))
        path = (HTML / f"{page}.html").parent / download
        assert path.read_bytes() == (binder_folder / f"{page}.ipynb").read_bytes()
    # The publishing workflow pushes the tag that the buttons open.
    assert SITE.notebooks == f"notebooks-{SITE.release}"
    workflow = (ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8")
    assert "refs/tags/notebooks-$GITHUB_REF_NAME" in workflow


def test_release_tag_must_match_the_version():
    command = [sys.executable, "-m", "tools.binder_folder", "--release", "v99.0"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1
    assert "v99.0" in run.stderr


class Shell(InteractiveShell):
    """A shell that records magic commands."""

    def run_line_magic(self, name, line, **options):
        self.recorded.append((name, line))


def run_first_code(page):
    """Run the first code cell of a portable notebook; return its magic commands."""
    shell, cells = Shell(), portable(page).cells
    shell.recorded = []
    assert shell.run_cell(next(cell.source for cell in cells if cell.cell_type == "code")).success
    return shell.recorded


def test_first_cell_installs_what_is_missing(monkeypatch):
    page, enabled = "chapters/01-similarity", []
    assert run_first_code(page) == []
    google, colab = types.ModuleType("google"), types.ModuleType("google.colab")
    colab.output = types.SimpleNamespace(enable_custom_widget_manager=lambda: enabled.append(1))
    google.colab = colab
    monkeypatch.setitem(sys.modules, "google", google)
    monkeypatch.setitem(sys.modules, "google.colab", colab)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ((name, line),) = run_first_code(page)
    assert name == "pip"
    assert line.endswith(f'"kmds_lib[notebooks] @ {SITE.archive}"')
    assert enabled


def test_problem_sets_bring_their_data(monkeypatch, tmp_path):
    for page in filter(lambda page: is_graded(source(page)), NOTEBOOKS):
        folder = tmp_path / Path(page).name
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert run_first_code(page) == []
        expected = (ROOT / page).with_name("data.npz").read_bytes()
        assert (folder / "data.npz").read_bytes() == expected
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        assert [line.split("@")[-1] for _, line in run_first_code(page)] == [f' {SITE.archive}"']
        monkeypatch.undo()


def test_notebooks_run_in_the_environment_of_binder(binder_folder, tmp_path):
    """Install what binder/ names into a new environment, and execute two notebooks there."""
    uv = [Path(sys.executable).with_name("uv")]
    python = tmp_path / "environment" / "bin" / "python"
    install = [*uv, "pip", "install", "--quiet", "--system-certs", "--python", python]
    hidden = ("CONDA", "JUPYTER", "PYTHON", "UV_PROJECT", "VIRTUAL_ENV")
    environment = {key: text for key, text in os.environ.items() if not key.startswith(hidden)}
    environment |= {"PATH": f"{python.parent}:/usr/bin:/bin", "MPLCONFIGDIR": str(tmp_path)}
    for command in (
        [*uv, "venv", "--quiet", "--python", sys.executable, python.parents[1]],
        [*install, "--requirement", "binder/requirements.txt"],
        [*install, "--no-deps", "."],
    ):
        subprocess.run(command, cwd=binder_folder, env=environment, check=True)
    chapters = binder_folder / "chapters"
    paths = [chapters / "03-distances-gram.ipynb", chapters / "errata.ipynb"]
    command = [python, "-m", "jupyter", "execute", "--inplace", "--timeout=600", *paths]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    for path in paths:
        cells = nbformat.read(path, as_version=4).cells
        counts = [cell.execution_count for cell in cells if cell.cell_type == "code"]
        assert counts == [*range(1, len(counts) + 1)]
