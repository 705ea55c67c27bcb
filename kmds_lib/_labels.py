"""Labels of the rows and columns of data frames, stored in fits and compared with new data.

An input is treated as a data frame if it has columns, so no data frame package is imported. The
default labels 0, 1, 2, ... do not count as labels. Labels are compared as text, because a file
stores them as text.

A function that returns a matrix between objects returns a data frame if it is given one that has
an index: by `as_square_frame` if its input was such a matrix, and by `as_cross_frame` if the
objects are the rows of its inputs. Fits return arrays, and store the labels instead.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ClassVar, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from kmds_lib._messages import plural
from kmds_lib._rounding import rounding_tolerance

Labels = tuple[Any, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Labelled:
    """The base class of all fits: it stores the labels of a data frame.

    Attributes
    ----------
    labels : tuple or None
        Labels of the objects, in the order of ``points``; None if the input had none.
    columns : tuple or None
        Labels of the columns that `transform` expects; None if the input was not a data frame. A
        data frame with other columns, or with the same columns in another order, is refused. The
        columns of an array are not checked.

    Notes
    -----
    Used in Chapter 10, New points and landmarks.

    Examples
    --------
    >>> from kmds_lib import pca
    >>> fit = pca([[0.0, 1.0], [2.0, 3.0]], 1)
    >>> fit
    PCAResult(2 objects, 1 dimension, explained=1)
    >>> fit.labels is None
    True
    """

    _printed: ClassVar[tuple[str, ...]] = ()  # shown in the printed result; cheap to compute
    labels: Labels | None = field(default=None, kw_only=True)
    columns: Labels | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        fit: Any = self
        n, k = fit.points.shape
        text = f"{type(self).__name__}({n} objects, {plural(k, 'dimension')}"
        for name in self._printed:
            value, default = getattr(self, name), getattr(type(self), name, None)
            if isinstance(value, np.ndarray) or value not in (None, default):
                text += f", {name}={_as_printed(value)}"
        return f"{text})"

    def _check_columns(self, new: Any) -> None:
        """Refuse new objects whose columns differ from those of the fit."""
        remedy = _columns_of_fit(new, column_labels(new) or (), self.columns or ())
        check_columns(new, "new", self.columns, "the fit", remedy)


def _as_printed(value: Any) -> str:
    if not isinstance(value, (float, np.ndarray)):
        return repr(value)
    digits: Any = {"float_kind": "{:.4g}".format}
    return np.array2string(np.asarray(value), formatter=digits, threshold=4, edgeitems=2)


@dataclass(frozen=True, eq=False)
class LabelledArray:
    """The values of a data frame or a matrix, with its labels and its `rounding_tolerance`."""

    values: NDArray[Any]
    labels: Labels | None
    columns: Labels | None
    tolerance: float

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the values."""
        return self.values.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)


Options = ParamSpec("Options")
Result = TypeVar("Result", bound=Labelled)


def store_labels(
    *, square: bool = False
) -> Callable[[Callable[Options, Result]], Callable[Options, Result]]:
    """Store in the result of a fit the labels of its first argument, if that is a data frame.

    They are compared with those of an initial configuration, the argument ``init``. The rows and
    columns are the same objects if `square` is True, or with ``metric="precomputed"``.
    """

    def decorate(fit: Callable[Options, Result]) -> Callable[Options, Result]:
        first = next(iter(inspect.signature(fit).parameters))
        call: Callable[..., Result] = fit

        @wraps(fit)
        def labelled(*args: Options.args, **options: Options.kwargs) -> Result:
            is_square = square or options.get("metric") == "precomputed"
            data = as_labelled(args[0] if args else options.get(first), first, square=is_square)
            if not isinstance(data, LabelledArray):
                return fit(*args, **options)
            check_same_objects(
                data, options.get("init"), (first, "init"), square=(is_square, False)
            )
            result = call(data, *args[1:], **options) if args else call(**options | {first: data})
            return replace(result, labels=data.labels, columns=result.columns or data.columns)

        return labelled

    return decorate


