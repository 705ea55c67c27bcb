// The script of all pages. It is classic and deferred, because browsers refuse modules in pages
// that are opened from a folder.

import * as explorers from "../explorers/index.js";
import { setNames } from "./accessibleNames.js";
import { startConceptChecks } from "./conceptChecks.js";
import { followContents, followPages } from "./contents.js";
import { startEnlarging } from "./enlarge.js";
import { startProgress } from "./exerciseProgress.js";
import { startExplorers } from "./explorers.js";
import { showCode, startFolds } from "./folds.js";
import * as bookPreviews from "./hoverPreviews.js";
import { startLazyLayout } from "./lazyLayout.js";
import { startPrinting } from "./printing.js";
import { startScrollers } from "./scrollers.js";
import * as bookSearch from "./search.js";
import { startSliders } from "./sliders.js";

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
