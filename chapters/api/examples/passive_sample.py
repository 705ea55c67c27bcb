"""Map sites by the Bray-Curtis distances of their spiders; place a new site."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from kmds_lib import classical_scaling, distances, is_euclidean

# Counts of spiders at 14 sites, two species per line: every second site of
# van der Aart and Smeenk-Enserink (1975), as in the R package mvabund.
COUNTS = """25 15 1 2 1 15 3 0 0 0 0 17 9 29  10 20 20 7 1 1 43 0 0 1 1 0 1 0
0 2 0 0 0 2 1 0 0 0 0 15 9 11  0 2 2 12 0 0 2 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 0 0 0 7 0 4  4 9 9 16 0 1 18 0 0 0 0 0 2 0
0 1 1 1 0 0 1 6 2 12 16 2 1 0  60 29 2 30 26 95 24 0 0 0 1 6 11 1
12 18 135 89 1 0 53 0 0 1 0 0 6 0  45 45 76 105 1 1 72 0 0 0 1 0 0 0
57 66 91 118 2 4 97 25 23 22 18 1 16 0  4 1 17 16 0 0 22 3 2 3 2 0 6 0"""
sites = pd.DataFrame(np.reshape(COUNTS.split(), (12, 14)).T.astype(int))
old, new = sites.drop(12), sites.loc[[12]]  # frames of counts
D = distances(old, metric="braycurtis")
fit = classical_scaling(D, additive=None if is_euclidean(D) else "lingoes")
place = fit.transform(distances(new, old, metric="braycurtis"))
plt.axes(aspect="equal").plot(*fit.points.T, "o", *place.T, "x")
for site, point in zip(fit.labels, fit.points, strict=True):
    plt.annotate(site, point)
plt.show()
