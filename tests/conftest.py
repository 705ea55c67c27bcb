"""Settings of the property tests."""

from hypothesis import settings

# The same examples in every run, and no time limit on a machine that others use too.
settings.register_profile("book", deadline=None, derandomize=True)
settings.load_profile("book")
