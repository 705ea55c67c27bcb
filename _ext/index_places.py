"""Shorten the index: places are named ("Chapter 4"), and members of classes are left out."""

import posixpath
import re

# "center_gram() (in module kmds_lib)", "RBF (class in kmds_lib)"
OF_LIBRARY = re.compile(r" \((?:in module|class in) kmds_lib[\w.]*\)$")
# "points (kmds_lib.Embedding property)", and the bracket alone where several share a name
OF_CLASS = re.compile(r"\(kmds_lib\.\w[\w.]* \w+\)$")


def kept(entries):
    """Drop the members of classes, and the module's name behind functions and classes."""
    for name, (links, subentries, key) in entries:
        below = [(sub, places) for sub, places in subentries if not OF_CLASS.search(sub)]
        if not OF_CLASS.search(name) and (links or below):
            yield OF_LIBRARY.sub("", name), (links, below, key)


def shorten_index(app, pagename, templatename, context, doctree):
    """Give the template of the index its entries, and a name for each of their places."""
    if "genindexentries" not in context:
        return

    def place(link):
        page = link.partition("#")[0].removesuffix(app.builder.out_suffix)
        docname = posixpath.normpath(page)
        number = app.env.toc_secnumbers.get(docname, {}).get("")
        if number:
            return f"Chapter {number[0]}"
        return "Library" if "/api/" in docname else app.env.titles[docname].astext()

    letters = [(letter, list(kept(entries))) for letter, entries in context["genindexentries"]]
    context["genindexentries"] = [(letter, entries) for letter, entries in letters if entries]
    context["place"] = place


def setup(app):
    """Register the extension."""
    app.connect("html-page-context", shorten_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
