import { pages } from "@latchkey/pages";
import { type Auth, createAuth, optionsFromEnvironment } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";
import { pagesOptions } from "../suite/pages-example.ts";

/** The variables and secrets of the worker. */
interface Bindings extends Record<string, string> {
  readonly UPSTREAM: string;
}

let opened: Auth | undefined;

/** A worker knows its settings with its first request. */
function signIn(bindings: Bindings): Auth {
  return (opened ??= createAuth({
    ...optionsFromEnvironment(bindings).options,
    ...apiOptions(bindings),
    store: memoryStore(),
    ...pagesOptions(bindings, pages),
  }));
}

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    const file = () => "A file for signed-in people.\n";
    const app = createApp(signIn(bindings), { upstream: bindings.UPSTREAM, file });
    return app(request);
  },
};
