"""Map the classes of a classifier: classes that it confuses are close."""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

from kmds_lib import similarities_to_dissimilarities, smacof

images, digits = load_digits(return_X_y=True)
predicted = cross_val_predict(GaussianNB(), images, digits)
counts = pd.crosstab(digits, predicted)  # one row for each true digit

# Counts are not symmetric: divide rows by their sums, then average.
P = counts.div(counts.sum(axis=1), axis=0).to_numpy()
D = similarities_to_dissimilarities((P + P.T) / 2, "one-minus")
fit = smacof(D, transform="ordinal", n_init=20, seed=0)

plt.axes(aspect="equal").scatter(*fit.points.T)
for digit, point in zip(counts.index, fit.points, strict=True):
    plt.annotate(digit, point)
plt.title(f"Confused digits are close (stress-1 = {fit.stress:.3f})")
plt.show()
