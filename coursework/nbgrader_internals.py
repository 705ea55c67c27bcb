"""The private names of nbgrader on which grading depends, and which only this module uses.

A new version of nbgrader may change them without notice. Each docstring says why a name is needed,
and what to do if it disappears. The tests in ``tests/coursework/test_grading_a_class.py``
run nbgrader's commands and fail if one of these names no longer works.
"""

from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import GetGrades, SaveAutoGrades


def is_reading(autograde: Any) -> bool:
    """Return True while ``nbgrader autograde`` reads a submission, and False when it grades it.

    Both passes call the exporter, and only the first one must repair the submission. Without
    `_sanitizing`, look at the path: the first pass reads from the folder of submissions.
    """
    return bool(autograde._sanitizing)


def extracted_folder(zip_collect: Any) -> Path:
    """Return the folder into which ``nbgrader zip_collect`` extracts files.

    A collector gets only the path of a file, and the student is the first part below this folder.
    Without `_format_collect_path`, fill in the public `collect_directory_structure`.
    """
    return Path(zip_collect._format_collect_path(zip_collect.extracted_directory))


def _stored_grade(preprocessor: Any, cell: NotebookNode) -> Any:
    """Return the grade of a cell in the database."""
    place = (preprocessor.notebook_id, preprocessor.assignment_id, preprocessor.student_id)
    return preprocessor.gradebook.find_grade(cell.metadata.nbgrader["grade_id"], *place)


class ScoreWriter(SaveAutoGrades):  # type: ignore[misc]
    """Base class of a preprocessor whose `set_score` stores the points of a cell.

    nbgrader's own rule gives 0 to unchanged cells that a person marks, and full points to tests
    without output. Without `_add_score`, override `preprocess_cell`, which also stores comments.
    """

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        self.set_score(cell, _stored_grade(self, cell))
        self.gradebook.db.commit()


class ScoreReader(GetGrades):  # type: ignore[misc]
    """Base class of a preprocessor whose `change_score` changes the points that a page shows.

    nbgrader's own rule shows 0 for answers that nobody has marked. Without `_get_score`, override
    `preprocess_cell`, call the inherited method, and then change the score.
    """

    def _get_score(self, cell: NotebookNode, resources: Any) -> None:
        super()._get_score(cell, resources)
        self.change_score(cell, _stored_grade(self, cell))
