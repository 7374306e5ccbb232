/**
 * The connections of an app with 10,000 customers in a table, in a process of their own. It reports
 * its memory use after each step. No provider is called.
 */
import { ambient } from "../../../src/ambient.ts";
import { connectionReader, readConfig } from "../../../src/config/config.ts";
import { addLookUps } from "../../../src/connections/look-ups.ts";
import { createConnections } from "../../../src/oidc/connections.ts";
import { createBackground } from "../../../src/time/background.ts";

const customers = 10_000;
const reads = 1_000_000;

const settings = {
  baseURL: "https://app.example.com",
  issuerBaseURL: "https://id.example.com",
  clientID: "shop",
  clientSecret: "a client secret",
  secret: "a-secret-of-more-than-thirty-two-characters",
  identity: "issuer+sub",
};

const context = { hasStore: false };

let looked = 0;
const deps = {
  timing: ambient,
  log: () => undefined,
  background: createBackground(),
  fetch: () => Promise.reject(new Error("no provider is called")),
  clock: () => 1_800_000_000_000,
  fraction: () => 0.5,
  readConnection: connectionReader(settings, context),
};
const { connections: settled } = readConfig(settings, context);
const all = addLookUps(
  createConnections(settled, deps),
  {
    atMost: customers,
    byID(id) {
      looked += 1;
      const domain = `${id}.example.com`;
      return id.startsWith("customer-")
        ? { issuerBaseURL: `https://id.${domain}`, clientID: id, clientSecret: `secret of ${id}` }
        : null;
    },
  },
  deps,
);

/** Bytes of the heap without garbage, and look-ups so far. */
function figures() {
  globalThis.gc?.();
  globalThis.gc?.();
  return { heap: process.memoryUsage().heapUsed, looked };
}

const namesOf = (nth: number) => ({ connection: `customer-${nth % customers}` });

async function lookUpAll(prefix: string): Promise<void> {
  for (let nth = 0; nth < customers; nth += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await all.byID(`${prefix}-${nth}`);
  }
}

await all.byID("customer-0");
const atFirst = figures();
await lookUpAll("customer");
const full = figures();
for (let nth = 0; nth < reads; nth += 1) {
  const { issuer, lifetime } = all.ofSession(namesOf(nth));
  if (issuer.hasTenants || lifetime.absolute === 0) throw new Error("another connection");
}
const read = figures();
await lookUpAll("stranger");
const attacked = figures();
await lookUpAll("customer");
process.send?.({ atFirst, full, read, attacked, atEnd: figures() });
process.disconnect();
