import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { protect } from "../../src/adapters/node.ts";
import { type Auth, createAuth, type Options } from "../../src/host/auth.ts";
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

describe.skipIf(program === null)("an app behind an nginx with default settings", () => {
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
      protect(auth, async (request, response) => {
        // A change sends the whole session again.
        if (request.url === "/private")
          await request.auth.update((session) => ({ ...session, isSeen: true }));
        response.end("a page");
      }),
    );
  });
  afterAll(async () => {
    await nginx.close();
    server.closeAllConnections();
    server.close();
  });

  async function listenAs(sub: string) {
    const cookie = await signedInCookies({ options, session: { user: { sub } } });
    return listen(auth.config.baseURL, { cookie });
  }

  test("starts a stream immediately, and reports the end of the session within a second, without buffering [OP-095]", async () => {
    const stream = await listenAs("ada");
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(stream.response.headers.getSetCookie()).toEqual([]);
    await expect.poll(() => stream.text()).toMatch(/^retry: \d{4}\n\n$/);
    await auth.endUser("ada", { operator: "the test" });
    await expect.poll(() => stream.text()).toContain("data: ended\n\n");
    await stream.ended;
  });

  test("sees that the browser used the base URL by the headers of the guide", async () => {
    const { port: target } = server.address() as AddressInfo;
    const { port } = new URL(auth.config.baseURL);
    await nginx.close();
    nginx = await startNginx(program ?? "", { port: Number(port), target, headers });
    await fetch(`${auth.config.baseURL}/private`, { redirect: "manual" });
    expect(log).not.toHaveBeenCalledWith(expect.objectContaining({ event: "warning" }));
  });

  test("frees the stream of a closed page [OP-095]", async () => {
    const stream = await listenAs("ben");
    await expect.poll(async () => (await auth.status()).openStreams).toBe(1);
    stream.leave();
    await expect.poll(async () => (await auth.status()).openStreams).toBe(0);
  });

  test("passes the largest session in cookies in both directions with the buffers of the guide, and not without them", async () => {
    expect(buffers).toHaveLength(3);
    const roles = Array.from({ length: 400 }, (_, number) => `role-${number}-of-many`);
    const session = { user: { sub: "ada", roles } };
    const cookie = await signedInCookies({ options, session });
    expect(cookie.length).toBeGreaterThan(10_000);
    const ask = (origin: string) => fetch(`${origin}/private`, { headers: { cookie } });
    expect((await ask(auth.config.baseURL)).ok).toBe(false);
    const { port: target } = server.address() as AddressInfo;
    const port = await freePort();
    const large = await startNginx(program ?? "", { port, target, settings: buffers });
    const answer = await ask(`http://localhost:${port}`);
    await large.close();
    expect(await answer.text()).toBe("a page");
    expect(answer.headers.getSetCookie().join("").length).toBeGreaterThan(10_000);
  });

  test("has a page repeated at the next instance, and never a callback, with the example of the guide", async () => {
    const targets: string[] = [];
    const dying = [createServer(), createServer()].map((each) =>
      each.on("request", (request) => {
        targets.push(request.url ?? "");
        request.destroy();
      }),
    );
    const addresses = await Promise.all(
      dying.map(async (each) => {
        await once(each.listen(0, "127.0.0.1"), "listening");
        return `server 127.0.0.1:${(each.address() as AddressInfo).port} max_fails=0;`;
      }),
    );
    const port = await freePort();
    const [, example = ""] = /```nginx\n(upstream[\s\S]*?)```/.exec(guide) ?? [];
    const servers = example
      .replace(/(?: *server 10\.[\d.:]+;\n)+/, `${addresses.join("\n")}\n`)
      .replace("server {", `server {\nlisten 127.0.0.1:${port};`);
    const balancer = await startNginx(program ?? "", { port, target: 0, servers });
    for (const target of ["/page", "/api/auth/callback?code=a&state=b"]) {
      // oxlint-disable-next-line no-await-in-loop -- the order of the calls is compared
      expect((await fetch(`http://127.0.0.1:${port}${target}`)).status).toBe(502);
    }
    await balancer.close();
    for (const each of dying) each.close();
    expect(targets).toEqual(["/page", "/page", "/api/auth/callback?code=a&state=b"]);
  });
});
