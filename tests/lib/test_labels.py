"""Labels of data frames, which fits store and compare with the labels of new objects."""

import inspect
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import kmds_lib
from kmds_lib import (
    RBF,
    center_cross_gram,
    distances,
    energy_distance,
    hsic,
    mmd,
    similarities_to_dissimilarities,
    smacof,
)
from kmds_lib._labels import Labelled
from kmds_lib.results import LandmarkEmbedding
from kmds_lib.sklearn import ClassicalScaling, Stress
from tests.lib.conftest import refused, sample

CITIES = ["Rome", "Oslo", "Bern", "Kiev", "Bonn", "Cork", "Nice", "Graz"]
POINTS = pd.DataFrame(sample(8, 3), index=CITIES, columns=["east", "north", "high"])
TABLE = pd.DataFrame(distances(POINTS), index=CITIES, columns=CITIES)
GRAM = pd.DataFrame(RBF(0.1)(POINTS), index=CITIES, columns=CITIES)

OPTIONS = {
    "critchley_scaling": {"mu": 0.5},
    "isomap": {"n_neighbors": 4},
    "kernel_mds": {"kernel": RBF(0.1)},
    "kernel_pca": {"kernel": RBF(0.1)},
    "landmark_scaling": {"landmarks": [3, 1, 7, 5]},
    "laplacian_eigenmaps": {"n_neighbors": 4},
    "locally_linear_embedding": {"n_neighbors": 3},
    "leave_one_out": {"fit": lambda M: kmds_lib.kernel_pca_from_gram(M @ M.T)},
    "maximum_variance_unfolding": {"n_neighbors": 4},
    "nystroem": {"kernel": RBF(0.1), "landmarks": [3, 1, 7, 5]},
}


def fits_of_the_library():
    """Yield the name, the input and the metric of every function that returns labels."""
    for name in kmds_lib.__all__:
        function = getattr(kmds_lib, name)
        if not inspect.isfunction(function):
            continue
        returned = inspect.signature(function, eval_str=True).return_annotation
        if inspect.isclass(returned) and issubclass(returned, Labelled):
            parameters = inspect.signature(function).parameters
            table = {"X": POINTS, "D": TABLE, "K": GRAM}[next(iter(parameters))]
            yield pytest.param(name, table, {}, id=name)
            if "metric" in parameters:
                yield pytest.param(name, TABLE, {"metric": "precomputed"}, id=f"{name}-D")


FITS = list(fits_of_the_library())
each_fit = pytest.mark.parametrize(("name", "table", "metric"), FITS)


def fitted(name, table, metric):
    return getattr(kmds_lib, name)(table, **OPTIONS.get(name, {}), **metric)


def new_objects(fit, table):
    """Return the columns of the table that transform expects."""
    of_landmarks = table is TABLE and isinstance(fit, LandmarkEmbedding)
    return table.iloc[:, fit.landmarks] if of_landmarks else table


def test_all_fits_are_tested():
    assert len({fit.values[0] for fit in FITS}) == 18


@each_fit
def test_fit_keeps_labels_and_columns(name, table, metric):
    fit = fitted(name, table, metric)
    shown = rf"{type(fit).__name__}\({len(CITIES)} objects, 2 dimensions, \w+=.*\)"
    assert re.fullmatch(shown, repr(fit))
    assert "None" not in repr(fit)
    assert fit.labels == tuple(CITIES)
    assert fit.columns == tuple(new_objects(fit, table).columns)
    again = pickle.loads(pickle.dumps(fit))
    assert (again.labels, again.columns) == (fit.labels, fit.columns)
    plain = fitted(name, table.to_numpy(), metric)
    assert (plain.labels, plain.columns) == (None, None)
    np.testing.assert_array_equal(plain.points, fit.points)


def test_printed_fit_has_its_additive_constant():
    fit = kmds_lib.classical_scaling(TABLE**2, additive="lingoes")
    assert "], additive_constant=" in repr(fit)


