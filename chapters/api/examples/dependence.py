"""Test which measurements of wines depend on the intensity of their colour."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

from kmds_lib import RBF, choose_theta, permutation_test

wines = load_wine(as_frame=True).data
colour = wines.pop("color_intensity")
kernel = RBF(choose_theta(colour))  # median heuristic
tests = {}
for name, x in wines.items():
    kernels = RBF(choose_theta(x)), kernel
    tests[name] = permutation_test("hsic", x, colour, *kernels, seed=0)

table = pd.DataFrame({"correlation": wines.corrwith(colour)})
table["p"] = [tests[name].p_value for name in table.index]
table = table.sort_values("p", kind="stable")
holm = (table["p"] * np.arange(12, 0, -1)).cummax().clip(upper=1)
print(table.assign(Holm=holm).round(3))
