// The error that is thrown if a text does not have the layout that was tried.

/** The line that does not fit a layout (Infinity for the whole text), and why. */
export class LayoutError extends Error {
  line: number;
  layout: string;

  constructor(line: number, why: string, layout = "") {
    super(why);
    this.line = line;
    this.layout = layout;
  }
}
