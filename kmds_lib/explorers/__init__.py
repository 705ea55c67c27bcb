"""Interactive figures that compute in the browser, in JupyterLab and on the static page.

Importing this package needs anywidget, which the rest of the library does not use.
"""

from kmds_lib.explorers._clerk import ClerkExplorer, clerk_explorer
from kmds_lib.explorers._explorer import SHARED_MODULE, SHARED_STYLE, Explorer
from kmds_lib.explorers._gram import GramExplorer, gram_explorer
from kmds_lib.explorers._kernel import KernelExplorer, kernel_explorer
from kmds_lib.explorers._laboratory import Laboratory, laboratory
from kmds_lib.explorers._map import MapExplorer, map_explorer
from kmds_lib.explorers._neighbor import NeighborExplorer, neighbor_explorer
from kmds_lib.explorers._stress import StressExplorer, stress_explorer
from kmds_lib.explorers._table import TableExplorer, table_explorer
from kmds_lib.explorers._width import WidthExplorer, width_explorer

__all__ = [
    "SHARED_MODULE",
    "SHARED_STYLE",
    "ClerkExplorer",
    "Explorer",
    "GramExplorer",
    "KernelExplorer",
    "Laboratory",
    "MapExplorer",
    "NeighborExplorer",
    "StressExplorer",
    "TableExplorer",
    "WidthExplorer",
    "clerk_explorer",
    "gram_explorer",
    "kernel_explorer",
    "laboratory",
    "map_explorer",
    "neighbor_explorer",
    "stress_explorer",
    "table_explorer",
    "width_explorer",
]
