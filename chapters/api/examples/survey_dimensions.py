"""Choose the dimensions of a map from ratings, of which some are missing."""

import numpy as np
from scipy.spatial.distance import squareform
from scipy.stats import spearmanr

from kmds_lib import distances, similarities_to_dissimilarities, smacof

# Mean ratings of the similarity of 14 colours (Ekman 1954), in percent.
RATINGS = """86 42 42 18 6 7 4 2 7 9 12 13 16 50 44 22 9 7 7 2 4 7 11 13 14 81
47 17 10 8 2 1 2 1 5 3 54 25 10 9 2 1 0 1 2 4 61 31 26 7 2 2 1 2 0 62 45 14 8
2 2 2 1 73 22 14 5 2 2 0 33 19 4 3 2 2 58 37 27 20 23 74 50 41 28 76 62 55 85
68 76"""
S = squareform(np.array(RATINGS.split(), dtype=float))
fold = squareform(np.random.default_rng(0).permutation(91) % 6 + 1)
S[fold == 6] = np.nan  # as if nobody had been asked about these pairs
D = similarities_to_dissimilarities(S, "max-minus")
predicted = np.zeros_like(D)
for k in (1, 2, 3):  # predict each fold of ratings from a map of the others
    for i in range(1, 6):
        others = np.where(fold == i, np.nan, D)
        fit = smacof(others, k, transform="ordinal", n_init=5, seed=0)
        predicted[fold == i] = distances(fit.points)[fold == i]
    asked = (fold > 0) & (fold < 6)
    print(k, spearmanr(predicted[asked], D[asked]).statistic.round(3))
