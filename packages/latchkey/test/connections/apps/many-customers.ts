/**
 * The connections of an app with many customers in a table, in a process of their own. It reports
 * its memory use after each step. Its arguments are the address of the providers of all customers,
 * and the number of customers.
 */
import { ambient } from "../../../src/ambient.ts";
import { connectionReader, readConfig } from "../../../src/config/config.ts";
import { addLookUps } from "../../../src/connections/look-ups.ts";
import { createConnections } from "../../../src/oidc/connections.ts";
import { createBackground } from "../../../src/time/background.ts";

const [providers = "", count] = process.argv.slice(2);
const customers = Number(count);
const reads = customers * 100;
const discovered = 500;

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
  fetch: ambient.fetch,
  clock: () => 1_800_000_000_000,
  fraction: () => 0.5,
  readConnection: connectionReader(settings, context),
};
const { connections: settled } = readConfig(settings, context);
const all = addLookUps(
  createConnections(settled, deps),
  {
    atMost: customers,
    issuers: () => true,
    byID(id) {
      looked += 1;
      return id.startsWith("customer-")
        ? { issuerBaseURL: `${providers}/${id}`, clientID: id, clientSecret: `secret of ${id}` }
        : null;
    },
  },
  deps,
);

/** Bytes of the heap without garbage and of the process, and look-ups so far. */
function figures() {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed: heap, rss } = process.memoryUsage();
  return { heap, rss, looked };
}

const namesOf = (nth: number) => ({ connection: `customer-${nth % customers}` });

async function lookUpAll(prefix: string): Promise<void> {
  for (let nth = 0; nth < customers; nth += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await all.byID(`${prefix}-${nth}`);
  }
}

/** What the first sign-in with a connection brings. */
async function discover(id: string): Promise<void> {
  const connection = await all.byID(id);
  await connection?.issuer.metadata();
  await connection?.issuer.keys();
}

await discover("customer-0");
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
const again = figures();
for (let nth = 0; nth < discovered; nth += 1) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  await discover(`customer-${nth}`);
}
process.send?.({ atFirst, full, read, attacked, again, atEnd: figures() });
process.disconnect();
