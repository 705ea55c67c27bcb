"""Problem sets for nbgrader: course folders, confined execution, and grading by references.

``python -m coursework --help`` lists the commands. `sets` loads a set, `checks` compares answers,
`course` configures nbgrader.
"""
