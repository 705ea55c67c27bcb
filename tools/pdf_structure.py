"""Join what tells a screen reader headings, lists, tables and figures of printed parts apart."""

import re

from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
)

# Chromium wraps each piece of a line, each letter of a formula too, in what means nothing.
NO_MEANING = "/NonStruct"
# Most elements are of this kind, and pypdf needs long to read them.
LEAF = re.compile(
    rb"(\d+) 0 obj\n<</Type /StructElem\n/S /NonStruct\n/P \d+ 0 R\n/Pg (\d+) 0 R\n/K (\d+)>>"
)
# What is written anew: the place in the tree, and names that only the tables of one part know.
PLACE = ("/P", "/K", "/Pg", "/ID")


class Structure:
    """The structure tree of a file that grows part by part.

    Parameters
    ----------
    writer : pypdf.PdfWriter
        The file.
    """

    def __init__(self, writer):
        self.writer = writer
        self.root = DictionaryObject(
            {NameObject("/Type"): NameObject("/StructTreeRoot"), NameObject("/K"): ArrayObject()}
        )
        writer.root_object[NameObject("/StructTreeRoot")] = writer._add_object(self.root)
        writer.root_object[NameObject("/MarkInfo")] = DictionaryObject(
            {NameObject("/Marked"): BooleanObject(True)}
        )
        self.pages, self.leaves, self.homes, self.forms = {}, {}, {}, {}
        self.parents = ArrayObject()
        self.keys = 0

    def adopt(self, reader, pages):
        """Take over the structure of a part whose pages are in the file already."""
        tree = reader.trailer["/Root"]["/StructTreeRoot"]
        self.homes.clear()
        self.forms.clear()
        reader.stream.seek(0)
        leaves = (map(int, leaf) for leaf in LEAF.findall(reader.stream.read()))
        self.leaves = {number: (page, content) for number, page, content in leaves}
        self.pages = {
            old.indirect_reference.idnum: new.indirect_reference
            for old, new in zip(reader.pages, pages, strict=True)
        }
        self._copy(tree.raw_get("/K"), self.root)
        numbers = tree["/ParentTree"]["/Nums"]
        for key, value in zip(numbers[::2], numbers[1::2], strict=True):
            owner = value.get_object()
            if isinstance(owner, ArrayObject):
                owner = self.writer._add_object(ArrayObject(self.homes[e.idnum] for e in owner))
            else:
                owner = self.homes[value.idnum]
            self.parents += [NumberObject(key + self.keys), owner]
        holders = [*pages, *(note.get_object() for page in pages for note in page["/Annots"])]
        for holder in [*holders, *self.forms.values()]:
            for name in ("/StructParents", "/StructParent"):
                if name in holder:
                    holder[NameObject(name)] = NumberObject(holder[name] + self.keys)
        self.keys += tree["/ParentTreeNextKey"]

    def _copy(self, reference, parent):
        """Copy an element below a parent; of one without a meaning only what it holds."""
        element, home = reference.get_object(), parent
        if element["/S"] != NO_MEANING or "/Alt" in element:
            home = DictionaryObject(
                (NameObject(name), element.raw_get(name).clone(self.writer))
                for name in element
                if name not in PLACE
            )
            home[NameObject("/P")] = parent.indirect_reference
            home[NameObject("/K")] = ArrayObject()
            parent["/K"].append(self.writer._add_object(home))
        self.homes[reference.idnum] = home.indirect_reference
        kids = element.get("/K", [])
        for kid in kids if isinstance(kids, list) else [element.raw_get("/K")]:
            self._take(kid, element, home)

    def _take(self, kid, element, home):
        """Put what an element holds into its new home."""
        if isinstance(kid, int):
            self._put_content(home, element.raw_get("/Pg").idnum, kid)
            return
        if isinstance(kid, IndirectObject) and kid.idnum in self.leaves:
            self.homes[kid.idnum] = home.indirect_reference
            self._put_content(home, *self.leaves[kid.idnum])
            return
        found = kid.get_object()
        if "/S" in found:
            self._copy(kid, home)
        elif "/Stm" in found:
            self._put_form(home, found, element)
        elif "/MCID" in found:
            self._put_content(home, found.raw_get("/Pg").idnum, found["/MCID"])
        else:
            home["/K"].append(found.clone(self.writer))

    def _put_form(self, home, found, element):
        """Add a piece of a drawing that is kept apart from its page, as one with opacity is."""
        piece = found.clone(self.writer)
        piece[NameObject("/Pg")] = self.pages[element.raw_get("/Pg").idnum]
        self.forms[piece.raw_get("/Stm").idnum] = piece["/Stm"]
        home["/K"].append(piece)

    def _put_content(self, home, page, number):
        """Add a piece of a page, by its number alone where it is on the page of the home."""
        page = self.pages[page]
        if home.setdefault(NameObject("/Pg"), page) == page:
            home["/K"].append(NumberObject(number))
            return
        names = {"/Type": NameObject("/MCR"), "/Pg": page, "/MCID": NumberObject(number)}
        home["/K"].append(DictionaryObject({NameObject(key): names[key] for key in names}))

    def finish(self):
        """Write down which element each piece of a page belongs to."""
        parents = DictionaryObject({NameObject("/Nums"): self.parents})
        self.root[NameObject("/ParentTree")] = self.writer._add_object(parents)
        self.root[NameObject("/ParentTreeNextKey")] = NumberObject(self.keys)
