// The map that the laboratory shows, and what is drawn with it.

import { type Matrix, matrixProduct, type Names } from "../../core/matrix.ts";
import { overlayOf } from "../fitting/comparison.ts";
import { type Choices, mapUnit, type Orientation } from "../fitting/fitOptions.ts";
import type { LaboratoryFit, PartialFit } from "../fitting/fits.ts";
import type { LaboratoryData } from "../fitting/laboratoryData.ts";
import { alignWithShown, cameraOf, cameraRows, rotationMatrix } from "../fitting/mapRotations.ts";
import { groupsBy, labelsOf, shownArrows } from "./columns.ts";
import type { InteractiveMap } from "./mapDrawing.ts";

type OtherMap = { points: Matrix; title: string };

/** Describe the map and its keys for a screen reader. */
function mapLabel(fit: PartialFit, n: number, what = "") {
  const k = fit.choices.dimensions;
  const filled = Math.min(k, Math.max(1, fit.axesUsed ?? k));
  const size = ["one dimension", "two dimensions", "three dimensions"][filled - 1];
  const keys = `plus and minus zoom, 0 shows all, arrows ${k === 3 ? "rotate" : "move"} it.`;
  return `Map of ${n} ${what || "objects"} in ${size}. Keys: ${keys}`;
}

/** The map on the screen: its fit, rotated points and marks, and a map to compare with it. */
export class CurrentMap {
  groups = groupsBy(undefined); // the groups of the objects and their marks
  drawn: PartialFit | null = null; // the fit of the map on the screen
  names: Names = null; // labels of the points, or none
  arrows: ReturnType<typeof shownArrows> = []; // those of the variables
  isNewTable = true; // until the first map of a table is drawn
  fit: LaboratoryFit | null = null; // the last complete fit, or null
  shown: Matrix | null = null; // the rotated points on the screen
  clouds: Matrix[] | null = null; // maps without single objects, as in leave_one_out
  // Another map to compare with, and this other map aligned with the one on the screen.
  other: OtherMap | null = null;
  overlay: ReturnType<typeof overlayOf> | null = null;

  data: LaboratoryData; // the table of the map
  view: InteractiveMap; // its drawing

  constructor(data: LaboratoryData, view: InteractiveMap) {
    this.data = data;
    this.view = view;
  }

  /** Do not align the map of another table with this one, nor compare them. */
  startTable() {
    Object.assign(this, { isNewTable: true, fit: null, shown: null, other: null });
  }

  /** Mark and label the points by the columns that are chosen. */
  setMarks({ colour, labels }: Choices) {
    const { parsed } = this.data;
    const columns = this.data.columns();
    const chosen = (choice: string) => columns.find(({ key }) => key === choice);
    this.groups = groupsBy(chosen(colour), parsed.groups);
    this.names = labelsOf(parsed, labels, chosen(labels));
  }

  /** Draw the next map in a given orientation instead of aligning it with this one. */
  orient({ rotation, camera }: Orientation) {
    if (rotation) this.shown = null;
    if (camera) this.view.viewport.R = cameraRows(camera);
  }

  /** Return the orientation of a map: the chosen one, or one that aligns it with this one. */
  orientationOf(fit: PartialFit, { rotation, camera }: Choices) {
    const k = fit.choices.dimensions;
    const { points, axesUsed = k } = fit;
    const last = this.shown?.length === points.length && points.some((x) => x !== 0) && this.shown;
    if (!last)
      return { rotation, camera, R: this.isNewTable && camera ? cameraRows(camera) : null };
    const aligned = alignWithShown(points, k, last, { filled: axesUsed, R: this.view.viewport.R });
    return { ...aligned, camera: k === 3 && camera ? cameraOf(aligned.R) : camera };
  }

  /** Draw a map of the data, and return its orientation. */
  draw(fit: PartialFit, choices: Choices) {
    const { parsed, meta } = this.data;
    this.drawn = fit;
    const k = fit.choices.dimensions;
    const { R, ...orientation } = this.orientationOf(fit, choices);
    const matrix = rotationMatrix(orientation.rotation, k);
    const move = (rows: Matrix) => matrixProduct(rows, k, matrix, k);
    const points = move(fit.points);
    this.shown = points;
    const clouds = this.clouds?.map(move) ?? null;
    if (this.other?.points.length !== points.length) this.other = null;
    this.overlay = this.other && overlayOf(points, k, this.other.points);
    const unit = mapUnit(fit.choices, meta.unit);
    const label = mapLabel(fit, parsed.table.length, meta.what);
    this.arrows = choices.arrows ? shownArrows(points, k, this.data.columns()) : [];
    const { names, groups, arrows, overlay: other, isNewTable } = this;
    const details = { names, groups, other, arrows, unit, label, isNewTable };
    this.view.show({ fit, points, clouds, R, ...details });
    this.isNewTable = false;
    return orientation;
  }
}
