"""Probabilistic PCA with a variable noise variance and number of axes."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, as_groups
from kmds_lib import pca
from kmds_lib._parameters import check_option
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points

View = Literal["all", "training"]
Space = Literal["data", "latent"]
_N_FOLDS = 5


class PpcaExplorer(Explorer, script="ppca"):
    """Probabilistic PCA of a data matrix, as returned by `ppca_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    variances: Any = traitlets.List().tag(sync=True)
    folds: Any = traitlets.List().tag(sync=True)
    scores: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    group_names: Any = traitlets.List(traitlets.Unicode()).tag(sync=True)
    object_name = traitlets.Unicode().tag(sync=True)
    n_components = traitlets.Int().tag(sync=True)
    noise = traitlets.Float().tag(sync=True)
    space = traitlets.Enum(get_args(Space)).tag(sync=True)


def ppca_explorer(
    X: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    group_names: Sequence[str] = (),
    object_name: str = "object",
    show: View = "all",
) -> PpcaExplorer:
    """Return probabilistic PCA with sliders for its noise variance and number of axes.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Data matrix of 30 to 300 objects and 3 to 20 variables in any units. Each column is divided
        by its standard deviation, and in the five folds by the standard deviation of the training
        objects.
    groups : array_like, shape (n,), optional
        Group of each object, 0, 1 or 2, which determines its marker. By default one group.
    group_names : sequence of str, default ()
        Name of each group for the key of the markers.
    object_name : str, default "object"
        Name of an object, of letters only.
    show : {"all", "training"}
        Everything, or everything except the likelihood of held-out objects.

    Returns
    -------
    PpcaExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its
        ``n_components``, ``noise`` and ``space`` (data space or latent coordinates) are the state
        shown. ``variances`` are the eigenvalues of the correlation matrix. For each of five folds,
        a random split with seed 0, ``folds`` contains the ``variances`` of the training objects
        and the ``moments`` of the others: the mean squares of their scores on the training axes.

    Raises
    ------
    ValueError
        If X has too few or too many rows or columns, a column is constant, `group_names` does
        not name each group, `object_name` does not consist of letters, or `show` is unknown.

    Notes
    -----
    The browser computes the maximum likelihood model for a given noise variance, its
    log-likelihood for the training and the held-out objects, and the posterior means. Derived in
    Chapter 13, Probabilistic models. Source: Tipping and Bishop (1999).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 4))
    >>> widget = ppca_explorer(X)
    >>> len(widget.variances), len(widget.folds), widget.noise
    (4, 5, 0.1)
    """
    check_option(show, View, "show")
    if not object_name.isalpha():
        raise ValueError(
            f"object_name={object_name!r} is not a word; give one that consists of letters."
        )
    data = as_points(X, "X")
    n, p = data.shape
    if not (30 <= n <= 300 and 3 <= p <= 20):
        raise ValueError(f"X has shape {data.shape}; give 30 to 300 objects, 3 to 20 variables.")
    shapes = as_groups(groups, n)
    if group_names and len(group_names) != 1 + max(shapes):
        raise ValueError(f"groups are 0 to {max(shapes)}; give {1 + max(shapes)} group_names.")
    everything = np.arange(n)
    fit = pca(_standardised(data, everything, everything), n_components=p)
    folds = np.array_split(np.random.default_rng(0).permutation(n), _N_FOLDS)
    return PpcaExplorer(
        show=show,
        variances=_eight_digits(fit.variances),
        folds=[_fold(data, np.setdiff1d(everything, part), part) for part in folds],
        scores=fit.points[:, :2].round(2).tolist(),
        groups=shapes,
        group_names=list(group_names),
        object_name=object_name,
        n_components=2,
        noise=0.1,
        space="data",
    )


def _standardised(data: FloatArray, fitted: Any, shown: Any) -> FloatArray:
    """Return rows, standardised by the mean and the standard deviation of the fitted rows."""
    unit = data[fitted].std(axis=0)
    if not (unit > 0).all():
        raise ValueError(f"Column {int(np.argmin(unit))} of X is constant; leave it out.")
    shifted: FloatArray = (data[shown] - data[fitted].mean(axis=0)) / unit
    return shifted


def _fold(data: FloatArray, fitted: Any, held_out: Any) -> dict[str, Any]:
    """Return the variances of the fitted rows, and the others' mean squares on their axes."""
    fit = pca(_standardised(data, fitted, fitted), n_components=data.shape[1])
    moments = ((_standardised(data, fitted, held_out) @ fit.axes) ** 2).mean(axis=0)
    return {
        "variances": _eight_digits(fit.variances),
        "moments": _eight_digits(moments),
        "count": len(held_out),
    }


def _eight_digits(values: FloatArray) -> list[float]:
    """Return values rounded to eight digits."""
    return [float(f"{value:.8g}") for value in values]
