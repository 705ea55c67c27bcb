// All explorers, under the names of their modules: the one list for the pages and the bundles.

export { default as bandwidth } from "./bandwidth.ts";
export { default as changeOfBasis } from "./changeOfBasis.ts";
export { default as classicalScaling } from "./classicalScaling.ts";
export { default as fourPoints } from "./fourPoints.ts";
export { default as isomap } from "./isomap.ts";
export { default as kernel } from "./kernel.ts";
export { default as newPoint } from "./newPoint.ts";
export { default as pcaVsScaling } from "./pcaVsScaling.ts";
export { default as permutation } from "./permutation.ts";
export { default as ppca } from "./ppca.ts";
export { default as rotation } from "./rotation.ts";
export { default as smacof } from "./smacof.ts";
export { default as truncatedSvd } from "./truncatedSvd.ts";
