import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { expect, onTestFinished, test } from "vitest";

import { servedApp } from "../../../test/sessions/served-app.ts";
import { LatchkeyError } from "../../errors/latchkey-error.ts";
import { memoryStore } from "../../stores/memory.ts";
import { protect } from "../node.ts";

// What a request of the app costs, counted: a clock never says the same twice, and a benchmark says
// it late. A figure that grows needs a reason.

type Counts = Map<string, number>;
/** Names of functions in an object that are counted together. */
type Counted = readonly [what: string, home: object, names: readonly string[]];

const { subtle } = crypto.webcrypto;
const counted: readonly Counted[] = [
  ["key", crypto, ["hkdfSync", "createSecretKey", "createPublicKey", "createPrivateKey"]],
  ["cipher", crypto, ["createCipheriv", "createDecipheriv"]],
  ["hash", crypto, ["createHmac", "createHash", "hash"]],
  ["Web Crypto", subtle, ["sign", "verify", "importKey", "deriveBits", "deriveKey", "digest"]],
  ["network", globalThis, ["fetch"]],
  ["error", globalThis, ["Error", "TypeError", "RangeError", "SyntaxError", "DOMException"]],
];

/** Counts calls until the test ends. */
function countCalls(counts: Counts, [what, home, names]: Counted): void {
  for (const name of names) {
    const original = Reflect.get(home, name) as () => unknown;
    const count = () => void counts.set(what, (counts.get(what) ?? 0) + 1);
    const counting = new Proxy(original, {
      apply(_, self, given) {
        count();
        return Reflect.apply(original, self, given);
      },
      construct(_, given, made) {
        count();
        return Reflect.construct(original, given, made) as object;
      },
    });
    Reflect.set(home, name, counting);
    onTestFinished(() => void Reflect.set(home, name, original));
  }
}

/** Serves an app on node:http, and counts what the third request of a kind costs. */
async function costOf(target: string, headersFor: (cookie: string) => Record<string, string>) {
  const counts: Counts = new Map();
  for (const each of counted) countCalls(counts, each);
  syncBuiltinESMExports();
  // A class finds its parent at each construction.
  const parent: unknown = Object.getPrototypeOf(LatchkeyError);
  Object.setPrototypeOf(LatchkeyError, Error);
  onTestFinished(() => {
    syncBuiltinESMExports();
    Object.setPrototypeOf(LatchkeyError, parent as object);
  });
  const store = memoryStore();
  const methods = Object.entries(store).filter(([, value]) => typeof value === "function");
  countCalls(counts, ["store", store, methods.map(([name]) => name)]);
  const { send, cookie } = await servedApp(
    (auth) => protect(auth, ({ auth: { user } }, response) => response.end(user?.sub ?? "nobody")),
    { store, publicPaths: ["/public"], backchannelLogout: true },
  );
  const request = { target, headers: headersFor(cookie) };
  await send(request);
  await send(request);
  counts.clear();
  const { body, setCookies } = await send(request);
  return { body, bytes: setCookies.join("").length, counts: Object.fromEntries(counts) };
}

test("a request with a session costs a cipher, a hash, a read of the store, and 128 bytes", async () => {
  const cost = await costOf("/private", (cookie) => ({ cookie }));
  const counts = { cipher: 1, hash: 1, store: 1 };
  expect(cost).toEqual({ body: "person-ada", bytes: 128, counts });
});

test("a request without a session costs none of these on a public page", async () => {
  const cost = await costOf("/public", () => ({}));
  expect(cost).toEqual({ body: "nobody", bytes: 0, counts: {} });
});
