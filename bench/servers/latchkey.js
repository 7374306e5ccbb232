/**
 * Latchkey in the smallest app: the engine alone behind @hono/node-server, set by its own environment variables.
 * Like all servers here it is plain JavaScript: stripping types would count as start-up time and memory.
 */
import { serve } from "@hono/node-server";
import { andThen, createAuth, optionsFromEnvironment, toResponse } from "latchkey";
import { samplePage } from "./sample-page.js";

const { options, storeURL } = optionsFromEnvironment(process.env);
const auth = createAuth({ ...options, ...(await storeParts()) });

async function storeParts() {
  if (storeURL === undefined) return {};
  const { openStore } = await import("latchkey/node");
  return { store: await openStore(storeURL) };
}

/** @param {Request} request */
function sample(request) {
  return andThen(auth.guard(request), (guarded) => {
    if (!guarded.passed) return guarded.response;
    const { session = null, headers = [] } = guarded.visit ?? {};
    const sub = session?.user.sub ?? "nobody";
    const [type, body] = request.url.includes("/api/")
      ? ["application/json", JSON.stringify({ sub })]
      : ["text/html; charset=utf-8", samplePage(sub)];
    return toResponse({ status: 200, headers: [["Content-Type", type], ...headers], body });
  });
}

serve(
  {
    fetch: (request) => auth.handle(request) ?? sample(request),
    hostname: "localhost",
    port: Number(process.env["PORT"]),
    serverOptions: { maxHeaderSize: 64 * 1024 },
  },
  () => process.send?.({ ready: true }),
);
