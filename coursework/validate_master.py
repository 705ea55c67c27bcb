"""The form of a master notebook: its regions, and what it needs before it can be released."""

import re
from collections.abc import Iterator

from nbformat.notebooknode import NotebookNode

from coursework.sets import grade_id

SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
# What a person has to write into a master begun by `new`; a release with it fails.
PLACEHOLDER = "FILL IN"
LOAD_DATA = 'data = np.load("data.npz")'
# Every spelling that looks like a marker: nbgrader passes over the misspelt ones in silence.
MARKER = re.compile(r"#\s*(?:BEGIN|END)\b.*|\b(?:BEGIN|END) (?:SOL|HID|MARK)\w*.*")
DIRECTIVES = {
    "a MyST directive": re.compile(r"^(?:`{3,}|:{3,})\s*\{", re.MULTILINE),
    "a MyST role": re.compile(r"(?<![\w$\\}^])\{[a-z][a-z:]*\}`"),
    "a MyST label": re.compile(r"^\([\w-]+\)=\s*$", re.MULTILINE),
    "a link into the book": re.compile(r"(?<!!)\[[^\]]*\]\((?:#|[\w/.-]+\.(?:ipynb|md))[^)]*\)"),
}


def region_lines(source: str, kind: str) -> list[str]:
    r"""Return the lines of a cell that stand between markers of a kind, without empty ones.

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


def without_whitespace(text: str) -> str:
    """Return a text without white space, so that no line break or indent hides a line."""
    return re.sub(r"\s+", "", text)


def text_outside_regions(notebook: NotebookNode) -> str:
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


def master_errors(name: str, master: NotebookNode) -> list[str]:
    """Say what a master still lacks before it can be released, one sentence for each fault."""
    about, ids = master.metadata.get("coursework", {}), [*map(grade_id, master.cells)]
    first = next((cell.source for cell in master.cells if cell.cell_type == "code"), "")
    faults = {
        f"The metadata name the set {about.get('set')!r}, not {name!r}.": about.get("set") != name,
        "The metadata lack the minutes that the set takes.": not about.get("minutes"),
        f"The first code cell lacks {LOAD_DATA}.": LOAD_DATA not in first,
        **{f"The id {one} stands on several cells.": ids.count(one) > 1 for one in ids if one},
    }
    found = [fault for fault, holds in faults.items() if holds]
    for position, cell in enumerate(master.cells, start=1):
        name = f" ({grade_id(cell)})" * bool(grade_id(cell))
        found += [f"Cell {position}{name} {fault}." for fault in _cell_errors(cell)]
    return found


def _cell_errors(cell: NotebookNode) -> Iterator[str]:
    """Name the faults of a cell."""
    about, text = cell.metadata.get("nbgrader", {}), cell.source
    solution, grade = bool(about.get("solution")), bool(about.get("grade"))
    is_test, by_hand = grade and not solution, grade and solution
    faults = {
        "has no nbgrader id": not grade_id(cell),
        f"must be {'open' if solution else 'locked'}": bool(about.get("locked")) == solution,
        "is marked but has no points": grade and not about.get("points"),
        "has no rubric under **Marks.**": by_hand and "**Marks.**" not in text,
        "hands in no answer(...)": is_test
        and "answer(" not in "".join(region_lines(text, HIDDEN)),
        f"waits for its author: {''.join(re.findall(f'{PLACEHOLDER}.*', text)[:1])}": PLACEHOLDER
        in text,
    }
    for kind, wanted in ((SOLUTION, solution), (HIDDEN, is_test)):
        begins, ends = (text.count(f"{edge} {kind}") for edge in ("BEGIN", "END"))
        word = "a whole" if wanted else "no"
        faults[f"must hold {word} region {kind}"] = begins != ends or bool(begins) != wanted
    if cell.cell_type == "markdown":
        for what, pattern in DIRECTIVES.items():
            faults[f"holds {what}, which only the book resolves"] = bool(pattern.search(text))
    yield from (fault for fault, holds in faults.items() if holds)
