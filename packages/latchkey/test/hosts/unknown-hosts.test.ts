import { once } from "node:events";
import { connect, createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import type { RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";

import { protect } from "../../src/adapters/node.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { hosts, nodeShaped } from "./world/hosts.ts";
import { worldOfDescribe } from "./world/host-world.ts";

const baseURL = ["http://app.localhost:4000", "http://other.localhost:4001"];
const options = { baseURL, production: true, publicPaths: ["/open"] };

/** A name that stands in no answer. */
const marker = "intruder";

describe.each(hosts)("a host that is not listed, on $name", (host) => {
  const world = worldOfDescribe({ app: (auth) => host.catchAll([auth], () => "page"), options });
  const isWeb = ["Hono", "fetch"].includes(host.name);

  test.each([
    ["nothing", { host: "" }],
    ["a list", { host: `app.localhost:4000, ${marker}.example` }],
    ["an escape", { host: "app%2elocalhost:4000" }],
  ])("gets 421 for %s on routes and guarded paths [MX-015, MX-016]", async (_, headers) => {
    for (const target of ["/private", "/api/auth/login", "/api/auth/me", "/api/auth/logout"]) {
      const answer = await world().send({
        target,
        headers: { ...headers, cookie: "appSession=x" },
      });
      // The server of some hosts refuses what makes no address.
      const refused = isWeb && /[ %]/.test(headers.host) ? 400 : 421;
      expect([target, answer.status, answer.setCookies]).toEqual([target, refused, []]);
      expect(JSON.stringify(answer)).not.toMatch(/intruder|app\.localhost|other\.localhost/);
    }
  });
});

describe.each(nodeShaped)("two hosts in one request, on $name", (host) => {
  const world = worldOfDescribe({ app: (auth) => host.catchAll([auth], () => "page"), options });
  const [app, other] = ["app.localhost:4000", "other.localhost:4001"];

  test.each([
    ["two lines", "/private", { host: app, Host: other }],
    ["two equal lines", "/private", { host: app, Host: app }],
    ["a target with another one", `http://${other}/private`, { host: app }],
    ["a target with a user name", `http://user@${app}/private`, { host: app }],
    ["a target with a stranger", `http://${marker}.example/private`, { host: app }],
  ])("get 421 by %s [MX-015]", async (_, target, headers) => {
    expect((await world().send({ target, headers })).status).toBe(421);
  });

  test("are one if the target names the same [RFC 9112, section 3.2.2]", async () => {
    const headers = { host: "OTHER.localhost.:4001", accept: "text/html" };
    const { header } = await world().send({ target: `http://${other}/private`, headers });
    expect(header("location")).toContain(`http://${other}/api/auth/login`);
  });
});

describe("the :authority of HTTP/2", () => {
  async function ask(headers: Readonly<Record<string, string>>): Promise<IncomingHttpHeaders> {
    const { auth } = createQuickApp(options);
    const listener: RequestListener = protect(auth, (_, response) => response.end("page"));
    const server = createServer(listener as never);
    await once(server.listen(0, "localhost"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const session = connect(`http://localhost:${port}`);
    const stream = session.request({ ":path": "/private", accept: "text/html", ...headers });
    const [head] = (await once(stream.resume(), "response")) as [IncomingHttpHeaders];
    session.close();
    return head;
  }

  test.each([
    [{ ":authority": "other.localhost:4001" }],
    [{ ":authority": "OTHER.localhost:4001" }],
    [{ ":authority": "other.localhost:4001", host: "other.localhost:4001" }],
  ])("names the site: %j [MX-015]", async (headers) => {
    const { location } = await ask(headers);
    expect(location).toContain("http://other.localhost:4001/api/auth/login");
  });

  test.each([
    [{ ":authority": "stranger.localhost:4001" }],
    [{ ":authority": "other.localhost:4001", host: "app.localhost:4000" }],
  ])("gets 421 if it names no site, or Host another one: %j [MX-015]", async (headers) => {
    expect((await ask(headers))[":status"]).toBe(421);
  });
});
