// The script of the worker.

import { serveJobs } from "./worker.js";

globalThis.onmessage = serveJobs((reply) => globalThis.postMessage(reply));
