import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";

import { protect } from "../../src/adapters/node.ts";
import type { Options } from "../../src/index.ts";
import { sendRequest } from "../hosts/world/wire.ts";
import { freePort } from "../servers/free-port.ts";
import { findNginx, startNginx } from "../servers/nginx.ts";
import { createQuickApp } from "../worlds/quick-app.ts";

const program = findNginx();
const [app, other] = ["https://app.example.com", "https://other.example"];

describe.skipIf(program === null)("several sites behind one nginx", () => {
  /** Returns what a browser is answered that opens a page of this host. */
  async function behind(headers: readonly string[], options: Partial<Options> = {}) {
    let requests = 0;
    const { auth } = createQuickApp({ baseURL: [app, other], production: true, ...options });
    const guarded = protect(auth, (_, response) => response.end("page"));
    const server = createServer((request, response) => {
      requests += 1;
      guarded(request, response);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port: target } = server.address() as AddressInfo;
    const port = await freePort();
    const nginx = await startNginx(program ?? "", { port, target, headers });
    onTestFinished(() => nginx.close());
    return async (host: string) => {
      const sent = { host, accept: "text/html" };
      const request = { target: "/private", headers: sent };
      const { status, header } = await sendRequest(`http://127.0.0.1:${port}`, request);
      return [status, header("location"), requests];
    };
  }
  const login = (site: string) => `${site}/api/auth/login?returnTo=%2Fprivate`;

  test("are each found if it keeps Host [MX-015, MX-019]", async () => {
    const open = await behind(["proxy_set_header Host $http_host;"]);
    expect(await open("app.example.com")).toEqual([302, login(app), 1]);
    expect(await open("other.example")).toEqual([302, login(other), 2]);
  });

  test("get 421 once, without another try, if it replaces Host by its own target [MX-016]", async () => {
    const open = await behind([]);
    expect(await open("app.example.com")).toEqual([421, null, 1]);
  });

  test("are each found by the header in which it passes the host on [MX-017]", async () => {
    const hostHeader = "X-Forwarded-Host";
    const open = await behind([`proxy_set_header ${hostHeader} $http_host;`], { hostHeader });
    expect(await open("other.example")).toEqual([302, login(other), 1]);
    expect(await open("stranger.example")).toEqual([421, null, 2]);
  });
});
