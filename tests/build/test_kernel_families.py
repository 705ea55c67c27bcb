"""A kernel family lacks nothing: a name of the library, two pages, sliders."""

import inspect
from dataclasses import fields

import pytest

import kmds_lib
from kmds_figures.explorers import kernel_explorer
from kmds_lib.kernels import FAMILIES, IsotropicKernel, Kernel, families
from tests.build.test_coverage import CHAPTERS


def has_sliders(family):
    """Tell whether the kernel explorer takes a kernel of this family, all parameters 1."""
    try:
        kernel_explorer(kernel=family(*[1 for _ in fields(family)]))
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_kernel_family_lacks(family):
    name = family.__name__
    rosetta = (CHAPTERS / "conventions.md").read_text("utf-8")
    has = {
        "a place in kmds_lib.__all__": name in kmds_lib.__all__,
        "an entry in chapters/api/kernels.md": f".. autoclass:: {name}\n"
        in (CHAPTERS / "api" / "kernels.md").read_text("utf-8"),
        "a row in chapters/conventions.md": f"| `{name}(" in rosetta,
        "sliders in kmds_figures/explorers/kernel.py": has_sliders(family),
    }
    lacks = [what for what, there in has.items() if not there]
    assert not lacks, f"{name} lacks {', '.join(lacks)}"


def test_every_family_is_named():
    found = inspect.getmembers(families, inspect.isclass)
    own = {each for _, each in found if issubclass(each, Kernel)} - {Kernel, IsotropicKernel}
    assert own == set(FAMILIES)
