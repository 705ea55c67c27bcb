"use strict";

// Labels that stood on another page in an earlier edition, with the place where they stand now.
const MOVED = {
  "01-similarity": {
    "ex-1-own": "01-similarity#ex-1-units",
    "fig-printed-sum": "01-similarity#fig-left-vectors",
    "fig-scissors": "01-similarity#ex-1-jordan"
  },
  "02-rank-psd-svd": {
    "ex-2-own-picture": "02-rank-psd-svd#fig-rank-explorer",
    "fig-photo-ranks": "02-rank-psd-svd#fig-rank-explorer",
    "fig-photo-slider": "02-rank-psd-svd#fig-rank-explorer",
    "thm-von-neumann": "02-rank-psd-svd#ex-2-von-neumann"
  },
  "03-distances-gram": {
    "cor-elementwise": "03-distances-gram#ex-3-elementwise",
    "ex-3-missing": "03-distances-gram#thm-schoenberg"
  },
  "04-classical-scaling": {
    "ex-4-indefinite": "04-classical-scaling#thm-strain",
    "ex-4-mirror": "04-classical-scaling#thm-procrustes",
    "ex-4-theorem1": "04-classical-scaling#thm-projection",
    "ex-4-transform": "10-new-points#thm-one-formula",
    "fig-eurodist-table": "04-classical-scaling#fig-table-explorer",
    "fig-new-city": "10-new-points#fig-foot",
    "lem-trace": "02-rank-psd-svd#ex-2-von-neumann"
  },
  "05-pca-equivalence": {
    "equation-eq-ppca": "13-models#equation-eq-ppca",
    "equation-eq-ppca-likelihood": "13-models#equation-eq-ppca-likelihood",
    "equation-eq-ppca-posterior": "13-models#equation-eq-ppca-posterior",
    "equation-eq-shrink": "13-models#equation-eq-shrink",
    "ex-5-calculus": "13-models#ex-5-calculus",
    "ex-5-choose": "13-models#ex-5-choose",
    "ex-5-dual": "13-models#ex-5-dual",
    "ex-5-psd": "02-rank-psd-svd#ex-2-two-ways",
    "ex-5-saddles": "13-models#ex-5-saddles",
    "fig-ellipses": "13-models#fig-shrink",
    "fig-gplvm": "13-models#fig-gplvm",
    "fig-latent": "13-models#sec-no-noise",
    "fig-routes": "05-pca-equivalence#sec-smaller-matrix",
    "fig-shrink": "13-models#fig-shrink",
    "fig-spectra": "05-pca-equivalence#fig-clerk-explorer",
    "fig-two-clerks": "05-pca-equivalence#fig-equal-maps",
    "lem-conditional": "13-models#lem-conditional",
    "sec-dual-kernel": "13-models#sec-dual-kernel",
    "sec-factor-analysis": "13-models#sec-factor-analysis",
    "sec-no-noise": "13-models#sec-no-noise",
    "sec-ppca-story": "13-models#sec-ppca-story",
    "sec-shrink": "13-models#sec-shrink",
    "sec-squared-error": "13-models#sec-squared-error",
    "thm-dual-ppca": "13-models#thm-dual-ppca",
    "thm-ppca": "13-models#thm-ppca",
    "thm-ppca-joint": "13-models#thm-ppca-joint"
  },
  "06-kernels": {
    "equation-eq-lipschitz": "06-kernels#equation-eq-reproducing",
    "equation-eq-poisson": "06-kernels#fig-taylor",
    "ex-6-own": "06-kernels#ex-6-rings",
    "ex-6-perfect": "06-kernels#sec-flower-answer",
    "ex-6-spectra": "06-kernels#sec-flower-answer",
    "fig-digit-spectrum": "08-kernel-mds#thm-theta-infinity",
    "fig-profiles": "06-kernels#sec-isotropic",
    "fig-rings-shadow": "06-kernels#prop-middle",
    "fig-stationary": "06-kernels#sec-isotropic"
  },
  "07-kernel-pca": {
    "ex-7-far": "07-kernel-pca#ex-7-constant",
    "ex-7-own": "07-kernel-pca#ex-7-denoise",
    "fig-widths": "07-kernel-pca#fig-component-explorer"
  },
  "08-kernel-mds": {
    "ex-8-own": "08-kernel-mds#ex-8-decide",
    "fig-beta": "08-kernel-mds#fig-williams-1",
    "fig-choice": "08-kernel-mds#sec-pictures-answer",
    "fig-lattice": "08-kernel-mds#thm-damped-cosine",
    "fig-power": "08-kernel-mds#thm-power",
    "fig-shepard-delta": "08-kernel-mds#fig-shepard-feature",
    "fig-theta": "08-kernel-mds#fig-width-explorer"
  },
  "09-stress": {
    "equation-eq-cubic": "09-stress#ex-9-sstress",
    "ex-9-own": "09-stress#ex-9-noise",
    "fig-apart": "09-stress#fig-degenerate",
    "fig-three-shepard": "09-stress#fig-three-maps",
    "thm-sstress-strain": "09-stress#ex-9-sstress"
  },
  "10-new-points": {
    "ex-10-check": "10-new-points#thm-one-formula",
    "ex-10-weights": "10-new-points#ex-10-pivot",
    "fig-landmarks": "10-new-points#fig-choices"
  },
  "11-manifolds": {
    "ex-11-clip": "11-manifolds#ex-11-good",
    "ex-11-dual": "11-manifolds#ex-11-same",
    "ex-11-four": "11-manifolds#ex-11-same",
    "ex-11-radius": "11-manifolds#alg-isomap",
    "prop-hessian": "11-manifolds#ex-11-hessian",
    "prop-ncut": "11-manifolds#ex-11-ncut",
    "sec-lle-laplacian": "11-manifolds#ex-11-same",
    "sec-local-global": "13-models#sec-dual-kernel",
    "thm-ring": "11-manifolds#ex-11-same"
  },
  "12-hkh-everywhere": {
    "def-gplvm": "13-models#def-gplvm",
    "ex-12-all": "12-hkh-everywhere#thm-permutation",
    "ex-12-gplvm": "13-models#ex-12-gplvm",
    "fig-turned-square": "12-hkh-everywhere#fig-permutation-explorer",
    "fig-wine-maps": "13-models#fig-wine-maps",
    "fig-witness": "12-hkh-everywhere#fig-permutation-explorer",
    "thm-gplvm": "13-models#thm-gplvm"
  },
  "kernel_scaling": {
    "kmds_lib.kernel_scaling.KernelMDSResult": "kernel_components#kmds_lib.kernel_components.KernelPCAResult",
    "kmds_lib.kernel_scaling.KernelMDSResult.dissimilarities": "kernel_components#kmds_lib.kernel_components.KernelPCAResult.dissimilarities",
    "kmds_lib.kernel_scaling.KernelMDSResult.feature_distances": "kernel_components#kmds_lib.kernel_components.KernelPCAResult.feature_distances",
    "kmds_lib.kernel_scaling.KernelMDSResult.gram": "kernel_components#kmds_lib.kernel_components.KernelPCAResult.gram",
    "kmds_lib.kernel_scaling.KernelMDSResult.shepard": "kernel_components#kmds_lib.kernel_components.KernelPCAResult.shepard",
    "kmds_lib.kernel_scaling.KernelMDSResult.transform": "kernel_components#kmds_lib.kernel_components.KernelPCAResult.transform"
  },
  "kernels": {
    "kmds_lib.IsotropicKernel": "kernels#kmds_lib.kernels.IsotropicKernel"
  },
  "linalg": {
    "kmds_lib.leading_eigenpairs": "linalg#kmds_lib._eigen.Eigenpairs"
  }
};

{
  const page = location.pathname.match(/([\w-]+)\.html$/)?.[1];
  const place = MOVED[page]?.[decodeURIComponent(location.hash.slice(1))];
  if (place) location.replace(place.replace("#", ".html#"));
}
