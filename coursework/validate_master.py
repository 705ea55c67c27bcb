"""Validation of master notebooks before they are released."""

import re

from nbformat.notebooknode import NotebookNode

from coursework.sets import grade_id

SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
LOAD_DATA = 'data = np.load("data.npz")'
# Any spelling that resembles a marker, because nbgrader ignores misspelt ones silently.
MARKER = re.compile(r"#\s*(?:BEGIN|END)\b.*|\b(?:BEGIN|END) (?:SOL|HID|MARK)\w*.*")
MYST_SYNTAX = {
    "a MyST directive": re.compile(r"^(?:`{3,}|:{3,})\s*\{", re.MULTILINE),
    "a MyST role": re.compile(r"(?<![\w$\\}^])\{[a-z][a-z:]*\}`"),
    "a MyST label": re.compile(r"^\([\w-]+\)=\s*$", re.MULTILINE),
    "a link into the book": re.compile(r"(?<!!)\[[^\]]*\]\((?:#|[\w/.-]+\.(?:ipynb|md))[^)]*\)"),
}


def region_lines(source: str, kind: str) -> list[str]:
    r"""Return the non-empty lines of a cell between markers of a kind.

    Examples
    --------
    >>> region_lines("### BEGIN SOLUTION\n  x = 1\n### END SOLUTION\ny = 2", SOLUTION)
    ['  x = 1']
    """
    found, is_inside = [], False
    for line in source.splitlines():
        if f"BEGIN {kind}" in line or f"END {kind}" in line:
            is_inside = "BEGIN" in line
        elif is_inside and line.strip():
            found.append(line)
    return found


def without_whitespace(text: str) -> str:
    """Return a text without white space, so that line breaks cannot hide a line."""
    return re.sub(r"\s+", "", text)


def text_outside_regions(notebook: NotebookNode) -> str:
    """Return the text of a master outside all regions."""
    lines: list[str] = []
    for cell in notebook.cells:
        is_inside = False
        for line in cell.source.splitlines():
            is_inside = "BEGIN" in line if MARKER.search(line) else is_inside
            lines += [line] * (not is_inside and not MARKER.search(line))
    return "\n".join(lines)


def master_errors(name: str, master: NotebookNode) -> list[str]:
    """Return a sentence for each error in the form of a master."""
    about, ids = master.metadata.get("coursework", {}), [*map(grade_id, master.cells)]
    first = next((cell.source for cell in master.cells if cell.cell_type == "code"), "")
    errors = {
        f"The metadata name the set {about.get('set')!r}, not {name!r}.": about.get("set") != name,
        "The metadata lack the minutes that the set takes.": not about.get("minutes"),
        f"The first code cell lacks {LOAD_DATA}.": LOAD_DATA not in first,
        **{f"The id {one} is on several cells.": ids.count(one) > 1 for one in ids if one},
    }
    for position, cell in enumerate(master.cells, start=1):
        where = f"Cell {position} ({grade_id(cell) or 'no id'})"
        errors |= {f"{where} {error}.": holds for error, holds in _cell_errors(cell).items()}
    return [message for message, holds in errors.items() if holds]


def _cell_errors(cell: NotebookNode) -> dict[str, bool]:
    """Return the possible errors of a cell, each as the end of a sentence, and which hold."""
    about, text = cell.metadata.get("nbgrader", {}), cell.source
    solution, grade = bool(about.get("solution")), bool(about.get("grade"))
    hands_in = "answer(" in "".join(region_lines(text, HIDDEN))
    errors = {
        "has no nbgrader id": not grade_id(cell),
        f"must be {'open' if solution else 'locked'}": bool(about.get("locked")) == solution,
        "is graded but has no points": grade and not about.get("points"),
        "has no rubric under **Marks.**": grade and solution and "**Marks.**" not in text,
        "has no answer(...) in its hidden tests": grade and not solution and not hands_in,
    }
    for kind, wanted in ((SOLUTION, solution), (HIDDEN, grade and not solution)):
        begins, ends = (text.count(f"{edge} {kind}") for edge in ("BEGIN", "END"))
        number = "one" if wanted else "no"
        errors[f"must contain {number} region {kind}"] = begins != ends or bool(begins) != wanted
    for syntax, pattern in MYST_SYNTAX.items() if cell.cell_type == "markdown" else ():
        errors[f"contains {syntax}, which only the book resolves"] = bool(pattern.search(text))
    return errors
