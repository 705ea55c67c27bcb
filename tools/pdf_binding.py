"""Bind printed parts into one PDF: links, names, structure, bookmarks, running heads."""

from urllib.parse import unquote, urlsplit

from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    Fit,
    NameObject,
    NullObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from tools.pdf_structure import Structure

# A target stands a little below the upper edge of the window.
ABOVE = 8


def stream_of(data):
    """Return a compressed stream."""
    stream = StreamObject()
    stream.set_data(data)
    return stream.flate_encode()


class Binder:
    """One file that grows part by part.

    Parameters
    ----------
    site, address : str
        Where the pages were printed from, and where they are published.
    """

    def __init__(self, site, address):
        self.writer = PdfWriter()
        self.site, self.address = site, address
        self.places = {}
        self.links = []
        self.structure = Structure(self.writer)

    def __len__(self):
        return len(self.writer.pages)

    def add(self, docname, reader, targets):
        """Append a part, which starts on a right-hand page.

        Parameters
        ----------
        docname : str
            The page of the site.
        reader : pypdf.PdfReader
            Its printed pages.
        targets : dict
            The page and the height of each id.
        """
        if len(self) % 2:
            self.writer.add_blank_page()
        start = len(self)
        annotations = [page.pop("/Annots", []) for page in reader.pages]
        keys = [page.get("/StructParents") for page in reader.pages]
        reader.trailer["/Root"].pop("/Dests", None)
        self.writer.append(reader, import_outline=False)
        pages = self.writer.pages[start:]
        for page, found in zip(pages, annotations, strict=True):
            copies = [annotation.get_object().clone(self.writer) for annotation in found]
            page[NameObject("/Annots")] = ArrayObject(copy.indirect_reference for copy in copies)
            self.links += [(docname, copy) for copy in copies]
        for page, key in zip(pages, keys, strict=True):
            if key is not None:
                page[NameObject("/StructParents")] = NumberObject(key)
                page[NameObject("/Tabs")] = NameObject("/S")
        self.places[f"{docname}#"] = (start, None)
        for name, (page, top) in targets.items():
            self.places[f"{docname}#{name}"] = (start + page, top)
        self.structure.adopt(reader, pages)

    def _destination(self, page, top):
        height = NullObject() if top is None else NumberObject(round(top + ABOVE))
        where = [NameObject("/XYZ"), NullObject(), height, NullObject()]
        return ArrayObject([self.writer.pages[page].indirect_reference, *where])

    def join_links(self):
        """Lead links between pages to places in the file, those to other pages to the site."""
        used = set()
        for docname, link in self.links:
            if "/Dest" in link:
                target = f"{docname}#{unquote(link['/Dest'][1:])}"
            else:
                address = str(link["/A"]["/URI"])
                if not address.startswith(self.site):
                    continue
                parts = urlsplit(address)
                path = unquote(parts.path).strip("/").removesuffix(".html")
                target = f"{path}#{unquote(parts.fragment)}"
                if f"{path}#" not in self.places:
                    link["/A"][NameObject("/URI")] = TextStringObject(
                        self.address + address.removeprefix(f"{self.site}/")
                    )
                    continue
            if target not in self.places:
                raise KeyError(f"A link of {docname} leads to {target}, which was not printed.")
            link.pop("/A", None)
            link[NameObject("/Dest")] = TextStringObject(target)
            used.add(target)
        names = ArrayObject()
        for name in sorted(used):
            names += [TextStringObject(name), self._destination(*self.places[name])]
        tree = DictionaryObject({NameObject("/Names"): names})
        self.writer.root_object[NameObject("/Names")] = DictionaryObject(
            {NameObject("/Dests"): self.writer._add_object(tree)}
        )

    def lay_over(self, reader, wanted):
        """Draw a page of another file over each page that wants it, outside the structure."""
        for number, (page, over) in enumerate(zip(self.writer.pages, reader.pages, strict=True)):
            if not wanted[number]:
                continue
            form = stream_of(over.get_contents().get_data())
            form[NameObject("/Type")] = NameObject("/XObject")
            form[NameObject("/Subtype")] = NameObject("/Form")
            form[NameObject("/BBox")] = over.mediabox
            form[NameObject("/Resources")] = over["/Resources"].clone(self.writer)
            resources = page["/Resources"]
            forms = resources.setdefault(NameObject("/XObject"), DictionaryObject()).get_object()
            forms[NameObject("/RunningHead")] = self.writer._add_object(form)
            streams = page.raw_get("/Contents")
            inner = streams if isinstance(streams, ArrayObject) else [streams]
            before = self.writer._add_object(stream_of(b"q"))
            draw = b"Q q /Artifact BMC /RunningHead Do EMC Q"
            after = self.writer._add_object(stream_of(draw))
            page[NameObject("/Contents")] = ArrayObject([before, *inner, after])

    def add_bookmark(self, title, name, parent=None, *, bold=False):
        """Add a bookmark to a named place and return it."""
        page, top = self.places[name]
        fit = Fit.xyz(top=None if top is None else top + ABOVE)
        return self.writer.add_outline_item(title, page, parent, fit=fit, bold=bold)

    def finish(self, path, *, title, author, first, language="en"):
        """Write the file, its pages numbered in Roman figures up to the first chapter."""
        self.structure.finish()
        self.writer.set_page_label(0, first - 1, style="/r")
        self.writer.set_page_label(first, len(self) - 1, style="/D", start=1)
        self.writer.add_metadata({"/Title": title, "/Author": author})
        self.writer.page_mode = "/UseOutlines"
        self.writer.root_object[NameObject("/Lang")] = TextStringObject(language)
        self.writer.root_object[NameObject("/ViewerPreferences")] = DictionaryObject(
            {NameObject("/DisplayDocTitle"): BooleanObject(True)}
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        self.writer.write(path)
