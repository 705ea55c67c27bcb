"""Denoise images of digits by kernel PCA and pre-images."""

from itertools import product

import numpy as np
from sklearn.datasets import load_digits

from kmds_lib import RBF, choose_theta, kernel_pca

rng = np.random.default_rng(0)
clean = rng.permutation(load_digits().data)  # 64 pixels, from 0 to 16
noisy = clean + rng.normal(0, 4, clean.shape)
train, validation, test = clean[:600], slice(600, 800), slice(800, None)


def error(rows, factor, n_components, n_neighbors):
    """Return the root-mean-square error of the denoised pixels."""
    fit = kernel_pca(train, RBF(factor * choose_theta(train)), n_components)
    denoised = fit.preimage(fit.transform(noisy[rows]), n_neighbors)
    return np.sqrt(np.mean((denoised - clean[rows]) ** 2))


grid = product((0.5, 1, 2), (20, 40, 80), (5, 10, 20))
best = min(grid, key=lambda choice: error(validation, *choice))
print(best, error(test, *best).round(2))  # the noise has an error of 4
