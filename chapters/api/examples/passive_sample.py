"""Map sites by the Bray-Curtis distances of their spiders, and place a site."""

from io import StringIO

import matplotlib.pyplot as plt
import pandas as pd

from kmds_lib import classical_scaling, distances, is_euclidean

TEXT = """species     1  3  5
"""
