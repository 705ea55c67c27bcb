"""The marking sheet of a set, for the person who marks proofs and investigations.

For each question that a person marks, it contains the question, the model answer with its rubric,
and the outputs of the model answer's code for the data of the course.
"""

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.utils import is_grade, is_solution

from coursework.sets import QUESTION_HEADING, is_test
from coursework.student import KERNEL
from coursework.validate_master import MARKER

INTRODUCTION = """# Marking sheet: {title}

The outputs of the code belong to the data of your course. The texts of the model answers were \
written for the data of seed 0, so their numbers differ. Half points are possible everywhere."""


def marking_sheet(executed: NotebookNode) -> NotebookNode:
    """Return the marking sheet from the master, executed with the data of a course."""
    title = executed.metadata["coursework"]["title"]
    cells, question = [new_markdown_cell(INTRODUCTION.format(title=title))], list[NotebookNode]()
    for cell in executed.cells:
        if cell.cell_type == "markdown" and QUESTION_HEADING.search(cell.source):
            question = []
        if not is_test(cell):
            question.append(cell)
        if is_grade(cell) and is_solution(cell):
            cells += question
            question = []
    for cell in cells:
        lines = [line for line in cell.source.splitlines() if not MARKER.search(line)]
        cell.source, cell.metadata = "\n".join(lines), NotebookNode()
    return new_notebook(cells=cells, metadata=KERNEL)  # type: ignore[no-any-return]
