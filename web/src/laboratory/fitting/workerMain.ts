// The script of the worker.

import { serveJobs } from "./worker.ts";

globalThis.onmessage = serveJobs((reply) => globalThis.postMessage(reply));
