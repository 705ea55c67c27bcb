"""Problem sets that grade themselves: release, grade and report.

``python -m coursework --help`` lists the commands. `sets` loads a set, `checks` judges answers.
"""
