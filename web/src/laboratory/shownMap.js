// The map that the laboratory shows, and what is drawn with it.

import { matrixProduct } from "../core/matrix.js";
import { shownArrows } from "./columns.js";
import { alignedWith } from "./comparison.js";
import { alignWithShown, cameraOf, cameraRows, rotationMatrix } from "./mapRotations.js";
import { mapView } from "./mapView.js";
import { mapLabel } from "./messages.js";
import { hasPoints } from "./metrics.js";

/** @import { Groups } from "./columns.js" */
/** @import { Choices } from "./fitOptions.js" */
/** @import { DrawnMap, LaboratoryFit } from "./fits.js" */
/** @import { LaboratoryData } from "./laboratoryData.js" */
/** @import { Stability } from "./stability.js" */

/** The map on the screen: its fit, its rotated points, their marks, and a map to compare with it. */
export class ShownMap {
  /** The groups of the objects and their marks. @type {Groups} */
  kinds;
  /** The fit of the map on the screen. @type {DrawnMap} */
  drawn;
  names = /** @type {string[] | null} */ (null); // labels of the points, or none
  arrows = /** @type {ReturnType<typeof shownArrows>} */ ([]); // those of the variables
  isNewTable = true; // until the first map of a table is drawn
  fit = /** @type {LaboratoryFit | null} */ (null); // the last complete fit, or null
  shown = /** @type {Matrix | null} */ (null); // the rotated points on the screen
  clouds = /** @type {Stability | null} */ (null); // maps without some of the objects
  // Another map to compare with, and this other map aligned with the one on the screen.
  other = /** @type {{ points: Matrix, title: string } | null} */ (null);
  overlay = /** @type {ReturnType<typeof alignedWith> | null} */ (null);

  constructor(/** @type {LaboratoryData} */ data, host, onChoose, onRotate) {
    this.data = data; // the table of the map
    this.view = mapView(host, onChoose, onRotate); // its drawing
  }

  /** Do not align the map of another table with this one, nor compare them. */
  startTable() {
    Object.assign(this, { isNewTable: true, fit: null, shown: null, other: null });
  }

  setFit(/** @type {LaboratoryFit | null} */ fit) {
    this.fit = fit;
  }

  setMarks(/** @type {Groups} */ kinds, /** @type {string[] | null} */ names) {
    Object.assign(this, { kinds, names });
  }

  setClouds(/** @type {Stability | null} */ clouds) {
    this.clouds = clouds;
  }

  /** Compare the next maps with another one, or with none. */
  compareWith(/** @type {{ points: Matrix, title: string } | null} */ other) {
    this.other = other;
  }

  /** Draw the next map in a given orientation instead of aligning it with this one. */
  orient({ rotation = null, camera = null }) {
    if (rotation) this.shown = null;
    if (camera) this.view.setRotation(cameraRows(camera));
  }

  /** Return the orientation of a map: the chosen one, or one that aligns it with this one. */
  orientationOf(/** @type {DrawnMap} */ fit, k, /** @type {Choices} */ { rotation, camera }) {
    const same = this.shown?.length === fit.points.length && fit.points.some((x) => x !== 0);
    const R = this.isNewTable ? camera && cameraRows(camera) : this.view.rotation();
    if (!same) return { rotation, camera, R };
    const found = alignWithShown(fit.points, k, this.shown, { filled: fit.columns ?? k, R });
    return { ...found, camera: k === 3 && camera ? cameraOf(found.R) : camera };
  }

  /** Draw a map of the data, and return its orientation. */
  draw(/** @type {DrawnMap} */ fit, /** @type {Choices} */ choices) {
    const { parsed, meta } = this.data;
    this.drawn = fit;
    const { method, metric, dimensions: k } = fit.choices;
    const { R, ...orientation } = this.orientationOf(fit, k, choices);
    const matrix = rotationMatrix(orientation.rotation, k);
    const move = (rows) => matrixProduct(rows, k, matrix, k);
    const points = move(fit.points);
    this.shown = points;
    const clouds = this.clouds?.clouds.map(move) ?? null;
    if (this.other?.points.length !== points.length) this.other = null;
    this.overlay = this.other && alignedWith(points, k, this.other.points);
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
