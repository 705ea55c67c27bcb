"""Result classes and warnings, for type hints, ``isinstance`` and warning filters."""

from kmds_lib._classical_scaling import ClassicalScalingResult
from kmds_lib._disparities import DegenerateWarning, Shepard
from kmds_lib._embedding import Embedding, Spectrum
from kmds_lib._gplvm import GPLVMResult
from kmds_lib._graph_embedding import GraphCostEmbedding
from kmds_lib._isomap import IsomapResult
from kmds_lib._kernel_pca_result import KernelPCAResult
from kmds_lib._labels import Labelled
from kmds_lib._landmark_scaling import LandmarkEmbedding
from kmds_lib._leave_one_out import LeaveOneOutResult
from kmds_lib._linalg import Alignment, Invariants
from kmds_lib._messages import FewerComponentsWarning, NotConvergedWarning
from kmds_lib._mvu import MaximumVarianceUnfoldingResult
from kmds_lib._pca import PCAResult
from kmds_lib._permutation import PermutationTestResult
from kmds_lib._probabilistic_pca import ProbabilisticPCAResult
from kmds_lib._smacof import StressResult
from kmds_lib.kernels import DefinitenessWarning

__all__ = [
    "Alignment",
    "ClassicalScalingResult",
    "DefinitenessWarning",
    "DegenerateWarning",
    "Embedding",
    "FewerComponentsWarning",
    "GPLVMResult",
    "GraphCostEmbedding",
    "Invariants",
    "IsomapResult",
    "KernelPCAResult",
    "Labelled",
    "LandmarkEmbedding",
    "LeaveOneOutResult",
    "MaximumVarianceUnfoldingResult",
    "NotConvergedWarning",
    "PCAResult",
    "PermutationTestResult",
    "ProbabilisticPCAResult",
    "Shepard",
    "Spectrum",
    "StressResult",
]
