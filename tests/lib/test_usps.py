"""The USPS images from a file and from OpenML, and the recomputation of Williams's Figure 1."""

import numpy as np
import pytest
import sklearn.datasets

from kmds_lib.datasets import load_usps, load_williams_figure1, usps_digest
from tools.williams_figure1 import TABLE, checksum, explained, scaled


@pytest.fixture(scope="module")
def digits(usps_file):
    return load_usps(usps_file)


@pytest.fixture
def raw(usps_file):
    with np.load(usps_file) as archive:
        return archive["images"], archive["labels"]


def test_load_usps_from_a_file(digits, raw):
    images, labels = raw
    assert digits.images.shape == (2007, 256)
    np.testing.assert_array_equal(digits.images, images / 2000)
    np.testing.assert_array_equal(digits.labels, labels)
    assert digits.labels[:10].tolist() == [9, 6, 3, 6, 6, 0, 0, 0, 6, 9]
    assert "usps_test" in digits.provenance
    assert usps_digest(np.rint(2000 * digits.images)) == usps_digest(images)


def test_load_usps_from_openml(monkeypatch, raw, digits):
    # OpenML has the training images first, pixels from -1 to 1, and labels from 1.
    images, labels = raw
    training = np.full((7291, 256), -1.0)
    rows = np.vstack([training, images / 1000 - 1 + 1e-6])
    target = np.array(["1"] * 7291 + [str(label + 1) for label in labels], dtype=object)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **arguments: (rows, target))
    found = load_usps(fetch=True)
    np.testing.assert_array_equal(found.images, digits.images)
    np.testing.assert_array_equal(found.labels, digits.labels)
    rows[[7291, 7292]] = rows[[7292, 7291]]
    with pytest.raises(ValueError, match="OpenML"):
        load_usps(fetch=True)


def test_load_usps_rejects_wrong_files(tmp_path, raw):
    images, labels = raw
    changed = images.copy()
    changed[5, 17] += 1
    cases = [
        (images[::-1], labels, "usual order"),
        (changed, labels, "are not the 2007 USPS test images"),
        (images / 2000, labels, "usual order and"),
        (images[:-1], labels[:-1], r"shape \(2006, 256\)"),
        (images, np.roll(labels, 1) + 1, "labels in"),
    ]
    for pixels, digit, message in cases:
        np.savez(tmp_path / "usps.npz", images=pixels, labels=digit)
        with pytest.raises(ValueError, match=message):
            load_usps(tmp_path / "usps.npz")


def test_load_usps_rejects_wrong_calls(tmp_path):
    with pytest.raises(ValueError, match="either the path"):
        load_usps("usps.npz", fetch=True)
    with pytest.raises(ValueError, match=r"usps\.csv is not an \.npz file"):
        load_usps("usps.csv")
    np.savez(tmp_path / "other.npz", data=np.zeros(3))
    with pytest.raises(ValueError, match="no array named 'images'"):
        load_usps(tmp_path / "other.npz")


def test_figure_1_file_has_the_checksum_of_its_provenance():
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    content = [line for line in lines if not line.startswith("#")]
    assert checksum(content) in load_williams_figure1().provenance


@pytest.mark.parametrize("column", range(4))
def test_figure_1_equals_a_recomputation_from_the_images(digits, column):
    figure = load_williams_figure1()
    X = scaled(digits.images)
    assert X.var(axis=0).mean() == pytest.approx(0.5, rel=1e-12)
    curve = explained(X, figure.beta[column])
    np.testing.assert_allclose(figure.explained[:, column], curve, rtol=0, atol=1e-8)
