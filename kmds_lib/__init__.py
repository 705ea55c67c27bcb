"""Kernel multidimensional scaling from first principles: the library of the book."""

from kmds_lib.additive import additive_constant
from kmds_lib.classical import classical_scaling
from kmds_lib.datasets import (
    load_eurodist,
    load_williams_figure1,
    project_equal_area,
    rings,
    swiss_roll,
    three_clusters,
    two_clusters_and_outliers,
)
from kmds_lib.dependence import distance_correlation, distance_covariance, hsic
from kmds_lib.extension import (
    landmark_scaling,
    nystroem,
)
from kmds_lib.geodesic import isomap
from kmds_lib.gram import (
    center_cross_gram,
    center_gram,
    distances,
    distances_from_gram,
    gram_from_distances,
    is_euclidean,
    squared_distances,
)
from kmds_lib.kernel_components import kernel_pca, kernel_pca_from_gram
from kmds_lib.kernel_scaling import (
    critchley_scaling,
    kernel_mds,
    kernel_mds_from_points,
)
from kmds_lib.kernels import (
    RBF,
    DampedCosine,
    Definiteness,
    Exponential,
    Kernel,
    Linear,
    Polynomial,
    Power,
)
from kmds_lib.laplacian import laplacian_eigenmaps
from kmds_lib.latent import dual_probabilistic_pca, gplvm
from kmds_lib.linalg import (
    canonical_signs,
    centering_matrix,
    nearest_psd,
    principal_angles,
    procrustes_align,
    similarity_invariants,
)
from kmds_lib.local_linear import locally_linear_embedding
from kmds_lib.losses import kruskal_stress, raw_stress, sstress, strain
from kmds_lib.permutation import permutation_test
from kmds_lib.principal import pca
from kmds_lib.probabilistic import gaussian_log_likelihood, probabilistic_pca
from kmds_lib.similarities import similarities_to_dissimilarities
from kmds_lib.stability import leave_one_out
from kmds_lib.stress import sammon, smacof
from kmds_lib.two_samples import energy_distance, mmd
from kmds_lib.unfolding import maximum_variance_unfolding

__version__ = "0.2.0"

__all__ = [
    "RBF",
    "DampedCosine",
    "Definiteness",
    "Exponential",
    "Kernel",
    "Linear",
    "Polynomial",
    "Power",
    "additive_constant",
    "canonical_signs",
    "center_cross_gram",
    "center_gram",
    "centering_matrix",
    "classical_scaling",
    "critchley_scaling",
    "distance_correlation",
    "distance_covariance",
    "distances",
    "distances_from_gram",
    "dual_probabilistic_pca",
    "energy_distance",
    "gaussian_log_likelihood",
    "gplvm",
    "gram_from_distances",
    "hsic",
    "is_euclidean",
    "isomap",
    "kernel_mds",
    "kernel_mds_from_points",
    "kernel_pca",
    "kernel_pca_from_gram",
    "kruskal_stress",
    "landmark_scaling",
    "laplacian_eigenmaps",
    "leave_one_out",
    "load_eurodist",
    "load_williams_figure1",
    "locally_linear_embedding",
    "maximum_variance_unfolding",
    "mmd",
    "nearest_psd",
    "nystroem",
    "pca",
    "permutation_test",
    "principal_angles",
    "probabilistic_pca",
    "procrustes_align",
    "project_equal_area",
    "raw_stress",
    "rings",
    "sammon",
    "similarities_to_dissimilarities",
    "similarity_invariants",
    "smacof",
    "squared_distances",
    "sstress",
    "strain",
    "swiss_roll",
    "three_clusters",
    "two_clusters_and_outliers",
]
