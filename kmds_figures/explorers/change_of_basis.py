"""The matrices of a linear map of the plane in two bases."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer


class ChangeOfBasisExplorer(Explorer, script="changeOfBasis"):
    """A linear map of the plane in two bases, as returned by `change_of_basis_explorer`."""

    kind = traitlets.Enum(("symmetric", "diagonalisable", "defective")).tag(sync=True)
    basis: Any = traitlets.List().tag(sync=True)


def change_of_basis_explorer() -> ChangeOfBasisExplorer:
    """Return a linear map of the plane with its matrix in a basis that can be dragged.

    Returns
    -------
    ChangeOfBasisExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its ``basis``
        contains the two basis vectors, which are the columns of :math:`P^{-1}`, and its ``kind``
        is the name of the linear map shown.

    Notes
    -----
    The browser computes :math:`M' = P M P^{-1}`, its determinant, trace and eigenvalues, without a
    Python kernel. Derived in Chapter 1, Similarity transforms and the spectral theorem.

    Examples
    --------
    >>> change_of_basis_explorer().kind
    'symmetric'
    """
    return ChangeOfBasisExplorer(kind="symmetric", basis=[[1.2, 0.3], [-0.5, 1.0]])
