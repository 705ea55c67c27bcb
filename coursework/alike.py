"""How alike the code of two submissions is, whatever names and comments were changed.

A submission becomes the set of short runs in its syntax, without the names of its variables. Runs
that the release holds do not count, and runs that many submissions share count little.
"""

import ast
import builtins
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

RUN = 6  # nodes of the syntax that stand behind each other
# Between the largest of independent right answers and the smallest of renamed copies: see
# tests/coursework/test_alike.py.
THRESHOLD = 0.6
LEAST = 20  # runs of its own that a submission needs to be compared


@dataclass(frozen=True)
class Pair:
    """Two submissions whose code is alike.

    Attributes
    ----------
    first, second : str
        The students.
    likeness : float
        From 0 to 1: weight of what both share over the weight of what either has.
    """

    first: str
    second: str
    likeness: float


def alike(code: Mapping[str, str], release: str, threshold: float = THRESHOLD) -> list[Pair]:
    """Find submissions that are suspiciously alike.

    Parameters
    ----------
    code : mapping
        A student's code by student.
    release : str
        The code that all were given.
    threshold : float
        Smallest likeness that is returned.

    Returns
    -------
    list of Pair
        The most alike first.
    """
    common = runs(release)
    own = {student: runs(text) - common for student, text in code.items()}
    count = Counter(run for found in own.values() for run in found)
    weight = {run: math.log((len(own) + 1) / times) for run, times in count.items()}
    pairs = []
    for (first, ours), (second, theirs) in combinations(sorted(own.items()), 2):
        if min(len(ours), len(theirs)) < LEAST:
            continue
        both = sum(weight[run] for run in ours & theirs)
        either = sum(weight[run] for run in ours | theirs)
        pairs.append(Pair(first, second, both / either))
    found = [pair for pair in pairs if pair.likeness >= threshold]
    return sorted(found, key=lambda pair: -pair.likeness)


def runs(code: str) -> set[tuple[str, ...]]:
    """Return the runs of a program, without names of variables, comments and documentation."""
    try:
        tree = ast.parse(re.sub(r"^\s*[%!?].*$", "", code, flags=re.MULTILINE))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        words = re.findall(r"\w+|\S", re.sub(r"#.*", "", code))
        return _runs(words)
    try:
        return {run for statement in tree.body for run in _runs(list(_words(statement)))}
    except RecursionError:
        return set()


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


def _words(node: ast.AST) -> Iterator[str]:
    """Yield the syntax of a node in order. Variables have no names, what is called has."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Load, ast.Store)):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    yield _word(node)
    for child in ast.iter_child_nodes(node):
        if child is not getattr(node, "returns", None):
            yield from _words(child)


def _word(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id if hasattr(builtins, node.id) else "name"
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Constant):
        return repr(node.value)[:40]
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    return type(node).__name__
