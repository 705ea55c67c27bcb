// What the compiler cannot find: a rule for pairs, names that other scripts define, what
// web/build.ts defines, and packages and parts of Node whose types are not installed.

/** A pair is mapped to a pair. */
interface Array<T> {
  map<U>(this: [T, T], of: (value: T, index: number) => U): [U, U];
}

declare var bookExercises: Record<string, string[]> | undefined;
declare var printing: object; // that of tools/pdf.js
declare var kmdsLaboratory: { default: import("./ui/state.ts").ExplorerModule };
declare const WORKER_SCRIPT: string | undefined;
declare module "fastest-levenshtein";
declare module "papaparse";
declare module "node:*";
declare module "esbuild";
declare module "*/linkedom/worker.js";
declare module "*/katex.min.js";
declare const __dirname: string;
declare const process: { exit(code: number): never; stdout: { write(text: string): void } };
interface ImportMeta {
  dirname: string;
}
