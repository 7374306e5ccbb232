/**
 * `node --conditions=@latchkey/source --expose-gc tools/store-sizes/main.ts`: bytes of sessions and
 * marks, for docs/scale.md.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAuth, type Store } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { redisStore } from "latchkey/redis";
import { sqliteStore } from "latchkey/sqlite";
import { signedInCookies } from "latchkey/testing";
import { findRedis, startRedis } from "../../packages/latchkey/test/servers/redis.ts";

const sessions = 10_000;
const settings = {
  secret: "0123456789abcdef0123456789abcdef",
  baseURL: "https://app.example",
  issuerBaseURL: "https://op.example",
  clientID: "client",
  clientSecret: "client-secret",
  log: () => undefined,
};
/** Tokens as large as those of Entra ID or Auth0 with a few claims. */
const session = (count: number) => ({
  user: { sub: `person-${count}`, name: "Ada Okafor", email: `ada.${count}@example.com` },
  accessToken: "a".repeat(1200),
  idToken: "i".repeat(1000),
  refreshToken: "r".repeat(120),
  accessTokenExpiresAt: 1_900_000_000,
});

interface Measured {
  readonly store: Store;
  /** Bytes in use. */
  size(): number | Promise<number>;
  close(): Promise<void> | void;
}

async function measure(name: string, open: () => Promise<Measured>): Promise<void> {
  const full = await open();
  const empty = await full.size();
  const cookies: string[] = [];
  for (let count = 0; count < sessions; count += 1) {
    const options = { ...settings, session: { stateful: true }, store: full.store };
    // oxlint-disable-next-line no-await-in-loop -- a measurement is no race
    cookies.push(await signedInCookies({ options, session: session(count) }));
  }
  const withSessions = await full.size();
  const marked = await open();
  const before = await marked.size();
  const auth = createAuth({ ...settings, store: marked.store });
  // Tokens would be revoked beside, and be in the memory meanwhile.
  const withoutTokens = { user: { sub: "ada" } };
  for (let count = 0; count < sessions; count += 1) {
    const options = { ...settings, store: marked.store };
    // oxlint-disable-next-line no-await-in-loop -- a measurement is no race
    const cookie = await signedInCookies({ options, session: withoutTokens });
    const logout = new Request("https://app.example/api/auth/logout", {
      headers: { cookie, "sec-fetch-site": "same-origin" },
    });
    // oxlint-disable-next-line no-await-in-loop -- a measurement is no race
    await auth.respond(logout, () => new Response());
  }
  const withMarks = await marked.size();
  const each = (from: number, to: number) => Math.round((to - from) / sessions);
  console.log(
    `${name}: ${each(empty, withSessions)} bytes a session, ${each(before, withMarks)} bytes a mark`,
  );
  await auth.close();
  await full.close();
  await marked.close();
}

await measure("memory", async () => {
  const store = memoryStore();
  return {
    store,
    size: () => {
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    close: () => undefined,
  };
});

await measure("SQLite", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-sizes-"));
  const file = path.join(folder, "store.db");
  const store = sqliteStore(file);
  const sizeOf = (each: string) => statSync(each, { throwIfNoEntry: false })?.size ?? 0;
  return {
    store,
    size: () => sizeOf(file) + sizeOf(`${file}-wal`),
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});

const program = findRedis();
if (program === null) console.log("Redis: there is none on this machine");
else {
  await measure("Redis", async () => {
    const server = await startRedis(program);
    const client = await server.connect();
    return {
      store: redisStore(client),
      size: async () => {
        const info = String(await server.command("INFO", "memory"));
        return Number(/used_memory:(\d+)/.exec(info)?.[1]);
      },
      close: async () => {
        client.close();
        await server.close();
      },
    };
  });
}
const cookie = await signedInCookies({ options: settings, session: session(1) });
const handle = await signedInCookies({
  options: { ...settings, session: { stateful: true }, store: memoryStore() },
  session: session(1),
});
console.log(`cookies: ${cookie.length} bytes with the session, ${handle.length} with a handle`);
process.exit(0);
