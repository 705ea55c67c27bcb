"""Problem sets for nbgrader: a course folder, a confined executor, and a judge outside of it.

``python -m coursework --help`` lists the commands. `sets` loads a set, `checks` judges answers,
`course` configures nbgrader.
"""
