"""The built site shows the problem sets as students get them, and no solution anywhere."""

import html
import re

import nbformat
import pytest
import yaml

from coursework.checks import MISTAKES_FILE
from coursework.release import secret_lines
from coursework.sets import SETS_DIR, is_test, load_set, set_names
from coursework.student import npz_bytes
from coursework.validate_master import HIDDEN, SOLUTION, region_lines, without_whitespace
from tests.pages.conftest import HTML, ROOT, source_of

NAMES = set_names(SETS_DIR)
TEXTS = {".html", ".js", ".json", ".ipynb", ".md", ".txt", ".py", ".xml", ".svg", ".css", ".map"}
PICTURE = re.compile(r"[A-Za-z0-9+/=\\]{300,}")
# Words of a shorter line stand in other places by chance.
LONG = 20


def words(text):
    """Return letters and digits only: what no mark-up, escape or line break can change."""
    return re.sub(r"[\W_]+", "", text)


def shown(lines, text, page=True):
    """Return the lines that a page, or a file of another kind, holds in any form."""
    text = PICTURE.sub(" ", text)
    found = words(html.unescape(re.sub(r"<[^<>]*>", "", text)) if page else text)
    return [line for line in lines if words(line) in found]


def book_sources():
    """Return all that readers may see: chapters, the library, and released sets."""
    paths = [*(ROOT / "chapters").rglob("*.md"), *(ROOT / "kmds_lib").rglob("*.py")]
    sources = [path.read_text("utf-8") for path in paths]
    for path in (ROOT / "chapters").rglob("*.ipynb"):
        sources += [cell.source for cell in nbformat.read(path, as_version=4).cells]
    return words("\n".join(sources))


@pytest.fixture(scope="module")
def hidden_lines():
    """Return every line of a solution, a hidden test or a judge that the book's sources lack."""
    public, lines = book_sources(), set()
    for name in NAMES:
        for cell in load_set(name).master().cells:
            for kind in (SOLUTION, HIDDEN):
                lines |= {line.strip() for line in region_lines(cell.source, kind)}
    for path in (*SETS_DIR.glob("*/reference.py"), MISTAKES_FILE):
        lines |= {line.strip() for line in path.read_text("utf-8").splitlines()}
    return sorted(line for line in lines if len(words(line)) >= LONG and words(line) not in public)


def test_no_file_of_the_site_holds_a_line_of_a_solution(hidden_lines):
    assert len(hidden_lines) > 40 * len(NAMES)
    files = [path for path in HTML.rglob("*") if path.suffix in TEXTS]
    assert len(files) > 50
    assert any(path.name == "search-records.js" for path in files)
    assert any(path.match("_static/previews/chapters/coursework/*/*.js") for path in files)
    assert any(path.match("_sources/chapters/coursework/*/*.ipynb") for path in files)
    for path in files:
        text = path.read_text("utf-8", "replace")
        assert shown(hidden_lines, text, path.suffix == ".html") == [], path


def test_a_planted_line_is_seen(hidden_lines):
    for line in hidden_lines[::17]:
        spans = re.sub(r"(\w+)", r'<span class="n">\1</span>', html.escape(line))
        for page in (f"<pre>{spans}</pre>", f"<p>{html.escape(line)}</p>", html.escape(line)):
            assert shown([line], f"<html><p>x</p>{page}<p>y</p></html>") == [line]
        escaped = line.replace("\\", "\\\\").replace('"', '\\"')
        for file in (f'"source": ["    {escaped}\\n", "x"]', f"var index = {{'{line}': 3}}"):
            assert shown([line], file, page=False) == [line]


@pytest.mark.parametrize("name", NAMES)
def test_a_set_is_a_page_without_any_secret(name):
    set_ = load_set(name)
    lines = [line for line in secret_lines(set_.master()) if len(line) > 8]
    folder = f"chapters/coursework/{name}/{name}"
    source = HTML / "_sources" / f"{folder}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    cells = without_whitespace("\n".join(cell.source for cell in notebook.cells))
    page = re.sub(r"<[^<>]*>", "", source_of(f"{folder}.html"))
    page = without_whitespace(html.unescape(page))
    assert without_whitespace(set_.master().metadata.coursework.title).lower() in page.lower()
    assert [line for line in lines if line in cells or line in page] == []
    assert notebook.metadata.coursework.set == name
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_the_files_to_save_are_those_of_the_release():
    page = source_of("chapters/coursework.html")
    links = re.findall(r'href="(\.\./_downloads/[^"]+)"', page)
    saved = [(HTML / "chapters" / link).resolve().read_bytes() for link in links]
    for name in NAMES:
        released = ROOT / "chapters" / "coursework" / name
        assert sorted(path.name for path in released.iterdir()) == [f"{name}.ipynb", "data.npz"]
        assert all(path.read_bytes() in saved for path in released.iterdir())
        assert npz_bytes(load_set(name).reference.data(0)) in saved
    assert len(saved) == 2 * len(NAMES)


def test_the_table_says_what_the_sets_say():
    text = (ROOT / "chapters" / "coursework.md").read_text("utf-8")
    rows = [row for row in text.splitlines() if row.startswith("| [")]
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    part = next(part for part in toc["parts"] if part["caption"] == "Coursework")
    pages = [section["file"] for section in part["chapters"][0]["sections"]]
    assert pages == [f"chapters/coursework/{name}/{name}" for name in NAMES]
    assert len(rows) == len(NAMES)
    for name, row in zip(NAMES, rows, strict=True):
        master = load_set(name).master()
        hours, minutes = divmod(master.metadata.coursework.minutes, 60)
        code, proof, own = map(int, re.search(r"(\d+) \+ (\d+) \+ (\d+)", row).groups())
        assert f"[{name[0]}. {master.metadata.coursework.title}]" in row
        assert re.search(rf"\| {hours} h(?: {minutes} min)? \|", row)
        marked = [cell for cell in master.cells if cell.metadata.nbgrader.grade]
        assert code == sum(cell.metadata.nbgrader.points for cell in filter(is_test, marked))
        assert proof + own == sum(cell.metadata.nbgrader.points for cell in marked) - code
        assert code + proof + own == 40
