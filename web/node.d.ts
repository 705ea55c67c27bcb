// What the scripts use of Node and of packages, without the types, which are not installed.
declare module "node:*";
declare module "esbuild";
declare module "*/linkedom/worker.js";
declare const __dirname: string;
declare const process: { exit(code: number): never; stdout: { write(text: string): void } };
interface ImportMeta {
  dirname: string;
}
