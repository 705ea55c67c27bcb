// What web/build.js defines, and a package that is installed without its types.
declare const WORKER_SCRIPT: string | undefined;
declare module "fastest-levenshtein";
