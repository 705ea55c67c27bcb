"""Settings of the property tests."""

import os

from hypothesis import settings

# The same examples in every run, but where new ones are asked for; and no time limit on a machine
# that others use too.
settings.register_profile("book", deadline=None, derandomize="FRESH" not in os.environ)
settings.load_profile("book")
