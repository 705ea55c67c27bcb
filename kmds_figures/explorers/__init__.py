"""Interactive figures that compute in the browser, in JupyterLab and on static pages."""

from kmds_figures.explorers.clerk import ClerkExplorer, clerk_explorer
from kmds_figures.explorers.explorer import Explorer
from kmds_figures.explorers.gram import GramExplorer, gram_explorer
from kmds_figures.explorers.kernel import KernelExplorer, kernel_explorer
from kmds_figures.explorers.map import MapExplorer, map_explorer
from kmds_figures.explorers.model import ModelExplorer, model_explorer
from kmds_figures.explorers.neighbor import NeighborExplorer, neighbor_explorer
from kmds_figures.explorers.newcomer import NewcomerExplorer, newcomer_explorer
from kmds_figures.explorers.permutation import PermutationExplorer, permutation_explorer
from kmds_figures.explorers.rank import RankExplorer, rank_explorer
from kmds_figures.explorers.stress import StressExplorer, stress_explorer
from kmds_figures.explorers.table import TableExplorer, table_explorer
from kmds_figures.explorers.turn import TurnExplorer, turn_explorer
from kmds_figures.explorers.width import WidthExplorer, width_explorer

__all__ = [
    "ClerkExplorer",
    "Explorer",
    "GramExplorer",
    "KernelExplorer",
    "MapExplorer",
    "ModelExplorer",
    "NeighborExplorer",
    "NewcomerExplorer",
    "PermutationExplorer",
    "RankExplorer",
    "StressExplorer",
    "TableExplorer",
    "TurnExplorer",
    "WidthExplorer",
    "clerk_explorer",
    "gram_explorer",
    "kernel_explorer",
    "map_explorer",
    "model_explorer",
    "neighbor_explorer",
    "newcomer_explorer",
    "permutation_explorer",
    "rank_explorer",
    "stress_explorer",
    "table_explorer",
    "turn_explorer",
    "width_explorer",
]
