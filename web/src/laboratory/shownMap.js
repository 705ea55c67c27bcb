// The map that the laboratory shows, and what is drawn with it.

import { matrixProduct } from "../core/matrix.js";
import { groupsBy, shownArrows } from "./columns.js";
import { alignWithShown, cameraOf, cameraRows, overlayOf, rotationMatrix } from "./mapRotations.js";
import { hasPoints } from "./metrics.js";

/** @import { Groups } from "./columns.js" */
/** @import { Choices, Orientation } from "./fitOptions.js" */
/** @import { DrawnMap, LaboratoryFit } from "./fits.js" */
/** @import { LaboratoryData } from "./laboratoryData.js" */
/** @import { MapView } from "./mapView.js" */
/** @typedef {{ points: Matrix, title: string }} OtherMap */

/** Describe the map and its keys for a screen reader. */
function mapLabel(/** @type {DrawnMap} */ fit, /** @type {number} */ n, what = "") {
  const k = fit.choices.dimensions;
  const filled = Math.min(k, Math.max(1, fit.axesUsed ?? k));
  const size = ["one dimension", "two dimensions", "three dimensions"][filled - 1];
  const keys = `plus and minus zoom, 0 shows all, arrows ${k === 3 ? "rotate" : "move"} it.`;
  return `Map of ${n} ${what || "objects"} in ${size}. Keys: ${keys}`;
}

/** The map on the screen: its fit, rotated points and marks, and a map to compare with it. */
export class ShownMap {
  kinds = groupsBy(undefined); // the groups of the objects and their marks
  drawn = /** @type {DrawnMap | null} */ (null); // the fit of the map on the screen
  names = /** @type {Names} */ (null); // labels of the points, or none
  arrows = /** @type {ReturnType<typeof shownArrows>} */ ([]); // those of the variables
  isNewTable = true; // until the first map of a table is drawn
  fit = /** @type {LaboratoryFit | null} */ (null); // the last complete fit, or null
  shown = /** @type {Matrix | null} */ (null); // the rotated points on the screen
  clouds = /** @type {Matrix[] | null} */ (null); // maps without some of the objects
  // Another map to compare with, and this other map aligned with the one on the screen.
  other = /** @type {OtherMap | null} */ (null);
  overlay = /** @type {ReturnType<typeof overlayOf> | null} */ (null);

  constructor(/** @type {LaboratoryData} */ data, /** @type {MapView} */ view) {
    this.data = data; // the table of the map
    this.view = view; // its drawing
  }

  /** Do not align the map of another table with this one, nor compare them. */
  startTable() {
    Object.assign(this, { isNewTable: true, fit: null, shown: null, other: null });
  }

  setFit(/** @type {LaboratoryFit | null} */ fit) {
    this.fit = fit;
  }

  setMarks(/** @type {Groups} */ kinds, /** @type {Names} */ names) {
    Object.assign(this, { kinds, names });
  }

  setClouds(/** @type {Matrix[] | null} */ clouds) {
    this.clouds = clouds;
  }

  /** Compare the next maps with another one, or with none. */
  compareWith(/** @type {OtherMap | null} */ other) {
    this.other = other;
  }

  /** Draw the next map in a given orientation instead of aligning it with this one. */
  orient(/** @type {Orientation} */ { rotation, camera }) {
    if (rotation) this.shown = null;
    if (camera) this.view.setRotation(cameraRows(camera));
  }

  /** Return the orientation of a map: the chosen one, or one that aligns it with this one. */
  orientationOf(/** @type {DrawnMap} */ fit, /** @type {Choices} */ { rotation, camera }) {
    const k = fit.choices.dimensions;
    const { points, axesUsed = k } = fit;
    const last = this.shown?.length === points.length && points.some((x) => x !== 0) && this.shown;
    if (!last)
      return { rotation, camera, R: this.isNewTable && camera ? cameraRows(camera) : null };
    const found = alignWithShown(points, k, last, { filled: axesUsed, R: this.view.rotation() });
    return { ...found, camera: k === 3 && camera ? cameraOf(found.R) : camera };
  }

  /** Draw a map of the data, and return its orientation. */
  draw(/** @type {DrawnMap} */ fit, /** @type {Choices} */ choices) {
    const { parsed, meta } = this.data;
    this.drawn = fit;
    const { method, metric, dimensions: k } = fit.choices;
    const { R, ...orientation } = this.orientationOf(fit, choices);
    const matrix = rotationMatrix(orientation.rotation, k);
    const move = (/** @type {Matrix} */ rows) => matrixProduct(rows, k, matrix, k);
    const points = move(fit.points);
    this.shown = points;
    const clouds = this.clouds?.map(move) ?? null;
    if (this.other?.points.length !== points.length) this.other = null;
    this.overlay = this.other && overlayOf(points, k, this.other.points);
    const unit = ["kmds", "kpca"].includes(method) || !hasPoints(metric) ? "" : meta.unit;
    const label = mapLabel(fit, parsed.table.length, meta.what);
    this.arrows = choices.arrows ? shownArrows(points, k, this.data.columns()) : [];
    const { names, kinds, arrows, overlay: other, isNewTable } = this;
    const about = { names, kinds, other, arrows, unit, label, isNewTable };
    this.view.show({ fit, points, clouds, R, ...about });
    this.isNewTable = false;
    return orientation;
  }
}