def _columns_of_fit(new: Any, columns: Labels, expected: Labels) -> str:
    """Return what to give instead of new objects whose columns are not those of the fit."""
    if not _missing_from(columns, expected):
        return "new[list(fit.columns)]"
    if not _missing_from(row_labels(new, "new") or (), expected):
        return "new.T, because the labels of the fit are those of its rows"
    return "a column for each label in fit.columns"


def as_cross_frame(values: NDArray[Any], X: Any, Y: Any = None) -> NDArray[Any]:
    """Return a matrix as a data frame with the labels of X and Y, if X or Y is a data frame.

    The matrix has a row for each row of X and a column for each row of Y, or of X without Y. If
    only one of the two is a data frame, the other objects get the default labels.
    """
    rows = _index(X)
    columns = rows if Y is None else _index(Y)
    if rows is None and columns is None:
        return values
    frame: NDArray[Any] = type(Y if rows is None else X)(values, index=rows, columns=columns)
    return frame


def as_square_frame(values: NDArray[Any], table: Any) -> NDArray[Any]:
    """Return a matrix as a data frame with the labels of a square table, if that has labels."""
    labels = _index(table)
    if labels is None:
        return values
    if _are_default(tuple(labels)):
        labels = table.columns
    frame: NDArray[Any] = type(table)(values, index=labels, columns=labels)
    return frame


def _index(table: Any) -> Any:
    """Return the index of a data frame that has one, and None for any other input."""
    return None if column_labels(table) is None else getattr(table, "index", None)


def column_labels(table: Any) -> Labels | None:
    """Return the column labels of a data frame, also default ones, and None for other input."""
    columns: Any = getattr(table, "columns", None)
    names = columns if hasattr(table, "index") else getattr(table, "column_names", columns)
    return None if columns is None else tuple(names)


def as_labelled(table: Any, name: str, *, square: bool) -> Any:
    """Return a data frame as a `LabelledArray`, and any other input unchanged.

    Its ``labels``, those of the rows, are None if they are default labels; its ``columns`` can be
    default labels. In a `square` table, rows and columns are the same objects. If their labels
    differ, it is refused; if only one of them has labels, these are used for both. A table whose
    shape is not square is read as if `square` were False.
    """
    columns = column_labels(table)
    if columns is None or isinstance(table, LabelledArray):
        return table
    values, rows = np.asarray(table), tuple(getattr(table, "index", ()))
    tolerance = rounding_tolerance(table)
    if not square or values.shape[:1] != values.shape[1:]:
        return LabelledArray(values, None if _are_default(rows) else rows, columns, tolerance)
    if rows and _differ(rows, columns):
        pairs = zip(_as_text(rows), _as_text(columns), strict=True)
        i = [row == column for row, column in pairs].index(False)
        reordered = (
            f"Reorder the rows with {name}.loc[{name}.columns], or pass {name}.to_numpy() if the "
            "labels have no meaning."
        )
        relabelled = (
            "If they are the same objects in the same order, pass "
            f"{name}.set_axis({name}.columns, axis=0). If {name} is a table of two kinds of "
            "objects, such as a pivot table, it is not a square matrix: pass "
            f"distances({name}) to compare its rows."
        )
        raise ValueError(
            f"Row {i} of {name} is {rows[i]!r}, but column {i} is {columns[i]!r}, although both "
            "belong to one object. " + (relabelled if _missing_from(rows, columns) else reordered)
        )
    labels = next((names for names in (rows, columns) if not _are_default(names)), None)
    return LabelledArray(values, labels, labels or columns, tolerance)


def as_labelled_matrix(values: NDArray[Any], labels: Labels | None, tolerance: float) -> Any:
    """Return a matrix between objects with their labels, if any, and a `rounding_tolerance`."""
    names = None if labels is None or _are_default(labels) else labels
    return LabelledArray(values, names, labels, tolerance)