@each_fit
def test_transform_compares_columns(name, table, metric):
    fit = fitted(name, table, metric)
    if not hasattr(fit, "transform") or name == "maximum_variance_unfolding":
        return
    new = new_objects(fit, table)
    placed = fit.transform(new.to_numpy())
    np.testing.assert_array_equal(fit.transform(new), placed)
    np.testing.assert_array_equal(fitted(name, table.to_numpy(), metric).transform(new), placed)
    backwards = new.iloc[:, ::-1]
    with pytest.raises(ValueError, match=r"another order: '\w+', .* Give new\[list\(fit\.col"):
        fit.transform(backwards)
    np.testing.assert_array_equal(fit.transform(backwards[list(fit.columns)]), placed)
    with pytest.raises(ValueError, match=f"new has no column '{new.columns[0]}', which"):
        fit.transform(new.rename(columns={new.columns[0]: "Ulm"}))
    with pytest.raises(ValueError, match="new has a column 'Ulm', which the fit does not have"):
        fit.transform(new.assign(Ulm=0.0))


def test_column_can_have_the_name_of_an_attribute():
    table = POINTS.rename(columns={"high": "tolerance", "east": "column_names"})
    np.testing.assert_array_equal(*[kmds_lib.pca(X).transform(X[1:]) for X in (table, POINTS)])


def test_default_column_labels_are_compared_only_by_order():
    numbered = pd.DataFrame(POINTS.to_numpy())
    for frame in (numbered, numbered.rename(columns=str)):
        fit = kmds_lib.pca(frame)
        assert fit.labels is None
        np.testing.assert_array_equal(fit.transform(POINTS), fit.transform(frame))
        with pytest.raises(ValueError, match=r"another order: '?2'?, '?1'?, '?0'?"):
            fit.transform(frame.iloc[:, ::-1])
    with pytest.raises(ValueError, match="another order: 0, 1, 2"):
        kmds_lib.pca(numbered.iloc[:, ::-1]).transform(numbered)
    assert kmds_lib.pca(numbered.iloc[[5, 2, 7, 1]]).labels == (5, 2, 7, 1)


def test_default_labels_of_square_tables():
    table = pd.DataFrame(TABLE.to_numpy())
    fit = kmds_lib.classical_scaling(table)
    assert fit.labels is None
    with pytest.raises(ValueError, match="another order: 7, 6, 5, 4, 3"):
        fit.transform(table.iloc[:, ::-1])
    with pytest.raises(ValueError, match="Row 0 of D is 7, but column 0 is 0"):
        kmds_lib.classical_scaling(table.iloc[::-1])
    for frame in (TABLE.set_axis(range(8), axis=0), TABLE.set_axis(range(8), axis=1)):
        fit = kmds_lib.classical_scaling(frame)
        assert fit.labels == fit.columns == tuple(CITIES)
    from_one = TABLE.set_axis(range(1, 9), axis=0).set_axis(map(str, range(1, 9)), axis=1)
    assert kmds_lib.classical_scaling(from_one).labels == tuple(range(1, 9))


def test_square_data_matrix_has_different_rows_and_columns():
    fit = kmds_lib.pca(POINTS.iloc[:3])
    assert (fit.labels, fit.columns) == (tuple(CITIES[:3]), tuple(POINTS.columns))


SIMILARITIES = GRAM.clip(lower=0.01)
AMONG_OBJECTS = {
    "squared_distances": (kmds_lib.squared_distances, POINTS),
    "distances": (distances, POINTS),
    "distances by metric": (lambda X: distances(X, metric="cityblock"), POINTS),
    "kernel": (RBF(0.1), POINTS),
    "gram_from_distances": (kmds_lib.gram_from_distances, TABLE),
    "distances_from_gram": (kmds_lib.distances_from_gram, GRAM),
    "center_gram": (kmds_lib.center_gram, GRAM),
    "nearest_psd": (kmds_lib.nearest_psd, GRAM),
    **{
        how: (lambda S, how=how: similarities_to_dissimilarities(S, how), SIMILARITIES)
        for how in ("gram", "cosine", "one-minus", "max-minus", "minus-log")
    },
}


