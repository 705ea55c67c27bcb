"""Probabilistic PCA as its noise and its number of axes change."""

from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, group_of_each
from kmds_lib import pca
from kmds_lib._checks import FloatArray, as_points

__all__ = ["ModelExplorer", "model_explorer"]

Space = Literal["places", "latent"]
# What can be drawn; model.js says the same.
_OBJECTS = (30, 300)
_VARIABLES = (3, 20)
_FOLDS = 5


class ModelExplorer(Explorer):
    """Probabilistic PCA as noise and rank change; made by `model_explorer`."""

    variances: Any = traitlets.List().tag(sync=True)
    folds: Any = traitlets.List().tag(sync=True)
    scores: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    noun = traitlets.Unicode().tag(sync=True)
    n_components = traitlets.Int().tag(sync=True)
    noise = traitlets.Float().tag(sync=True)
    space = traitlets.Enum(get_args(Space)).tag(sync=True)


def model_explorer(
    X: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    noun: str = "object",
) -> ModelExplorer:
    """Return probabilistic PCA of a table, its noise and its number of axes to be dragged.

    Parameters
    ----------
    X : array_like, shape (n, p)
        30 to 300 objects with 3 to 20 variables in any units: each column is divided by its
        standard deviation, in the five folds by that of the objects fitted to.
    groups : array_like, shape (n,), optional
        The group of each object, 0, 1 or 2, drawn as its shape; one group if not given.
    noun : str, default "object"
        What one object is called, in letters.

    Returns
    -------
    ModelExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its
        ``n_components``, ``noise`` and ``space`` hold what is shown (places among the
        measurements, or the hidden numbers themselves), ``variances`` the
        eigenvalues of the correlation matrix, and ``folds`` for each fifth of the objects, dealt
        with the seed 0, the ``variances`` of the others and the mean squares of its own scores on
        the others' axes, its ``moments``.

    Raises
    ------
    ValueError
        If the table lies outside what can be shown, a column is constant, or the noun is no word.

    Notes
    -----
    The browser computes the best model for a given noise variance, its log-likelihood of the
    objects and of those that a fold leaves out, and the posterior means. Derived in Chapter 13,
    Models behind the map. Source: Tipping and Bishop (1999).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 4))
    >>> widget = model_explorer(X)
    >>> len(widget.variances), len(widget.folds), widget.noise
    (4, 5, 0.1)
    """
    if not noun.isalpha():
        raise ValueError(f"noun={noun!r} is no word; give one of letters alone.")
    table = as_points(X, "X")
    n, p = table.shape
    if not (_OBJECTS[0] <= n <= _OBJECTS[1] and _VARIABLES[0] <= p <= _VARIABLES[1]):
        raise ValueError(f"X has shape {table.shape}; give 30 to 300 objects, 3 to 20 variables.")
    shapes = group_of_each(groups, n)
    whole = np.arange(n)
    fit = pca(_standardised(table, whole, whole), n_components=p)
    parts = np.array_split(np.random.default_rng(0).permutation(n), _FOLDS)
    return ModelExplorer(
        variances=_digits(fit.variances),
        folds=[_fold(table, np.setdiff1d(whole, part), part) for part in parts],
        scores=fit.points[:, :2].round(2).tolist(),
        groups=shapes,
        noun=noun,
        n_components=2,
        noise=0.1,
        space="places",
    )


def _standardised(table: FloatArray, fitted: Any, shown: Any) -> FloatArray:
    """Return some rows in units of the mean and the standard deviation of those fitted to."""
    unit = table[fitted].std(axis=0)
    if not (unit > 0).all():
        raise ValueError(f"Column {int(np.argmin(unit))} of X is constant; leave it out.")
    shifted: FloatArray = (table[shown] - table[fitted].mean(axis=0)) / unit
    return shifted


def _fold(table: FloatArray, fitted: Any, left_out: Any) -> dict[str, Any]:
    """Return the variances of those fitted to, and the others' mean squares on their axes."""
    fit = pca(_standardised(table, fitted, fitted), n_components=table.shape[1])
    moments = ((_standardised(table, fitted, left_out) @ fit.axes) ** 2).mean(axis=0)
    return {
        "variances": _digits(fit.variances),
        "moments": _digits(moments),
        "count": len(left_out),
    }


def _digits(values: FloatArray) -> list[float]:
    """Return numbers with eight digits."""
    return [float(f"{value:.8g}") for value in values]
