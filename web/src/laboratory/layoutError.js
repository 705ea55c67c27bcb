// The error of a text that is not read.

/** Say which line does not fit a layout, and why; it is Infinity if the whole text is rejected. */
export class LayoutError extends Error {
  constructor(line, why, layout = "") {
    super(why);
    Object.assign(this, { line, layout });
  }
}
