"""Settings of property tests with Hypothesis."""

import os

from hypothesis import settings

# Every run uses the same examples unless the variable FRESH is set. There is no time limit,
# because the machine may be busy with other work.
settings.register_profile("book", deadline=None, derandomize="FRESH" not in os.environ)
settings.load_profile("book")
