"""Labels of data frames: kept by fits, compared where new objects are placed, never guessed."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest

import kmds_lib
from kmds_lib import RBF, center_cross_gram, distances, kruskal_stress, mmd, smacof
from kmds_lib._labels import Labelled
from tests.lib.conftest import refusals, sample

CITIES = ["Rome", "Oslo", "Bern", "Kiev", "Bonn", "Cork", "Nice", "Graz"]
POINTS = pd.DataFrame(sample(8, 3), index=CITIES, columns=["east", "north", "high"])
TABLE = pd.DataFrame(distances(POINTS), index=CITIES, columns=CITIES)
GRAM = pd.DataFrame(RBF(0.1)(POINTS), index=CITIES, columns=CITIES)

OPTIONS = {
    "critchley_scaling": {"mu": 0.5},
    "isomap": {"n_neighbors": 4},
    "kernel_mds": {"kernel": RBF(0.1)},
    "kernel_mds_from_points": {"kernel": RBF(0.1)},
    "kernel_pca": {"kernel": RBF(0.1)},
    "landmark_scaling": {"landmarks": [3, 1, 7, 5]},
    "laplacian_eigenmaps": {"n_neighbors": 4},
    "locally_linear_embedding": {"n_neighbors": 3},
    "leave_one_out": {"fit": lambda M: kmds_lib.kernel_pca_from_gram(M @ M.T)},
    "maximum_variance_unfolding": {"n_neighbors": 4},
    "nystroem": {"kernel": RBF(0.1), "landmarks": [3, 1, 7, 5]},
}


def fits_of_the_library():
    """Every function that returns a result with names, with what its input is called."""
    for name in kmds_lib.__all__:
        function = getattr(kmds_lib, name)
        if not inspect.isfunction(function):
            continue
        returned = inspect.signature(function, eval_str=True).return_annotation
        if inspect.isclass(returned) and issubclass(returned, Labelled):
            parameters = inspect.signature(function).parameters
            given = next(iter(parameters))
            yield name, {"X": POINTS, "D": TABLE, "K": GRAM}[given], {}
            if "metric" in parameters:
                yield name, TABLE, {"metric": "precomputed"}


FITS = list(fits_of_the_library())
FITS_BY_NAME = pytest.mark.parametrize(
    ("name", "table", "kind"), FITS, ids=[f"{name}-{len(kind)}" for name, _, kind in FITS]
)


def fitted(name, table, kind):
    return getattr(kmds_lib, name)(table, **OPTIONS.get(name, {}), **kind)


def read_by(fit, table):
    """New objects as the fit wants them: of a table the columns of its landmarks alone."""
    of_landmarks = table is TABLE and isinstance(fit, kmds_lib.results.LandmarkEmbedding)
    return table.iloc[:, fit.landmarks] if of_landmarks else table


def test_all_methods_are_here():
    assert len({name for name, _, _ in FITS}) == 19


@FITS_BY_NAME
def test_a_fit_keeps_labels_and_columns(name, table, kind):
    fit = fitted(name, table, kind)
    assert fit.labels == tuple(CITIES)
    assert fit.columns == tuple(read_by(fit, table).columns)
    again = pickle.loads(pickle.dumps(fit))
    assert (again.labels, again.columns) == (fit.labels, fit.columns)
    plain = fitted(name, table.to_numpy(), kind)
    assert (plain.labels, plain.columns) == (None, None)
    np.testing.assert_array_equal(plain.points, fit.points)


@FITS_BY_NAME
def test_other_columns_are_refused_and_the_same_are_placed(name, table, kind):
    fit = fitted(name, table, kind)
    if not hasattr(fit, "transform") or name == "maximum_variance_unfolding":
        return
    new = read_by(fit, table)
    placed = fit.transform(new.to_numpy())
    np.testing.assert_array_equal(fit.transform(new), placed)
    np.testing.assert_array_equal(fitted(name, table.to_numpy(), kind).transform(new), placed)
    turned = new.iloc[:, ::-1]
    with pytest.raises(ValueError, match=r"another order: '\w+', .* Give new\[list\(fit\.col"):
        fit.transform(turned)
    np.testing.assert_array_equal(fit.transform(turned[list(fit.columns)]), placed)
    with pytest.raises(ValueError, match=f"new has no column '{new.columns[0]}', which"):
        fit.transform(new.rename(columns={new.columns[0]: "Ulm"}))
    with pytest.raises(ValueError, match="new has a column 'Ulm', which the fit has not"):
        fit.transform(new.assign(Ulm=0.0))


def test_names_that_count_name_no_object():
    counted = pd.DataFrame(POINTS.to_numpy())
    as_a_file_gives_them = counted.rename(columns=str)
    for frame in (counted, as_a_file_gives_them):
        fit = kmds_lib.pca(frame)
        assert fit.labels is None
        np.testing.assert_array_equal(fit.transform(POINTS), fit.transform(frame))
        # A frame may hold its columns in another order in memory: another sum, in the last place.
        np.testing.assert_allclose(fit.points, kmds_lib.pca(POINTS).points, atol=1e-14)
        with pytest.raises(ValueError, match=r"another order: '?2'?, '?1'?, '?0'?"):
            fit.transform(frame.iloc[:, ::-1])
    with pytest.raises(ValueError, match="another order: 0, 1, 2"):
        kmds_lib.pca(counted.iloc[:, ::-1]).transform(counted)
    assert kmds_lib.pca(counted.iloc[[5, 2, 7, 1]]).labels == (5, 2, 7, 1)
    table = pd.DataFrame(TABLE.to_numpy())
    fit = kmds_lib.classical_scaling(table)
    assert fit.labels is None
    with pytest.raises(ValueError, match="another order: 7, 6, 5, 4, 3"):
        fit.transform(table.iloc[:, ::-1])
    with pytest.raises(ValueError, match="Row 0 of D is 7, but column 0 is 0"):
        kmds_lib.classical_scaling(table.iloc[::-1])


def test_a_table_needs_its_names_once():
    for frame in (TABLE.set_axis(range(8), axis=0), TABLE.set_axis(range(8), axis=1)):
        fit = kmds_lib.classical_scaling(frame)
        assert fit.labels == fit.columns == tuple(CITIES)
    numbered = TABLE.set_axis(range(1, 9), axis=0).set_axis(map(str, range(1, 9)), axis=1)
    assert kmds_lib.classical_scaling(numbered).labels == tuple(range(1, 9))


def test_a_square_table_of_points_is_no_table_between_objects():
    square = POINTS.iloc[:3]
    fit = kmds_lib.pca(square)
    assert (fit.labels, fit.columns) == (tuple(CITIES[:3]), tuple(POINTS.columns))


TURNED = TABLE.iloc[::-1]
DOORS = {
    name: (lambda name=name, kind=kind: fitted(name, TURNED, kind))
    for name, table, kind in FITS
    if table is TABLE
} | {
    name: (lambda name=name: getattr(kmds_lib, name)(TURNED))
    for name in ("is_euclidean", "gram_from_distances", "additive_constant", "center_gram")
}


@pytest.mark.parametrize("door", DOORS)
def test_a_table_whose_rows_stand_in_another_order_is_refused(door):
    with pytest.raises(ValueError, match=r"Row 0 of \w is 'Graz', but column 0 is 'Rome'"):
        DOORS[door]()


class Frame:
    """A table as packages other than pandas give it: names of columns, no index."""

    def __init__(self, frame, called):
        self.values = frame.to_numpy()
        self.shape = self.values.shape
        self.columns = list(self.values.T)  # as pyarrow does
        setattr(self, called, list(frame.columns))

    def __array__(self, dtype=None, copy=None):
        return self.values


@pytest.mark.parametrize("called", ["columns", "column_names"])
def test_frames_of_other_packages_are_read(called):
    assert kmds_lib.classical_scaling(Frame(TABLE, called)).labels == tuple(CITIES)
    fit = kmds_lib.pca(Frame(POINTS, called))
    assert (fit.labels, fit.columns) == (None, tuple(POINTS.columns))
    with pytest.raises(ValueError, match="another order"):
        fit.transform(Frame(POINTS.iloc[:, ::-1], called))


BACKWARDS = POINTS.iloc[:, ::-1]
WEIGHTS = pd.DataFrame(1.0, CITIES, CITIES)

test_two_tables_that_belong_together_have_one_order = refusals(
    (lambda: distances(POINTS, BACKWARDS), "in another order"),
    (lambda: RBF(0.1)(POINTS, BACKWARDS), "in another order"),
    (lambda: mmd(POINTS, BACKWARDS, RBF(0.1)), "in another order"),
    (lambda: kmds_lib.energy_distance(POINTS, BACKWARDS), "in another order"),
    (lambda: center_cross_gram(GRAM.iloc[:, ::-1], GRAM), "in another order"),
    (lambda: smacof(TABLE, weights=WEIGHTS.iloc[::-1, ::-1]), "in another order"),
    (lambda: kruskal_stress(POINTS, TABLE, WEIGHTS.iloc[::-1, ::-1]), "in another order"),
)