def row_labels(table: Any, name: str, *, square: bool = False) -> Labels | None:
    """Return the labels of the rows of a data frame, a series or a fit, and None for other input.

    Those of a data frame or a series can be default labels. In a `square` table they are the
    labels of the objects, which are also those of its columns; see `as_labelled`.
    """
    if square:
        data = as_labelled(table, name, square=True)
        is_square = isinstance(data, LabelledArray) and data.shape[:1] == data.shape[1:]
        return data.columns if is_square else None
    if isinstance(table, (LabelledArray, Labelled)):
        return table.labels
    index = getattr(table, "index", None)
    return None if index is None or callable(index) else tuple(index)


def check_labels(
    labels: Labels | None,
    expected: Labels | None,
    *,
    name: str,
    owner: str,
    remedy: str,
    kind: str,
) -> None:
    """Refuse labels that differ from the expected ones, or are in another order.

    Every comparison of two tables is made here. Default labels are not compared with other labels.
    `kind` is the noun for one label in the message: "row", "column" or "entry".
    """
    if labels is None or expected is None or not _differ(labels, expected):
        return
    missing, extra = _missing_from(labels, expected), _missing_from(expected, labels)
    if missing:
        problem = f"has no {kind} {missing[0]!r}, which {owner} has"
    elif extra:
        problem = f"has {'an' if kind == 'entry' else 'a'} {kind} {extra[0]!r}, which {owner} "
        problem += "does not have"
    else:
        kinds = {"entry": "entries"}.get(kind, f"{kind}s")
        first = ", ".join(map(repr, labels[:5]))
        problem = f"has the {kinds} of {owner} in another order: {first}"
    raise ValueError(f"{name} {problem}. Give {remedy}.")


def check_columns(table: Any, name: str, expected: Labels | None, owner: str, remedy: str) -> None:
    """Refuse a data frame whose columns differ from the expected ones, or are in another order."""
    labels = column_labels(table)
    check_labels(labels, expected, name=name, owner=owner, remedy=remedy, kind="column")


def check_variables(options: dict[str, Any], expected: Labels | None) -> None:
    """Refuse parameters of variables, such as weights, whose labels differ from those of X."""
    for name, values in options.items():
        check_columns(values, name, expected, "X", f"{name} for the columns of X")
        labels = row_labels(values, name, square=column_labels(values) is not None)
        remedy = f"{name}.loc[X.columns]"
        check_labels(labels, expected, name=name, owner="X", remedy=remedy, kind="entry")


def check_same_objects(
    first: Any,
    second: Any,
    names: tuple[str, str] = ("X", "Y"),
    *,
    square: tuple[bool, bool] = (False, False),
) -> None:
    """Refuse two tables of the same objects whose rows have different labels, or another order.

    A `square` table has the objects in its rows and in its columns.
    """
    owner, name = names
    expected = row_labels(first, owner, square=square[0])
    labels = row_labels(second, name, square=square[1])
    order = f"{owner}.{'columns' if square[0] else 'index'}"
    remedy = f"{name}.loc[{order}{f', {order}' if square[1] else ''}], or {name}.to_numpy() if "
    remedy += "the labels have no meaning"
    check_labels(labels, expected, name=name, owner=owner, remedy=remedy, kind="row")


def _are_default(labels: Labels) -> bool:
    """Return True if the labels are 0, 1, 2, ..., as numbers or as text."""
    return all(label == i or str(label) == str(i) for i, label in enumerate(labels))


def _differ(labels: Labels, others: Labels) -> bool:
    """Return True if the labels differ.

    Default labels 0..n-1 conflict only with the same integers in another order.
    """
    first, second = _as_text(labels), _as_text(others)
    meaningful = not (_are_default(labels) or _are_default(others))
    return first != second and (meaningful or sorted(first) == sorted(second))


@np.vectorize(otypes=[np.bool_])
def is_missing(value: object) -> bool:
    """Return True for None and for pandas' NA, which count as NaN."""
    return value is None or type(value).__name__ == "NAType"


def _as_text(labels: Labels) -> list[str]:
    return [str(label) for label in labels]


def _missing_from(labels: Labels, expected: Labels) -> list[Any]:
    """Return the expected labels that are missing."""
    known = set(_as_text(labels))
    return [label for label in expected if str(label) not in known]
