import type { Auth } from "latchkey";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import {
  createApp as createFetchApp,
  type Route,
  slowly,
} from "../../../../../conformance/suite/fetch-app.ts";
import type { Surroundings } from "./surroundings.ts";

/** The application of the fetch shape that other runtimes run too, and what only the tests on Node ask for. */
export function createApp(auth: Auth, { upstream, files }: Surroundings) {
  const file = () => readFile(join(files, "a.txt"), "utf8");
  return createFetchApp(auth, { upstream, file }, more);
}

const more: Readonly<Record<string, Route>> = {
  "GET /private/events": () => {
    const events = slowly(["data: one\n\n", "data: two\n\n", "data: three\n\n"]);
    return new Response(events, { headers: { "Content-Type": "text/event-stream" } });
  },
  "GET /require-acr": (_request, auth) => {
    const { user } = auth.require({ acr: ["mfa", "phr"] });
    return new Response(`Trusted ${user.name}`);
  },
};
