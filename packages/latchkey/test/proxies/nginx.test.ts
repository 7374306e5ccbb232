import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { protect } from "../../src/adapters/node.ts";
import { type Auth, createAuth, type Options } from "../../src/auth.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { listen } from "../browser/event-stream.ts";
import { findNginx, type RunningNginx, startNginx } from "../servers/nginx.ts";
import { freePort } from "../servers/free-port.ts";
import { goodSettings } from "../settings.ts";

const program = findNginx();

const guide = readFileSync(
  new URL("../../../../docs/guides/operations.md", import.meta.url),
  "utf8",
);
const headers = [...guide.matchAll(/^ +(proxy_set_header .*;)$/gm)].map(([, line = ""]) => line);
/** What the guide says of buffers. */
const buffers = [...guide.matchAll(/^ +((?:large_client_header|proxy)_buffer\w* .*;)$/gm)].map(
  ([, line = ""]) => line,
);

describe.skipIf(program === null)("behind an nginx with its settings as they come", () => {
  const server = createServer();
  let nginx: RunningNginx;
  let options: Options;
  let auth: Auth;
  const log = vi.fn<() => void>();

  beforeAll(async () => {
    const port = await freePort();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const target = (server.address() as AddressInfo).port;
    nginx = await startNginx(program ?? "", { port, target });
    const baseURL = `http://localhost:${port}`;
    const store = memoryStore();
    options = { ...goodSettings, production: false, baseURL, store, streams: 10 };
    auth = createAuth({ ...options, log });
    server.on(
      "request",
      protect(auth, (_request, response) => response.end("a page")),
    );
  });
  afterAll(async () => {
    await nginx.close();
    server.closeAllConnections();
    server.close();
  });

  async function listenAs(sub: string) {
    const cookie = await signedInCookies({ options, session: { user: { sub } } });
    return listen(options.baseURL ?? "", { cookie });
  }

  test("a stream begins immediately, and tells of the end within a second: nothing is kept back [OP-095]", async () => {
    const stream = await listenAs("ada");
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(stream.response.headers.getSetCookie()).toEqual([]);
    await expect.poll(() => stream.text()).toMatch(/^retry: \d{4}\n\n$/);
    await auth.endUser("ada", { operator: "the test" });
    await expect.poll(() => stream.text()).toContain("data: ended\n\n");
    await stream.ended;
  });

  test("the headers of the guide let the app see that it was opened by its base URL", async () => {
    const { port: target } = server.address() as AddressInfo;
    const { port } = new URL(options.baseURL ?? "");
    await nginx.close();
    nginx = await startNginx(program ?? "", { port: Number(port), target, headers });
    await fetch(`${options.baseURL}/private`, { redirect: "manual" });
    expect(log).not.toHaveBeenCalledWith(expect.objectContaining({ event: "warning" }));
  });

  test("a page that is closed frees its stream [OP-095]", async () => {
    const stream = await listenAs("ben");
    await expect.poll(async () => (await auth.status()).openStreams).toBe(1);
    stream.leave();
    await expect.poll(async () => (await auth.status()).openStreams).toBe(0);
  });

  test("the largest session that cookies hold comes through in both directions with the buffers of the guide, and not without", async () => {
    expect(buffers).toHaveLength(3);
    const roles = Array.from({ length: 400 }, (_, number) => `role-${number}-of-many`);
    const session = { user: { sub: "ada", roles } };
    const cookie = await signedInCookies({ options, session });
    expect(cookie.length).toBeGreaterThan(10_000);
    const ask = (origin: string) => fetch(`${origin}/private`, { headers: { cookie } });
    expect((await ask(options.baseURL ?? "")).ok).toBe(false);
    const { port: target } = server.address() as AddressInfo;
    const port = await freePort();
    const large = await startNginx(program ?? "", { port, target, settings: buffers });
    const answer = await ask(`http://localhost:${port}`);
    await large.close();
    expect(await answer.text()).toBe("a page");
    expect(answer.headers.getSetCookie().join("").length).toBeGreaterThan(10_000);
  });
});
