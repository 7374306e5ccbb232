import type { Auth } from "latchkey";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import * as example from "../../../../../conformance/suite/example.ts";
import {
  createApp as createFetchApp,
  type Route,
  streamOf,
} from "../../../../../conformance/suite/fetch-app.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * The application of the fetch shape as other runtimes run it, and the routes for tests on Node
 * only.
 */
export function createApp(auth: Auth, { upstream, files }: Surroundings) {
  const file = () => readFile(join(files, "a.txt"), "utf8");
  return createFetchApp(auth, { upstream, file }, more);
}

const more: Readonly<Record<string, Route>> = {
  "GET /private/events": () =>
    new Response(streamOf(example.slowEvents()), {
      headers: { "Content-Type": "text/event-stream" },
    }),
};
