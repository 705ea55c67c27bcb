"""Answers between the sandbox and the grader: answers from the sandbox are not trusted."""

import base64
import io
import json
import os
import pickle

import numpy as np
import pytest

from coursework.compare_answers import NoAnswer
from coursework.executor import decode_answer
from coursework.worker import ANSWER_NAMES, encode_array


@pytest.mark.parametrize(
    "value",
    [
        1.5,
        float("inf"),
        True,
        7,
        "positive semidefinite",
        None,
        [np.eye(3), np.arange(3.0)],
        [[1.0, 2.0], [2.0, 3.0]],
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(4, dtype=">i4"),
        np.array([1 + 2j]),
        np.zeros((0, 3)),
        np.array("word"),
    ],
)
def test_answer_survives_encoding(value):
    decoded = decode_answer(json.loads(json.dumps(value, default=encode_array)))
    assert type(decoded) is type(value)
    pairs = zip(decoded, value, strict=True) if isinstance(value, list) else [(decoded, value)]
    for one, other in pairs:
        np.testing.assert_array_equal(one, other)


class MakesFolder:
    """An object that makes a folder when it is unpickled."""

    def __reduce__(self):
        return (os.mkdir, ("made",))


def array(kind="<f8", shape=(1,), content=bytes(8)):
    """Return an encoded array whose type or shape may be false."""
    file = io.BytesIO()
    header = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return {"array": base64.b64encode(file.getvalue() + content).decode()}


PICKLED = pickle.dumps(MakesFolder())
DEEP = 1
for _ in range(50):
    DEEP = [DEEP]
FALSE_ANSWERS = [
    array("|O", (1,), PICKLED),
    array("|O8", (1,), PICKLED[:8]),
    array(shape=(10**30,)),
    array(shape=(-1,)),
    array(shape=(2,)),
    array(shape="x"),
    array("<U0", (10**12,), b""),
    array([("a", "<f8")]),
    array("__import__('os')"),
    {"array": "%%%"},
    {"array": "A" * (1 << 25)},
    {"array": base64.b64encode(PICKLED).decode()},
    {"array": 5},
    {"score": 1},
    [1.0, {}],
    encode_array(MakesFolder()),
    DEEP,
]


@pytest.mark.parametrize("value", FALSE_ANSWERS)
def test_false_answer_is_missing(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(decode_answer(value), NoAnswer)
    assert not list(tmp_path.iterdir())


def test_answer_names_are_literals():
    part = 'answer("a", lambda: f(1))\nfor k in range(2):\n    answer(f"b-{k}", k)\nanswer("c", 1)'
    assert ANSWER_NAMES.findall(part) == ["a", "c"]
