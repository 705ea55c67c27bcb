"""Interactive figures that compute in the browser, in JupyterLab and on static pages."""

from kmds_figures.explorers.bandwidth import BandwidthExplorer, bandwidth_explorer
from kmds_figures.explorers.change_of_basis import ChangeOfBasisExplorer, change_of_basis_explorer
from kmds_figures.explorers.classical_scaling import (
    ClassicalScalingExplorer,
    classical_scaling_explorer,
)
from kmds_figures.explorers.explorer import Explorer
from kmds_figures.explorers.four_points import FourPointsExplorer, four_points_explorer
from kmds_figures.explorers.isomap import IsomapExplorer, isomap_explorer
from kmds_figures.explorers.kernel import KernelExplorer, kernel_explorer
from kmds_figures.explorers.new_point import NewPointExplorer, new_point_explorer
from kmds_figures.explorers.pca_vs_scaling import PcaVsScalingExplorer, pca_vs_scaling_explorer
from kmds_figures.explorers.permutation import PermutationExplorer, permutation_explorer
from kmds_figures.explorers.ppca import PpcaExplorer, ppca_explorer
from kmds_figures.explorers.rotation import RotationExplorer, rotation_explorer
from kmds_figures.explorers.smacof import SmacofExplorer, smacof_explorer
from kmds_figures.explorers.truncated_svd import TruncatedSvdExplorer, truncated_svd_explorer

__all__ = [
    "BandwidthExplorer",
    "ChangeOfBasisExplorer",
    "ClassicalScalingExplorer",
    "Explorer",
    "FourPointsExplorer",
    "IsomapExplorer",
    "KernelExplorer",
    "NewPointExplorer",
    "PcaVsScalingExplorer",
    "PermutationExplorer",
    "PpcaExplorer",
    "RotationExplorer",
    "SmacofExplorer",
    "TruncatedSvdExplorer",
    "bandwidth_explorer",
    "change_of_basis_explorer",
    "classical_scaling_explorer",
    "four_points_explorer",
    "isomap_explorer",
    "kernel_explorer",
    "new_point_explorer",
    "pca_vs_scaling_explorer",
    "permutation_explorer",
    "ppca_explorer",
    "rotation_explorer",
    "smacof_explorer",
    "truncated_svd_explorer",
]
