"""Tell works of the same authors and year apart: 1938a and 1938b, in the text and in the list."""

from collections import defaultdict

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letter_years(entries):
    """Add a letter, in the order of the keys, to each year that its authors have twice."""
    alike = defaultdict(list)
    for entry in (entries[key] for key in sorted(entries)):
        names = [str(person) for person in entry.persons.get("author", [])]
        if names and "year" in entry.fields:
            alike[*names, entry.fields["year"]].append(entry)
    for group in alike.values():
        for letter, entry in zip(LETTERS, group, strict=False):
            if len(group) > 1:
                entry.fields["year"] += letter


def letter_bibliography(app):
    """Letter the years of the book's bibliography."""
    letter_years(app.env.get_domain("cite").bibdata.data.entries)


def setup(app):
    """Register the extension."""
    # After the bibliography is read (500).
    app.connect("builder-inited", letter_bibliography, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
