"""Sort the bibliography by name, as a reader does: without braces, and with accents folded."""

import unicodedata

from pybtex.plugin import register_plugin
from pybtex.style.formatting.alpha import Style as Alpha
from pybtex.style.sorting.author_year_title import SortingStyle


class ByName(SortingStyle):
    """By author, year and title; "{R Core Team}" stands under R, "Székely" before "Takane"."""

    def person_key(self, person):
        """Return what a name is sorted by."""
        letters = unicodedata.normalize("NFKD", super().person_key(person))
        return "".join(c for c in letters if not unicodedata.combining(c) and c not in "{}\\\"'")


class Works(Alpha):
    """The entries of `alpha`, in that order."""

    default_sorting_style = "by_name"


def setup(app):
    """Register the extension."""
    register_plugin("pybtex.style.sorting", "by_name", ByName)
    register_plugin("pybtex.style.formatting", "works", Works)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
