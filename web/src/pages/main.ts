// The script of all pages. It is classic and deferred, because browsers refuse modules in pages
// that are opened from a folder.

import * as explorers from "../explorers/index.ts";
import { setNames } from "./accessibleNames.ts";
import { startConceptChecks } from "./conceptChecks.ts";
import { followContents, followPages } from "./contents.ts";
import { startEnlarging } from "./enlarge.ts";
import { startProgress } from "./exerciseProgress.ts";
import { startExplorers } from "./explorers.ts";
import { showCode, startFolds } from "./folds.ts";
import * as bookPreviews from "./hoverPreviews.ts";
import { startLazyLayout } from "./lazyLayout.ts";
import { startPrinting } from "./printing.ts";
import { startScrollers } from "./scrollers.ts";
import * as bookSearch from "./search.ts";
import { startSliders } from "./sliders.ts";

// Data scripts and buttons of the pages call these by name.
Object.assign(globalThis, { bookPreviews, bookSearch, showCode });

startPrinting();
startEnlarging();
startSliders();
startExplorers(new Map(Object.entries(explorers)));
bookPreviews.startPreviews();
startLazyLayout();
addEventListener("DOMContentLoaded", () => {
  bookSearch.startSearch();
  setNames();
  startConceptChecks();
  startProgress();
  startFolds();
  followContents();
});
addEventListener("load", followPages);
addEventListener("load", startScrollers);
