"""Kernel multidimensional scaling from first principles: the library of the book.

Import functions and kernels from here, and data sets from `kmds_lib.datasets`. The results of fits
are objects, whose attributes and methods are documented with their classes in `kmds_lib.results`:
see ``help(fit)``. Estimators for scikit-learn are in `kmds_lib.sklearn`.

An argument that does not match its description raises a `ValueError`, which says what was found.
The sections named Raises add what the descriptions do not say.
"""

from kmds_lib import results as results
from kmds_lib._additive_constant import additive_constant
from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._gplvm import dual_probabilistic_pca, gplvm
from kmds_lib._gram import (
    center_cross_gram,
    center_gram,
    distances,
    distances_from_gram,
    gram_from_distances,
    is_euclidean,
    squared_distances,
)
from kmds_lib._hsic import distance_correlation, distance_covariance, hsic
from kmds_lib._isomap import isomap
from kmds_lib._kernel_mds import critchley_scaling, kernel_mds
from kmds_lib._kernel_pca import kernel_pca, kernel_pca_from_gram
from kmds_lib._landmark_scaling import landmark_scaling
from kmds_lib._laplacian_eigenmaps import laplacian_eigenmaps
from kmds_lib._leave_one_out import leave_one_out
from kmds_lib._linalg import (
    canonical_signs,
    centering_matrix,
    nearest_psd,
    principal_angles,
    procrustes_align,
    similarity_invariants,
)
from kmds_lib._lle import locally_linear_embedding
from kmds_lib._losses import kruskal_stress, raw_stress, sstress, strain
from kmds_lib._mmd import energy_distance, mmd
from kmds_lib._mvu import maximum_variance_unfolding
from kmds_lib._nystroem import nystroem
from kmds_lib._pca import pca
from kmds_lib._permutation import permutation_test
from kmds_lib._probabilistic_pca import gaussian_log_likelihood, probabilistic_pca
from kmds_lib._similarities import similarities_to_dissimilarities
from kmds_lib._smacof import sammon, smacof
from kmds_lib.datasets import (
    load_eurodist,
    load_williams_figure1,
    project_equal_area,
    rings,
    swiss_roll,
    three_clusters,
    two_clusters_and_outliers,
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
    choose_theta,
)

__version__ = "0.3.0"

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
    "choose_theta",
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