@pytest.mark.parametrize("name", AMONG_OBJECTS)
def test_matrix_among_objects_is_a_data_frame(name):
    function, table = AMONG_OBJECTS[name]
    plain = function(table.to_numpy())
    assert type(plain) is np.ndarray
    expected = pd.DataFrame(plain, index=CITIES, columns=CITIES)
    pd.testing.assert_frame_equal(function(table), expected, check_exact=True)
    assert type(function(Frame(table, "columns"))) is np.ndarray
    numbered = function(pd.DataFrame(table.to_numpy()))
    pd.testing.assert_frame_equal(numbered, pd.DataFrame(plain), check_exact=True)
    if table is not POINTS:
        unnamed_rows = function(table.set_axis(range(8), axis=0))
        pd.testing.assert_frame_equal(unnamed_rows, expected, check_exact=True)


BETWEEN_OBJECTS = {
    "squared_distances": kmds_lib.squared_distances,
    "distances": distances,
    "kernel": RBF(0.1),
    "center_cross_gram": lambda X, Y: center_cross_gram(RBF(0.1)(X, Y), RBF(0.1)(Y)),
}


@pytest.mark.parametrize("name", BETWEEN_OBJECTS)
def test_matrix_between_objects_is_a_data_frame(name):
    function, new = BETWEEN_OBJECTS[name], POINTS.iloc[:3].set_axis(["Ulm", "Brno", "Split"])
    plain = function(new.to_numpy(), POINTS.to_numpy())
    for X, Y, rows, columns in (
        (new, POINTS, list(new.index), CITIES),
        (new.to_numpy(), POINTS, None, CITIES),
        (new, POINTS.to_numpy(), list(new.index), None),
    ):
        expected = pd.DataFrame(plain, index=rows, columns=columns)
        pd.testing.assert_frame_equal(function(X, Y), expected, check_exact=True)


def test_row_index_with_several_levels_is_kept():
    by_country = POINTS.set_axis(pd.MultiIndex.from_product([["a", "b"], range(4)]))
    assert distances(by_country).columns.equals(by_country.index)


UNNAMED = TABLE.set_axis(range(8), axis=0).set_axis(range(1, 9), axis=1)
BLANK = UNNAMED.where(np.eye(8) == 0).convert_dtypes()
YEARS = tuple(range(2017, 2025))


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        (UNNAMED, tuple(range(1, 9))),
        (UNNAMED.rename(columns=str), tuple("12345678")),
        (UNNAMED.set_axis(YEARS, axis=1).astype(np.float32), YEARS),
        (UNNAMED * (1 + 1e-10 * np.tri(8)), tuple(range(1, 9))),
        (BLANK, tuple(range(1, 9))),
    ],
)
def test_symmetric_table_takes_its_labels_from_one_axis(table, labels):
    expected = kmds_lib.classical_scaling(TABLE)
    for fit in (kmds_lib.classical_scaling(table), smacof(table, max_iter=1000)):
        assert fit.labels == fit.columns == labels
    fit = kmds_lib.classical_scaling(table)
    np.testing.assert_allclose(fit.points, expected.points, rtol=1e-5, atol=1e-3)
    assert list(kmds_lib.center_gram(table.fillna(0)).columns) == list(labels)


REORDERED = TABLE.iloc[::-1]
ON_TABLES = {
    fit.id: (lambda fit=fit: fitted(fit.values[0], REORDERED, fit.values[2]))
    for fit in FITS
    if fit.values[1] is TABLE
} | {
    name: (lambda name=name: getattr(kmds_lib, name)(REORDERED))
    for name in ("is_euclidean", "gram_from_distances", "additive_constant", "center_gram")
}


