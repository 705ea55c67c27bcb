// What the modules in this folder use of the laboratory.

import type { Choices, Orientation } from "../fitting/fitOptions.ts";
import type { PartialFit } from "../fitting/fits.ts";
import type { jobRunner } from "../fitting/jobRunner.ts";
import type { LaboratoryData, TextOptions } from "../fitting/laboratoryData.ts";
import type { CurrentMap } from "../map/currentMap.ts";
import type { ParsedTable } from "../reading/parsedTable.ts";
import type { LaboratoryPage } from "./controls.ts";
import type { StoredTable } from "./storage.ts";

export type Sample = TextOptions & { name: string; title: string; text: string };

/** The laboratory; `laboratory.ts` says what its methods do. */
export interface Lab {
  choices: Choices; // chosen, or in a link
  page: LaboratoryPage;
  stored: StoredTable;
  samples: Sample[]; // tables that the page offers
  library: string; // what the Python code installs
  data: LaboratoryData;
  runner: ReturnType<typeof jobRunner>;
  map: CurrentMap;
  readText(words: string, options?: TextOptions): void;
  openTable(parsed: ParsedTable, note?: string): void;
  openOwnTable(parsed: ParsedTable, orientation: Choices | null): void;
  clearInput(): void;
  setUnread(isUnread: boolean): void;
  choose(changes: Partial<Choices>): void;
  drag(parameter: number): void;
  draw(fit: PartialFit): void;
  refresh(changes: Partial<Choices>): void;
  orient(changes: Orientation): void;
  code(): string;
}
