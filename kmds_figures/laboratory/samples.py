"""Sample data of the laboratory, as texts like those that readers paste."""

from collections.abc import Iterable

from sklearn.datasets import load_digits, load_iris

from kmds_lib.datasets import load_eurodist

__all__ = ["samples"]

_WAVELENGTHS = (434, 445, 465, 472, 490, 504, 537, 555, 584, 600, 610, 628, 651, 674)
# Mean similarities in hundredths, the rows below the diagonal.
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
_N_DIGITS = 200
_NOTES = {
    "roads": "Road distances: R's data set eurodist, after The Cambridge Encyclopaedia (1990).",
    "dinner": "How much six guests like talking to each other: an invented table of Chapter 4.",
    "colours": "One minus the mean similarity of 14 colours, judged by 31 people: Ekman (1954), "
    "Table 1; published measurements, which are facts and free to use.",
    "irises": "Fisher (1936), as scikit-learn has it.",
    "digits": "The first 200 images of scikit-learn's digits, from Alpaydin & Kaynak (1998), "
    "CC BY 4.0.",
}


def samples() -> list[dict[str, str]]:
    """Return the sample data of the laboratory.

    Returns
    -------
    list of dict
        Roads, dinner table, colours, irises and digits, each with name, title, text, what (the
        noun for an object), unit and note.

    Notes
    -----
    Used on the page of the laboratory. Sources: R Core Team (``eurodist``); Ekman (1954);
    Fisher (1936); Alpaydin & Kaynak (1998), the last two as distributed with scikit-learn.

    Examples
    --------
    >>> [sample["name"] for sample in samples()]
    ['roads', 'dinner', 'colours', 'irises', 'digits']
    """
    columns = ("name", "title", "text", "what", "unit", "note")
    rows = [
        ("roads", "roads", _roads(), "cities", "km", _NOTES["roads"]),
        ("dinner", "dinner table", _DINNER, "guests", "", _NOTES["dinner"]),
        ("colours", "colours", _colours(), "colours", "", _NOTES["colours"]),
        ("irises", "irises", _irises(), "flowers", "cm", _NOTES["irises"]),
        ("digits", "digits", _digits(), "images", "", _NOTES["digits"]),
    ]
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _lines(rows: Iterable[Iterable[str]], separator: str = ",") -> str:
    """Return rows of cells as lines of text."""
    return "\n".join(separator.join(row) for row in rows)


def _roads() -> str:
    """Return the road distances as comma-separated text."""
    roads = load_eurodist()
    pairs = zip(roads.labels, roads.distances, strict=True)
    rows = ([name, *(f"{d:.0f}" for d in row)] for name, row in pairs)
    return _lines([["city", *roads.labels], *rows])


def _colours() -> str:
    """Return Ekman's dissimilarities as R prints them."""
    names = [f"{length}nm" for length in _WAVELENGTHS]
    pairs = zip(names[1:], _EKMAN.splitlines(), strict=True)
    rows = ([name, *(f"{1 - int(s) / 100:.2f}" for s in row.split())] for name, row in pairs)
    return _lines([names[:-1], *rows], " ")


def _irises() -> str:
    """Return the irises with their species as comma-separated text."""
    iris = load_iris()
    columns = [name.removesuffix(" (cm)") for name in iris.feature_names]
    pairs = zip(iris.data.tolist(), iris.target, strict=True)
    rows = ([*map(str, row), str(iris.target_names[kind])] for row, kind in pairs)
    return _lines([[*columns, "species"], *rows])


def _digits() -> str:
    """Return images of digits as comma-separated text, one row of pixels per image."""
    images, labels = load_digits(return_X_y=True)
    pairs = zip(images[:_N_DIGITS], labels[:_N_DIGITS], strict=True)
    rows = ([*(f"{x:.0f}" for x in row), f"digit {label}"] for row, label in pairs)
    return _lines([[*(f"p{i}" for i in range(images.shape[1])), "digit"], *rows])
