// HTML tables.

import type { Numbers } from "../core/matrix.ts";
import { text } from "./text.ts";

/** Write numbers into the cells of a table, on a ground whose colour shows their sign and size. */
export function heat(cells: HTMLElement[], values: Numbers, top: number, plus = "--kx-blue"): void {
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

/** Write rows [name, ...] with empty cells; return the cells of each row. */
export function factRows(host: Element, rows: [string, ...unknown[]][], count: number) {
  host.innerHTML = rows
    .map(([name]) => `<tr><th scope="row">${name}</th>${"<td></td>".repeat(count)}</tr>`)
    .join("");
  return [...host.children].map((row) => [...row.children]);
}
