"""Reference values that nobody here computed: R, scikit-learn and textbooks.

``data/oracles.json`` holds each case with its provenance: program, version and call.

The USPS images are not in this repository. They are looked for in the file that the environment
variable KMDS_USPS names, and in a data folder beside the checkout. Without them, the tests that
need them are deselected, and pytest counts them as such.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

CASES = json.loads((Path(__file__).parent / "data" / "oracles.json").read_text("utf-8"))["cases"]
BESIDE = Path(__file__).parents[3] / "shared" / "data" / "usps_test.npz"
USPS = Path(os.environ.get("KMDS_USPS", BESIDE))


def pytest_configure(config):
    """Know a mark of scikit-learn's own tests."""
    config.addinivalue_line("markers", "thread_unsafe: not to be run in threads")


def pytest_collection_modifyitems(config, items):
    """Leave out the tests on the USPS images where there are none."""
    if not USPS.exists():
        without = [item for item in items if "usps_file" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]


@pytest.fixture(scope="session")
def usps_file():
    """Path of the USPS test images."""
    return USPS


@pytest.fixture
def oracle():
    """Return the output of a case, by its id."""
    return lambda case: CASES[case]["output"]


@pytest.fixture
def iris(oracle):
    """R's iris measurements, 150 x 4."""
    return np.array(oracle("iris_data")["X"])
