// HTML tables.

import type { Numbers } from "../core/matrix.ts";
import { subscript, text } from "./text.ts";
import { partOf } from "./verdict.ts";

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

/** Append signed bars for eigenvalues, two of which are kept; return a function that shows values. */
export function eigenvalueBars(host: Element, count: number) {
  const row = (_: unknown, r: number) =>
    `<div><span>\u03bb${subscript(r + 1)}</span><div class="kx-track"><b></b></div><em></em></div>`;
  host.innerHTML = Array.from({ length: count }, row).join("");
  const rows = [...host.children] as HTMLElement[];
  return (values: number[]) => {
    const high = Math.max(1, ...values);
    const low = Math.max(0.35 * high, -Math.min(...values));
    rows.forEach((row, i) => {
      const bar = partOf(row, "b");
      const [from, to] = [Math.min(values[i], 0), Math.max(values[i], 0)];
      bar.style.left = `${(100 * (from + low)) / (high + low)}%`;
      bar.style.width = `${(100 * (to - from)) / (high + low)}%`;
      row.style.setProperty("--zero", `${(100 * low) / (high + low)}%`);
      row.classList.toggle("kx-negative", values[i] < 0);
      row.classList.toggle("kx-discarded", values[i] >= 0 && i > 1);
      partOf(row, "em").textContent = text(values[i]);
    });
  };
}
