// All explorers, under the names of their modules: the one list for the pages and the bundles.

export { default as bandwidth } from "./bandwidth.js";
export { default as changeOfBasis } from "./changeOfBasis.js";
export { default as classicalScaling } from "./classicalScaling.js";
export { default as fourPoints } from "./fourPoints.js";
export { default as isomap } from "./isomap.js";
export { default as kernel } from "./kernel.js";
export { default as newPoint } from "./newPoint.js";
export { default as pcaVsScaling } from "./pcaVsScaling.js";
export { default as permutation } from "./permutation.js";
export { default as ppca } from "./ppca.js";
export { default as rotation } from "./rotation.js";
export { default as smacof } from "./smacof.js";
export { default as truncatedSvd } from "./truncatedSvd.js";
