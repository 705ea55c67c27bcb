// The script of the worker.

import { serveJobs } from "./worker.js";

serveJobs(globalThis);
