"""The form of a master notebook: its regions, and what it needs before it can be released."""

import re
from collections.abc import Iterator

from nbformat.notebooknode import NotebookNode

from coursework.sets import HAND, TEST, grade_id, questions

SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
# What a person has to write into a master begun by `new`; a release with it fails.
FILL_IN = "FILL IN"
# Every spelling that looks like a marker: nbgrader passes over the misspelt ones in silence.
MARKER = re.compile(r"#\s*(?:BEGIN|END)\b.*|\b(?:BEGIN|END) (?:SOL|HID|MARK)\w*.*")
DIRECTIVES = {
    "a MyST directive": re.compile(r"^(?:`{3,}|:{3,})\s*\{", re.MULTILINE),
    "a MyST role": re.compile(r"(?<![\w$\\}^])\{[a-z][a-z:]*\}`"),
    "a MyST label": re.compile(r"^\([\w-]+\)=\s*$", re.MULTILINE),
}


def inside(source: str, kind: str) -> list[str]:
    r"""Return the lines of a cell that stand between markers of a kind, without empty ones.

    Parameters
    ----------
    source : str
        Text of the cell.
    kind : str
        `SOLUTION` or `HIDDEN`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> inside("### BEGIN SOLUTION\n  x = 1\n### END SOLUTION\ny = 2", SOLUTION)
    ['  x = 1']
    """
    found, is_inside = [], False
    for line in source.splitlines():
        if f"BEGIN {kind}" in line or f"END {kind}" in line:
            is_inside = "BEGIN" in line
        elif is_inside and line.strip():
            found.append(line)
    return found


def squeezed(text: str) -> str:
    """Return a text without white space, so that no line break or indent hides a line."""
    return re.sub(r"\s+", "", text)


def visible(notebook: NotebookNode) -> str:
    """Return the text of a master that lies outside of all its regions."""
    lines: list[str] = []
    for cell in notebook.cells:
        is_inside = False
        for line in cell.source.splitlines():
            if MARKER.search(line):
                is_inside = "BEGIN" in line
            elif not is_inside:
                lines.append(line)
    return "\n".join(lines)


def form_faults(name: str, master: NotebookNode) -> list[str]:
    """Say what a master still lacks before it can be released.

    Parameters
    ----------
    name : str
        Name of its set.
    master : NotebookNode
        The notebook.

    Returns
    -------
    list of str
        One sentence for each fault; none if the form is right.
    """
    return [*_about_notebook(name, master), *_about_cells(master)]


def _about_notebook(name: str, master: NotebookNode) -> Iterator[str]:
    about = master.metadata.get("coursework", {})
    if about.get("set") != name:
        yield f"The metadata name the set {about.get('set')!r}, the folder {name!r}."
    if not about.get("title") or not about.get("minutes"):
        yield "The metadata under 'coursework' lack a title or the minutes that the set takes."
    code = [cell for cell in master.cells if cell.cell_type == "code"]
    if not code or 'np.load("data.npz")' not in code[0].source:
        yield 'The first code cell does not load the data: data = np.load("data.npz").'
    if not any(question.points for question in questions(master)):
        yield "No question has points."


def _about_cells(master: NotebookNode) -> Iterator[str]:
    names = [grade_id(cell) for cell in master.cells]
    for position, (cell, name) in enumerate(zip(master.cells, names, strict=True), start=1):
        about, where = cell.metadata.get("nbgrader", {}), f"Cell {position} ({name})"
        if not name:
            yield f"Cell {position} has no nbgrader id."
        elif names.count(name) > 1:
            yield f"The id {name} stands on {names.count(name)} cells."
        solution, grade = bool(about.get("solution")), bool(about.get("grade"))
        if bool(about.get("locked")) == solution:
            yield f"{where} must be {'open' if solution else 'locked'}: see 'locked'."
        if grade and not about.get("points"):
            yield f"{where} is marked but has no points."
        yield from (f"{where}: {fault}" for fault in _about_regions(cell, solution, grade))
        if cell.cell_type == "markdown":
            found = [what for what, pattern in DIRECTIVES.items() if pattern.search(cell.source)]
            yield from (f"{where} holds {what}, which plain Jupyter shows raw." for what in found)
        if unwritten := re.findall(rf"{FILL_IN}.*", cell.source):
            yield f"{where} waits for its author: {unwritten[0]}"


def _about_regions(cell: NotebookNode, solution: bool, grade: bool) -> Iterator[str]:
    for line in MARKER.findall(cell.source):
        if not re.fullmatch(rf"(?:# *)?(?:BEGIN|END) (?:{SOLUTION}|{HIDDEN})", line.strip()):
            yield f"{line!r} looks like a marker but is none."
    for kind, wanted in ((SOLUTION, solution), (HIDDEN, grade and not solution)):
        begins, ends = (cell.source.count(f"{edge} {kind}") for edge in ("BEGIN", "END"))
        if begins != ends:
            yield f"{begins} BEGIN {kind} and {ends} END {kind}."
        elif wanted != bool(begins):
            yield f"it must {'hold' if wanted else 'not hold'} a region {kind}."
    if grade and solution and "**Marks.**" not in cell.source:
        yield "its solution has no rubric under **Marks.**"
    if grade and not solution and "answer(" not in "".join(inside(cell.source, HIDDEN)):
        yield "its hidden tests hand in no answer(...)."


def points_by_kind(master: NotebookNode) -> dict[str, float]:
    """Return the points of the tests and of what is marked by hand."""
    found = [*questions(master)]
    return {kind: sum(q.points for q in found if q.kind == kind) for kind in (TEST, HAND)}
