"""Wrong formulas planted in the explorers' scripts: the comparison with the library fails."""

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from tests.figures import test_core

TABLES = tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))
CORE = TABLES.pop("core")


def planted(source, before, after):
    """Return a script with a fault in the one place that is named."""
    assert source.count(before) == 1
    return source.replace(before, after)


@pytest.mark.parametrize(
    ("name", "fault"), [(name, fault) for name in TABLES for fault in TABLES[name]]
)
def test_a_fault_in_an_explorer_is_caught(name, fault):
    explorer = import_module(f"tests.figures.test_{name}_explorer")
    source = planted(explorer.WIDGET._esm, *TABLES[name][fault])
    found = explorer.results(source)
    with pytest.raises(AssertionError):
        explorer.compare(found)


@pytest.mark.slow
@pytest.mark.parametrize("fault", CORE)
def test_a_fault_in_the_core_is_caught(fault):
    family, *words = CORE[fault]
    cases = test_core.cases_of(family)
    found = test_core.run_core(family, cases, planted(test_core.CORE, *words))
    with pytest.raises(AssertionError):
        list(map(test_core.FAMILY[family][1], cases, found))
