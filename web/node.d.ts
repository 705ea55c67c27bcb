// What the scripts use of Node, whose types are not installed.
declare module "node:*";
declare const __dirname: string;
declare const process: { exit(code: number): never; stdout: { write(text: string): void } };
interface ImportMeta {
  dirname: string;
}
