import { fork } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { longTests } from "../long-tests.ts";

const script = new URL("./apps/many-customers.ts", import.meta.url);
const kilobyte = 1000;
const megabyte = 1_000_000;

type Step = "atFirst" | "full" | "read" | "attacked" | "again" | "atEnd";
type Figures = Readonly<Record<Step, { heap: number; rss: number; looked: number }>>;

/** `npm run ci` has 10,000, who take 60 MB at most. */
const customers = longTests ? 10_000 : 2000;
/** What a process may take besides: it is small beside 10,000 customers. */
const spare = longTests ? 0 : 10 * megabyte;

test("each of thousands of customers takes 6 kB at most, after a hundred reads and made-up ids, too, and 20 kB with its provider [MX-105] [MX-106]", async () => {
  const address = await startProviders();
  // As the guide says.
  const execArgv = ["--expose-gc", "--max-semi-space-size=4"];
  const app = fork(script, [address, String(customers)], {
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const crash = once(app, "exit").then(([code]) => Promise.reject(new Error(`exit ${code}`)));
  const answer = once(app, "message");
  const [figures] = (await Promise.race([answer, crash])) as [Figures];
  const { atFirst, full, read, attacked, again, atEnd } = figures;
  expect(full.heap - atFirst.heap).toBeLessThan(4 * kilobyte * customers);
  expect(full.rss - atFirst.rss).toBeLessThan(6 * kilobyte * customers + spare);
  expect(full.looked).toBe(customers);
  expect(read.heap - full.heap).toBeLessThan(2 * megabyte);
  expect(read.rss - full.rss).toBeLessThan(15 * megabyte);
  expect(read.looked).toBe(customers);
  expect(attacked.heap - read.heap).toBeLessThan(kilobyte * customers);
  // The customers are all still known.
  expect(again.looked).toBe(2 * customers);
  expect((atEnd.heap - again.heap) / 500).toBeLessThan(20 * kilobyte);
}, 120_000);

/** The providers of all customers: what they publish, with members that nothing reads. */
async function startProviders() {
  const { n, e } = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({
    format: "jwk",
  });
  const unread = Object.fromEntries(
    Array.from({ length: 30 }, (_, nth) => [`unread_${nth}_supported`, ["one-value", "another"]]),
  );
  const server = createServer(({ url = "/" }, response) => {
    const issuer = `${address}/${url.split("/")[1]}`;
    const key = { kty: "RSA", use: "sig", n, e, x5c: ["certificate".repeat(100)] };
    const keys = ["one", "two"].map((kid) => ({ ...key, kid: `${kid} of ${issuer}` }));
    const metadata = {
      issuer,
      ...unread,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/logout`,
      jwks_uri: `${issuer}/keys`,
    };
    response.end(JSON.stringify(url.endsWith("/keys") ? { keys } : metadata));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return address;
}
