"""Tables that the laboratory offers, as texts that it reads like a reader's own."""

from __future__ import annotations

from typing import TypedDict

from sklearn.datasets import load_digits, load_iris

from kmds_lib.datasets import load_eurodist

__all__ = ["Sample", "samples"]

_COLOURS = (434, 445, 465, 472, 490, 504, 537, 555, 584, 600, 610, 628, 651, 674)
# Mean similarities in hundredths; row by row below the diagonal.
_EKMAN = """86
42 50
42 44 81
18 22 47 54
6 9 17 25 61
7 7 10 10 31 62
4 7 8 9 26 45 73
2 2 2 2 7 14 22 33
7 4 1 1 2 8 14 19 58
9 7 2 0 2 2 5 4 37 74
12 11 1 1 1 2 2 3 27 50 76
13 13 5 2 2 2 2 2 20 41 62 85
16 14 3 4 0 1 0 2 23 28 55 68 76"""
_DINNER = """guest;Ada;Bo;Cleo;Dan;Eve;Finn
Ada;9;8;7;2;1;3
Bo;8;9;6;1;2;2
Cleo;7;6;9;3;3;4
Dan;2;1;3;9;7;5
Eve;1;2;3;7;9;6
Finn;3;2;4;5;6;9"""
_DIGITS = 200


class Sample(TypedDict):
    """A table with its button and its origin."""

    name: str
    title: str
    text: str
    what: str
    unit: str
    note: str


def samples() -> list[Sample]:
    """Return the tables that the laboratory offers.

    Returns
    -------
    list of dict
        Roads, dinner table, colours, irises and digits.

    Notes
    -----
    Used on the page of the laboratory. Sources: R Core Team (``eurodist``); Ekman (1954);
    Fisher (1936); Alpaydin & Kaynak (1998), both as scikit-learn has them.

    Examples
    --------
    >>> [sample["name"] for sample in samples()]
    ['roads', 'dinner', 'colours', 'irises', 'digits']
    """
    return [_roads(), _dinner(), _colours(), _irises(), _digits()]


def _roads() -> Sample:
    roads = load_eurodist()
    names = list(roads.labels)
    rows = [
        ",".join([name, *(f"{d:.0f}" for d in row)])
        for name, row in zip(names, roads.distances, strict=True)
    ]
    text = "\n".join([",".join(["city", *names]), *rows])
    note = "Road distances: R's data set eurodist, after The Cambridge Encyclopaedia (1990)."
    return Sample(name="roads", title="roads", text=text, what="cities", unit="km", note=note)


def _dinner() -> Sample:
    note = "How much six guests like talking to each other: an invented table of Chapter 4."
    return Sample(
        name="dinner", title="dinner table", text=_DINNER, what="guests", unit="", note=note
    )


def _colours() -> Sample:
    """Write Ekman's colours as R prints dissimilarities."""
    names = [f"{length}nm" for length in _COLOURS]
    rows = [
        " ".join([name, *(f"{1 - int(s) / 100:.2f}" for s in row.split())])
        for name, row in zip(names[1:], _EKMAN.splitlines(), strict=True)
    ]
    text = "\n".join([" ".join(names[:-1]), *rows])
    note = (
        "One minus the mean similarity of 14 colours, judged by 31 people: Ekman (1954), Table 1; "
        "published measurements, which are facts and free to use."
    )
    return Sample(name="colours", title="colours", text=text, what="colours", unit="", note=note)


def _irises() -> Sample:
    iris = load_iris()
    columns = [name.removesuffix(" (cm)") for name in iris.feature_names]
    rows = [
        ",".join([*map(str, row), str(iris.target_names[kind])])
        for row, kind in zip(iris.data.tolist(), iris.target, strict=True)
    ]
    text = "\n".join([",".join([*columns, "species"]), *rows])
    note = "Fisher (1936), as scikit-learn has it."
    return Sample(name="irises", title="irises", text=text, what="flowers", unit="cm", note=note)


def _digits() -> Sample:
    images, labels = load_digits(return_X_y=True)
    rows = [
        ",".join([*(f"{x:.0f}" for x in row), f"digit {label}"])
        for row, label in zip(images[:_DIGITS], labels[:_DIGITS], strict=True)
    ]
    header = ",".join([*(f"p{i}" for i in range(images.shape[1])), "digit"])
    note = (
        "The first 200 images of scikit-learn's digits, from Alpaydin & Kaynak (1998), CC BY 4.0."
    )
    return Sample(
        name="digits",
        title="digits",
        text="\n".join([header, *rows]),
        what="images",
        unit="",
        note=note,
    )
