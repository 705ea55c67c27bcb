// The error of a text that is not read.

/** The line that does not fit a layout, and why; the line is Infinity if the whole text does not. */
export class LayoutError extends Error {
  constructor(line, why, layout = "") {
    super(why);
    Object.assign(this, { line, layout });
  }
}
