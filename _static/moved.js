"use strict";

// Labels that stood on another page in an earlier edition, with the place where they stand now.
const MOVED = {
  "01-similarity": {
    "fig-printed-sum": "01-similarity#fig-left-vectors",
    "fig-scissors": "01-similarity#ex-1-jordan"
  },
  "02-rank-psd-svd": {
    "fig-photo-ranks": "02-rank-psd-svd#fig-rank-explorer",
    "fig-photo-slider": "02-rank-psd-svd#fig-rank-explorer"
  },
  "03-distances-gram": {
    "cor-elementwise": "03-distances-gram#ex-3-elementwise"
  },
  "04-classical-scaling": {
    "fig-eurodist-table": "04-classical-scaling#fig-table-explorer"
  },
  "06-kernels": {
    "equation-eq-lipschitz": "06-kernels#equation-eq-reproducing",
    "equation-eq-poisson": "06-kernels#fig-taylor",
    "ex-6-spectra": "06-kernels#sec-flower-answer",
    "fig-digit-spectrum": "08-kernel-mds#thm-theta-infinity",
    "fig-profiles": "06-kernels#sec-isotropic",
    "fig-rings-shadow": "06-kernels#prop-middle",
    "fig-stationary": "06-kernels#sec-isotropic"
  },
  "07-kernel-pca": {
    "fig-widths": "07-kernel-pca#fig-component-explorer"
  },
  "10-new-points": {
    "ex-10-check": "10-new-points#thm-one-formula"
  },
  "11-manifolds": {
    "ex-11-four": "11-manifolds#thm-ring",
    "prop-hessian": "11-manifolds#ex-11-hessian",
    "prop-ncut": "11-manifolds#ex-11-ncut",
    "sec-local-global": "05-pca-equivalence#sec-dual-kernel"
  }
};

{
  const page = location.pathname.match(/([\w-]+)\.html$/)?.[1];
  const place = MOVED[page]?.[decodeURIComponent(location.hash.slice(1))];
  if (place) location.replace(place.replace("#", ".html#"));
}
