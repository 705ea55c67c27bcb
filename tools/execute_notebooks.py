"""Execute the chapters in parallel and cache their outputs for the build (`make book`).

The cache identifies a chapter by its code cells. This script also executes a chapter again if a
module, a data file or a pinned version that it depends on has changed. Scripts and styles of the
explorers do not matter, because the build reads them itself.
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
CELL_TIMEOUT = 600  # seconds
KERNEL_DIED = "died before replying"
PACKAGES = ("kmds_lib", "kmds_figures")
NOT_DATA = {".py", ".pyc", ".js", ".css", ".typed"}


def module_file(root, name):
    """Return the file of a module of the book, or None if name is not one of its modules."""
    if name.partition(".")[0] not in PACKAGES or name.endswith("."):
        return None
    path = root.joinpath(*name.split("."))
    return next(filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py")), None)


@cache
def parse(path):
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def imports(tree, package=""):
    """Yield (module, name) for each import in a syntax tree; name is "" for a whole module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((module, alias.name) for alias in node.names)


def imports_of(name, path):
    """Return the imports of a module as pairs (module, name)."""
    return imports(parse(path), name if path.stem == "__init__" else name.rpartition(".")[0])


def defining_module(root, module, name):
    """Return the module that defines the object imported as ``name`` from ``module``."""
    if module_file(root, f"{module}.{name}"):
        return f"{module}.{name}"
    path = module_file(root, module)
    if path and path.name == "__init__.py":
        for source, found in imports_of(module, path):
            if found == name and module_file(root, source) not in (None, path):
                return defining_module(root, source, name)
    return module


def imported_files(root, tree):
    """Return the files of all modules that a syntax tree imports, directly or indirectly."""
    found, queue = {}, [defining_module(root, *pair) for pair in imports(tree)]
    while queue:
        name = queue.pop()
        path = module_file(root, name)
        if path and name not in found:
            found[name] = path
            queue += [defining_module(root, *pair) for pair in imports_of(name, path)]
    return set(found.values())


def data_files(path):
    """Return the files in the folder "data" beside a module if its code contains that string."""
    texts = {node.value for node in ast.walk(parse(path)) if isinstance(node, ast.Constant)}
    folder = path.parent / "data"
    files = folder.rglob("*") if "data" in texts else ()
    return {file for file in files if file.is_file() and file.suffix not in NOT_DATA}


def parse_notebook(notebook):
    """Return the syntax tree of the code of a notebook, without IPython commands."""
    cells = nbformat.read(notebook, as_version=4).cells
    lines = "\n".join(cell.source for cell in cells if cell.cell_type == "code").splitlines()
    return ast.parse("\n".join(line for line in lines if not line.lstrip().startswith(("%", "!"))))


def digest(root, notebook):
    """Return a digest of all files that the results of a notebook depend on."""
    modules = imported_files(root, parse_notebook(notebook))
    files = modules.union(*map(data_files, modules), [root / "requirements.txt"])
    contents = {str(path.relative_to(root)): path.read_bytes().hex() for path in files}
    return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()


def delete_stale_records(cache, notebooks):
    """Delete the cached outputs of notebooks whose dependencies have changed.

    The doctree is deleted too, so that Sphinx reads the page of such a notebook again.
    """
    digests = CACHE / "imports.json"
    known = json.loads(digests.read_text("utf-8")) if digests.is_file() else {}
    now = {path.stem: digest(ROOT, path) for path in notebooks}
    stale = {name for name in now if known.get(name) != now[name]}
    for record in cache.list_cache_records():
        if Path(record.uri).stem in stale:
            cache.remove_cache(record.pk)
    for name in stale:
        Path(BUILD, ".doctrees", "chapters", f"{name}.doctree").unlink(missing_ok=True)
    digests.write_text(json.dumps(now), "utf-8")


def execute_notebook(notebook, **options):
    """Execute one notebook and print its title and the time.

    If the kernel dies at its start, because another program has just taken its port, it is started
    once more. Parts of a line that the kernel sends separately are joined.
    """
    begin = perf_counter()
    try:
        execute(notebook, coalesce_streams=True, **options)
    except RuntimeError as error:
        if KERNEL_DIED not in str(error):
            raise
        execute(notebook, coalesce_streams=True, **options)
    title = re.search(r"^# (.+)", notebook.cells[0].source, re.MULTILINE)
    print(f"executed {title[1]!r} in {perf_counter() - begin:.0f} s", flush=True)


def main():
    """Execute all notebooks without cached outputs, the last and slowest chapters first."""
    utils.executenb = execute_notebook
    cache = get_cache(CACHE)
    notebooks = sorted((ROOT / "chapters").glob("*.ipynb"), reverse=True)
    delete_stale_records(cache, notebooks)
    for record in cache.list_project_records():  # may list files that were moved or renamed
        cache.remove_nb_from_project(record.pk)
    for path in notebooks:
        cache.add_nb_to_project(str(path))
    if wanted := len(cache.list_unexecuted()):
        print(f"executing {wanted} notebooks; all of them take several minutes", flush=True)
    result = load_executor("local-parallel", cache).run_and_cache(timeout=CELL_TIMEOUT)
    failed = [*result.excepted, *result.errored]
    sys.exit(f"notebooks that failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
