// Types that several scripts use, what web/build.ts defines, and packages that have no types.

/** A matrix, row by row. A square one comes with its order n, points with their columns p. */
type Matrix = Float64Array;
type Numbers = ArrayLike<number>;
/** Returns the entry in row i and column j of a matrix. */
type Entry = (i: number, j: number) => number;
/** A point of the plane, [x, y]. */
type Point = [number, number];
/** A pair is mapped to a pair. */
interface Array<T> {
  map<U>(this: [T, T], of: (value: T, index: number) => U): [U, U];
}
/** The rows of numbers of a reader's table; NaN where a number is missing. */
type Table = number[][];
/** A line of a reader's text: its number and what it contains. */
type Line = { line: number; words: string };
/** A row of cells with the line from which it was read. */
type Cells = string[] & Line;
/** The names of objects, or null if they have none. */
type Names = string[] | null;
type NameOf = (i: number) => string;
/** Makes words a link to a section of the book. */
type Link = ReturnType<typeof import("./laboratory/messages.ts").linker>;
type IsCell = (cell: string) => boolean;
/** Returns the number in a cell: NaN if it is missing, null if the cell contains something else. */
type ToNumber = (cell: string) => number | null;

/** The traits of an explorer. */
type Traits = Record<string, unknown>;
/** The traits that links leave out; those of them that are the reader's data, for a link to copy. */
type LinkRules = { notInLinks?: string[]; readersData?: (state: Traits) => string[] };
/** What Jupyter or a page hands to an explorer: its model, and the element that it fills. */
type RenderProps = { model: import("./ui/state.ts").Model; el: HTMLElement };
type ExplorerModule = LinkRules & { render(props: RenderProps): unknown };

declare var bookExercises: Record<string, string[]> | undefined;
declare var printing: object; // that of tools/pdf.js
declare var kmdsLaboratory: { default: ExplorerModule };
declare const WORKER_SCRIPT: string | undefined;
declare module "fastest-levenshtein";
declare module "papaparse";
