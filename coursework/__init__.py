"""Problem sets for nbgrader: course folders, confined execution, and grading by references.

``python -m coursework --help`` lists the commands.
"""