@pytest.mark.parametrize("name", ON_TABLES)
def test_rows_in_another_order_than_columns_are_refused(name):
    with pytest.raises(ValueError, match=r"Row 0 of \w is 'Graz', but column 0 is 'Rome'"):
        ON_TABLES[name]()


class Frame:
    """A data frame that is not from pandas: it has column labels but no index."""

    def __init__(self, frame, attribute):
        self.values = frame.to_numpy()
        self.shape = self.values.shape
        self.columns = list(self.values.T)  # as in pyarrow
        setattr(self, attribute, list(frame.columns))

    def __array__(self, dtype=None, copy=None):
        return self.values


@pytest.mark.parametrize("attribute", ["columns", "column_names"])
def test_data_frames_of_other_packages(attribute):
    assert kmds_lib.classical_scaling(Frame(TABLE, attribute)).labels == tuple(CITIES)
    fit = kmds_lib.pca(X=Frame(POINTS, attribute))
    assert (fit.labels, fit.columns) == (None, tuple(POINTS.columns))


BACKWARDS = POINTS.iloc[:, ::-1]
WEIGHTS = pd.DataFrame(1.0, CITIES[::-1], CITIES[::-1])


test_two_tables_in_different_orders_are_refused = refused(
    (lambda: distances(POINTS, BACKWARDS), "in another order"),
    (lambda: RBF(0.1)(POINTS, BACKWARDS), "in another order"),
    (lambda: mmd(POINTS, BACKWARDS, RBF(0.1)), "in another order"),
    (lambda: energy_distance(POINTS, BACKWARDS), "in another order"),
    (lambda: center_cross_gram(GRAM.iloc[:, ::-1], GRAM), "in another order"),
    (lambda: smacof(TABLE, weights=WEIGHTS), "in another order"),
    (lambda: kmds_lib.kruskal_stress(POINTS, TABLE, WEIGHTS), "in another order"),
)


SHUFFLED = POINTS.iloc[[3, 0, 7, 1, 2, 5, 4, 6]]
LENGTHS = POINTS.var()[["north", "east", "high"]]


def second_half(table):
    """Return a series that is True for the last four objects."""
    return pd.Series(np.arange(8) > 3, index=table.index)


def reordered(table):
    return table.loc[SHUFFLED.index, SHUFFLED.index]


PAIRS = {
    "hsic": lambda X, Y: hsic(X, Y, RBF(0.1), RBF(0.1)),
    "distance_covariance": kmds_lib.distance_covariance,
    "distance_correlation": kmds_lib.distance_correlation,
    "permutation_test": lambda X, Y: (
        kmds_lib.permutation_test(
            kmds_lib.distance_covariance, X, Y, n_permutations=9, seed=0
        ).p_value
    ),
    "procrustes_align": lambda X, Y: kmds_lib.procrustes_align(Y, target=X).residual,
    "principal_angles": lambda X, Y: kmds_lib.principal_angles(X, Y),
    "gplvm": lambda X, Y: kmds_lib.gplvm(X, init=Y[["east", "north"]]).points,
}
WITH_TABLES = {
    "kruskal_stress": lambda D, Y: kmds_lib.kruskal_stress(Y, D),
    "kruskal_stress with weights": lambda D, Y: kmds_lib.kruskal_stress(Y, D, np.ones((8, 8))),
    "raw_stress": lambda D, Y: kmds_lib.raw_stress(Y, D),
    "sstress": lambda D, Y: kmds_lib.sstress(Y, D),
    "strain": lambda D, Y: kmds_lib.strain(Y, D),
    "smacof": lambda D, Y: smacof(D, init=Y.iloc[:, :2]).points,
    "sammon": lambda D, Y: kmds_lib.sammon(D, init=Y.iloc[:, :2]).points,
    "energy_distance": lambda D, Y: energy_distance(D, second_half(Y), "precomputed"),
    "mmd": lambda D, Y: mmd(D, second_half(Y), "precomputed"),
    "hsic": lambda D, Y: hsic(Y, D, RBF(0.1), "precomputed"),
}


