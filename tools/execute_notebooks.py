"""Execute the chapters side by side, into the cache that the build reads.

The cache knows a chapter by its code cells. What they import counts as well: a chapter is run
again when a module, a data file or a pinned version that it rests on has changed. Scripts and
styles of the explorers do not count, because the pages take them as they are now.
"""

import ast
import hashlib
import json
import re
import sys
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from time import perf_counter

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor, utils
from nbclient import execute

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
CACHE = BUILD / ".jupyter_cache"
PATIENCE = 600  # seconds a cell
NO_START = "died before replying"
PACKAGES = ("kmds_lib", "kmds_figures")
NO_DATA = {".py", ".pyc", ".js", ".css", ".typed"}


def file_of(root, name):
    """Return the file of a module of the book by its dotted name, or None for any other name."""
    if name.partition(".")[0] not in PACKAGES or name.endswith("."):
        return None
    path = root.joinpath(*name.split("."))
    return next(filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py")), None)


@cache
def parsed(path):
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def imports(tree, package=""):
    """Yield a module and a name in it for all that a syntax tree imports; "" is the whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((module, alias.name) for alias in node.names)


def imports_of(name, path):
    """Return what a module imports."""
    return imports(parsed(path), name if path.stem == "__init__" else name.rpartition(".")[0])


def definer(root, module, name):
    """Return the module that defines what is imported as `name` from `module`."""
    if file_of(root, f"{module}.{name}"):
        return f"{module}.{name}"
    path = file_of(root, module)
    if path and path.name == "__init__.py":
        for source, found in imports_of(module, path):
            if found == name and file_of(root, source) not in (None, path):
                return definer(root, source, name)
    return module


def closure(root, tree):
    """Return the files of the modules that a syntax tree imports, directly or through others."""
    found, asked = {}, [definer(root, *pair) for pair in imports(tree)]
    while asked:
        name = asked.pop()
        path = file_of(root, name)
        if path and name not in found:
            found[name] = path
            asked += [definer(root, *pair) for pair in imports_of(name, path)]
    return set(found.values())


def data_of(path):
    """Return the data files beside a module that names their folder "data"."""
    texts = {node.value for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant)}
    folder = path.parent / "data"
    files = folder.rglob("*") if "data" in texts else ()
    return {file for file in files if file.is_file() and file.suffix not in NO_DATA}


def code_of(notebook):
    """Return the syntax tree of a notebook's code, without its commands to IPython."""
    cells = nbformat.read(notebook, as_version=4).cells
    lines = "\n".join(cell.source for cell in cells if cell.cell_type == "code").splitlines()
    return ast.parse("\n".join(line for line in lines if not line.lstrip().startswith(("%", "!"))))


def digest(root, notebook):
    """Return a digest of what a notebook rests on besides its own cells."""
    modules = closure(root, code_of(notebook))
    files = modules.union(*map(data_of, modules), [root / "requirements.txt"])
    known = {str(path.relative_to(root)): path.read_bytes().hex() for path in files}
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def drop_stale(cache, notebooks):
    """Drop what is kept of notebooks whose imports have changed since they were run.

    Without its doctree Sphinx reads the page of such a notebook anew.
    """
    store = CACHE / "imports.json"
    known = json.loads(store.read_text("utf-8")) if store.is_file() else {}
    now = {path.stem: digest(ROOT, path) for path in notebooks}
    stale = {name for name in now if known.get(name) != now[name]}
    for record in cache.list_cache_records():
        if Path(record.uri).stem in stale:
            cache.remove_cache(record.pk)
    for name in stale:
        Path(BUILD, ".doctrees", "chapters", f"{name}.doctree").unlink(missing_ok=True)
    store.write_text(json.dumps(now), "utf-8")


def run(notebook, **options):
    """Execute one notebook, and say so.

    A line that is printed in two parts stays one, also where the kernel sends them apart. A
    kernel whose port was taken by another program between choice and use is begun once more.
    """
    begin = perf_counter()
    try:
        execute(notebook, coalesce_streams=True, **options)
    except RuntimeError as error:
        if NO_START not in str(error):
            raise
        execute(notebook, coalesce_streams=True, **options)
    title = re.search(r"^# (.+)", notebook.cells[0].source, re.MULTILINE)
    print(f"ran {title[1]!r} in {perf_counter() - begin:.0f} s", flush=True)


def main():
    """Execute what is not in the cache; the last chapters, which take longest, come first."""
    utils.executenb = run
    cache = get_cache(CACHE)
    notebooks = sorted((ROOT / "chapters").glob("*.ipynb"), reverse=True)
    drop_stale(cache, notebooks)
    for record in cache.list_project_records():  # those of another place, or of another name
        cache.remove_nb_from_project(record.pk)
    for path in notebooks:
        cache.add_nb_to_project(str(path))
    if wanted := len(cache.list_unexecuted()):
        print(
            f"running {wanted} notebooks, which takes minutes where it is all of them", flush=True
        )
    result = load_executor("local-parallel", cache).run_and_cache(timeout=PATIENCE)
    failed = [*result.excepted, *result.errored]
    sys.exit(f"did not run to the end: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
