"""Labels of the rows and columns of data frames.

A data frame is told by its columns, so that no package of data frames is imported. Labels that
count from 0 are no names. They are compared as text, as they stand in a file.
"""

from __future__ import annotations

from typing import Any

Labels = tuple[Any, ...]


def column_labels(table: Any) -> Labels | None:
    """Return the names of the columns of a data frame; None for anything else."""
    lazy = type(table).__module__.startswith("dask.")  # where every name is an attribute
    if lazy or not hasattr(table, "columns"):
        return None
    return tuple(getattr(table, "column_names", table.columns))


def labels_of(table: Any, name: str, *, square: bool) -> tuple[Labels | None, Labels | None]:
    """Return the names of rows, if there are any, and of columns, if there are columns.

    Of a `square` table, whose rows and columns are the same objects if there are as many, both are
    those of the objects; it is refused if it names its rows and its columns differently.
    """
    across = column_labels(table)
    if across is None:
        return None, None
    down = tuple(getattr(table, "index", ()))
    if not square or table.shape[0] != table.shape[1]:
        return None if _count(down) else down, across
    if down and _clash(down, across):
        pairs = zip(_text(down), _text(across), strict=True)
        i = [row == column for row, column in pairs].index(False)
        raise ValueError(
            f"Row {i} of {name} is {down[i]!r}, but column {i} is {across[i]!r}: both stand for "
            f"one object. Bring the rows into the order of the columns, {name}.loc[{name}.columns]"
            f", or pass {name}.to_numpy() if the names mean nothing."
        )
    labels = next((names for names in (down, across) if not _count(names)), None)
    return labels, labels or across


def check_columns(table: Any, name: str, wanted: Labels | None, owner: str, instead: str) -> None:
    """Refuse a data frame whose columns have other names than those wanted, or another order.

    Where either has no names, or counts its columns and the other does not, all is well.
    """
    found = column_labels(table)
    if found is None or wanted is None or not _clash(found, wanted):
        return
    lacking, extra = _beyond(wanted, found), _beyond(found, wanted)
    if lacking:
        how = f"has no column {lacking[0]!r}, which {owner} has"
    elif extra:
        how = f"has a column {extra[0]!r}, which {owner} has not"
    else:
        how = f"has the columns of {owner} in another order: {', '.join(map(repr, found[:5]))}"
    raise ValueError(f"{name} {how}. Give {instead}.")


def check_same_variables(X: Any, Y: Any) -> None:
    """Refuse a second set of points whose variables have other names than those of the first."""
    check_columns(Y, "Y", column_labels(X), "X", "Y[X.columns]")


def _count(names: Labels) -> bool:
    """Tell names that count from 0, which is no name."""
    return all(name == i or str(name) == str(i) for i, name in enumerate(names))


def _clash(names: Labels, others: Labels) -> bool:
    """Tell names that differ; what counts clashes with the same numbers in another order alone."""
    one, other = _text(names), _text(others)
    named = not (_count(names) or _count(others))
    return one != other and (named or sorted(one) == sorted(other))


def _text(names: Labels) -> list[str]:
    return [str(name) for name in names]


def _beyond(names: Labels, others: Labels) -> list[Any]:
    known = set(_text(others))
    return [name for name in names if str(name) not in known]
