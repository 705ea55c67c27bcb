// HTML tables.

import { text } from "./text.js";

/**
 * Fill the cells of a table body with numbers on a ground of one colour (plus) or of another
 * (minus).
 */
export function heat(cells, values, top, plus = "--kx-blue") {
  cells.forEach((cell, index) => {
    const value = values[index];
    cell.textContent = Number.isFinite(value) ? text(value) : "–";
    const strength = Number.isFinite(value)
      ? Math.round(38 * Math.min(1, Math.abs(value) / top))
      : 0;
    const ink = value < 0 ? "--kx-red" : plus;
    cell.style.background = `color-mix(in srgb, var(${ink}) ${strength}%, transparent)`;
  });
}

/** Rows of a table, with names and so many cells; returns the cells of each. */
export function factRows(host, names, count) {
  host.innerHTML = names
    .map((name) => `<tr><th scope="row">${name}</th>${"<td></td>".repeat(count)}</tr>`)
    .join("");
  return [...host.children].map((row) => [...row.children]);
}
