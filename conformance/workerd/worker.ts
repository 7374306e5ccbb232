import { pages } from "@latchkey/pages";
import { type Auth, createAuth, optionsFromEnvironment } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";

/** The variables and secrets of the worker. */
interface Bindings extends Record<string, string | undefined> {
  readonly UPSTREAM: string;
  readonly WITH_PAGES?: string;
}

const screens = pages({ name: "Harbour", accent: "#7a1f5c", logo: "/logo.svg" });

let opened: Auth | undefined;

/** A worker knows its settings with its first request. */
function signIn(bindings: Bindings): Auth {
  return (opened ??= createAuth({
    ...optionsFromEnvironment(bindings).options,
    ...apiOptions(bindings),
    store: memoryStore(),
    ...(bindings.WITH_PAGES === undefined ? {} : { pages: screens }),
  }));
}

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    const file = () => "A file for signed-in people.\n";
    const app = createApp(signIn(bindings), { upstream: bindings.UPSTREAM, file });
    return app(request);
  },
};
