// The error of a text that is not read.

/** The line that does not fit a layout (Infinity for the whole text), and why. */
export class LayoutError extends Error {
  constructor(line, why, layout = "") {
    super(why);
    Object.assign(this, { line, layout });
  }
}