@pytest.mark.parametrize(
    ("call", "first"),
    [
        *(pytest.param(call, POINTS, id=name) for name, call in PAIRS.items()),
        *(pytest.param(call, TABLE, id=f"{name} of D") for name, call in WITH_TABLES.items()),
    ],
)
def test_rows_of_two_tables_are_compared(call, first):
    """Equal labels and arrays give the same result; another order or other objects are refused."""
    expected = call(first, POINTS)
    np.testing.assert_array_equal(call(first.to_numpy(), POINTS), expected)
    with pytest.raises(ValueError, match=r"another order: '\w+', .* Give \w+\.loc\["):
        call(first, SHUFFLED)
    with pytest.raises(ValueError, match=r"has no row '(Rome|Ulm)', which"):
        call(first, POINTS.rename(index={"Rome": "Ulm"}))


def test_precomputed_tables_in_different_orders_are_refused():
    for statistic in (kmds_lib.distance_correlation, kmds_lib.distance_covariance):
        assert statistic(TABLE, TABLE, "precomputed") > 0
        with pytest.raises(ValueError, match=r"rows of X in another order.*Y\.loc\[X\.columns"):
            statistic(TABLE, reordered(TABLE), "precomputed")
    with pytest.raises(ValueError, match="rows of X in another order"):
        hsic(GRAM, reordered(GRAM), "precomputed", "precomputed")
    columns = TABLE[["Bern", "Rome", "Kiev"]]
    options = {"landmarks": [2, 0, 3], "metric": "precomputed"}
    assert kmds_lib.landmark_scaling(columns, **options).columns == tuple(columns)
    with pytest.raises(ValueError, match=r"X has no column 'Bern', which landmarks has"):
        kmds_lib.landmark_scaling(columns.rename(columns={"Bern": "Ulm"}), **options)
    with pytest.raises(ValueError, match=r"X has the columns of landmarks in another order"):
        kmds_lib.landmark_scaling(columns[["Rome", "Bern", "Kiev"]], **options)


COVARIANCE = POINTS.cov().iloc[::-1, ::-1]
LIKELIHOOD = kmds_lib.gaussian_log_likelihood


test_parameters_of_variables_in_another_order_are_refused = refused(
    (lambda: distances(POINTS, metric="seuclidean", V=LENGTHS), "V has the entries of X in anoth"),
    (lambda: distances(POINTS, metric="mahalanobis", VI=COVARIANCE), "VI has the columns of X in"),
    (
        lambda: distances(POINTS, metric="cityblock", w=LENGTHS),
        "w has the entries of X in another",
    ),
    (lambda: LIKELIHOOD(POINTS, LENGTHS, np.eye(3)), "mean has the entries of X in another order"),
    (lambda: LIKELIHOOD(POINTS, np.zeros(3), COVARIANCE), "covariance has the columns of X in an"),
    (
        lambda: kmds_lib.probabilistic_pca(POINTS).log_likelihood(BACKWARDS),
        "X has the columns of the fit in another order",
    ),
    (
        lambda: ClassicalScaling(metric="seuclidean", metric_params={"V": LENGTHS}).fit(POINTS),
        "V has the entries of X in another order",
    ),
    (
        lambda: Stress(weights=WEIGHTS, metric="precomputed").fit(TABLE),
        "weights has the columns of D in another order",
    ),
    (lambda: Stress(init=SHUFFLED.iloc[:, :2]).fit(POINTS), "init has the rows of D in another"),
    (
        lambda: ClassicalScaling(metric="precomputed").fit(REORDERED),
        "Row 0 of X is 'Graz', but column 0 is 'Rome'",
    ),
)
