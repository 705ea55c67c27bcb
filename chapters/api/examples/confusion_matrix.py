"""Map the classes of a classifier by how often it confuses them."""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

from kmds_lib import similarities_to_dissimilarities, smacof

X, digit = load_digits(return_X_y=True)
predicted = cross_val_predict(GaussianNB(), X, digit)
counts = pd.crosstab(digit, predicted)  # one row for each true digit

# The counts are not symmetric: divide by the row sums, and average.
shares = counts.div(counts.sum(axis=1), axis=0)
shares = (shares + shares.to_numpy().T) / 2
D = similarities_to_dissimilarities(shares, "one-minus")
fit = smacof(D, transform="ordinal", n_init=20, seed=0)

plt.scatter(*fit.points.T, c="none")
for name, (x, y) in zip(counts.index, fit.points, strict=True):
    plt.text(x, y, name)
plt.axis("equal")
plt.title(f"Digits that are confused are close (stress {fit.stress:.2f})")
