// The error that is thrown if a text does not have the layout that was tried.

/** The line that does not fit a layout (Infinity for the whole text), and why. */
export class LayoutError extends Error {
  constructor(line, why, layout = "") {
    super(why);
    Object.assign(this, { line, layout });
  }
}
