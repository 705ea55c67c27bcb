"""Reference values that nobody here computed: R, scikit-learn and textbooks.

``data/oracles.json`` holds each case with its provenance: program, version and call.
"""

import json
from pathlib import Path

import numpy as np
import pytest

CASES = json.loads((Path(__file__).parent / "data" / "oracles.json").read_text("utf-8"))["cases"]


@pytest.fixture
def oracle():
    """Return the output of a case, by its id."""
    return lambda case: CASES[case]["output"]


@pytest.fixture
def iris(oracle):
    """R's iris measurements, 150 x 4."""
    return np.array(oracle("iris_data")["X"])
