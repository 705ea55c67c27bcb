"""Results of experiments that take minutes; scripts in ``tools`` compute and store them here."""

from importlib.resources import files

import pandas as pd


def read_table(name: str) -> pd.DataFrame:
    """Return the stored results of an experiment, for example ``"digit_triples"``."""
    return pd.read_csv(files(__name__) / f"{name}.csv", comment="#")
