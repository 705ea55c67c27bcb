"""Large tables of the laboratory: few steps of stress, and landmarks that place the others."""

import numpy as np
import pytest

from kmds_lib import distances, landmark_scaling, load_eurodist, smacof
from tests.figures.laboratory import ask, off, read, run_python, written

RNG = np.random.default_rng(12)
SPREAD = RNG.uniform(1, 2, (40, 40))
TABLES = {
    "roads": load_eurodist().distances,
    "cloud": distances(RNG.normal(size=(40, 4))).round(3),
    "random": (np.triu(SPREAD, 1) + np.triu(SPREAD, 1).T).round(3),
}
DESCENDED = """{
  const choices = m.cleanChoices({ method: "stress", transform }, kind, table.length);
  const [request, losses, D] = [{ kind, table, choices }, [], m.fromRows(table)];
  for (const { points } of m.fitJob(request)) {
    losses.push(m.rawStress(points, choices.dimensions, D));
  }
  return { ...m.runNow(m.fitJob(request)), losses };
}"""


@pytest.mark.parametrize("transform", ["identity", "ordinal"])
@pytest.mark.parametrize("name", TABLES)
def test_stress_descends_in_few_steps_to_the_librarys_end(name, transform):
    D = TABLES[name]
    given = {"kind": "dissimilarities", "table": D, "transform": transform}
    found = ask(DESCENDED, **given)
    expected = smacof(D, n_components=2, transform=transform, tol=1e-6)
    assert found["converged"]
    assert found["steps"] <= 1.1 * expected.n_iter + 3
    if transform == "identity":
        assert (np.diff(found["losses"]) <= 1e-9 * found["losses"][0]).all()
    if not expected.nudged:
        assert found["stress"] == pytest.approx(expected.stress, abs=1e-4)
        assert off(found["points"], expected.points) < 5e-3


LARGE = """{
  const reading = m.readTable(text);
  const fit = fitted(reading, { method: "stress", additive: "lingoes" });
  return { ...fit, report: m.report(fit, reading, "", link), verdict: m.verdictOf(fit, link).head,
    about: m.aboutMethod(fit.choices, reading.kind, link, true), csv: m.tableCsv(reading),
    python: m.pythonCode(reading, fit.choices) };
}"""


@pytest.mark.parametrize("kind", ["points", "square"])
def test_above_five_hundred_objects_landmarks_place_the_others(tmp_path, kind):
    X = np.random.default_rng(3).normal(size=(520, 3)).round(3) * [3, 2, 1]
    table = X if kind == "points" else distances(X).round(3)
    found = ask(LARGE, text=written(table))
    assert (found["choices"]["method"], found["choices"]["additive"]) == ("classical", "")
    fit = run_python(tmp_path, found["csv"], found["python"])["fit"]
    assert len(set(fit.landmarks.tolist())) == 200
    assert np.bincount(fit.landmarks % 10, minlength=10).min() > 10
    assert np.histogram(fit.landmarks, bins=8, range=(0, 520))[0].min() > 10
    D = distances(X) if kind == "points" else table
    again = landmark_scaling(D, 2, metric="precomputed", landmarks=fit.landmarks)
    np.testing.assert_allclose(np.reshape(found["points"], (-1, 2)), again.points, atol=1e-8)
    assert found["goodness"][0] == pytest.approx(fit.explained, abs=2e-6)
    assert "with 200 landmarks of 520" in found["report"]
    assert "landmarks\u2019 spectrum" in found["verdict"]
    assert "200 are scaled, the landmarks, and place the others" in found["about"]


def test_landmarks_of_every_number_of_objects_differ():
    counts = list(range(501, 2001))
    steps = ask("counts.map(m.landmarkStep)", counts=counts)
    for n, step in zip(counts, steps, strict=True):
        assert len(set((np.arange(200) * step % n).tolist())) == 200


def test_missing_pairs_of_a_large_table_are_not_left_to_stress():
    D = distances(np.random.default_rng(1).normal(size=(501, 2))).round(2)
    D[0, 1] = D[1, 0] = np.nan
    words = "m.repairsOf(m.readTable(text)).map(({ words }) => words)"
    text = written(D).replace("nan", "NA")
    assert ask(words, text=text) == ["leave out 1 row"]


def test_a_triangle_without_its_diagonal_holds_one_object_more_than_rows():
    (found,) = read(["\n".join("1," * r + "1" for r in range(2000))])
    said = found["wrong"]["sentence"]
    assert said.startswith("The table has 2001 objects; the laboratory takes up to 2000")


def test_of_too_many_rows_some_are_taken_that_are_spread_evenly():
    text = "id,x,y\n" + "\n".join(f"p{i},{i},{i % 7}" for i in range(5001))
    offers = "m.repairsOf(m.readTable(text)).map(({ words, mend }) => ({ words, ...mend() }))"
    (found,) = ask(offers, text=text)
    taken = [x for x, _ in found["table"]]
    assert found["words"] == "take a part of them"
    assert len(taken) == 1999
    assert set(np.diff(taken)) == {2, 3}
    assert max(taken) >= 4998
    assert found["names"] == [f"p{i}" for i in taken]
    assert found["said"].endswith(found["repaired"])
