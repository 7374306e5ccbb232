/** Sessions that are bound to a device, behind real proxies with their examples. */
import { startProvider } from "@latchkey/provider";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { type Browser, createBrowser } from "../../../../packages/latchkey/test/browser/browser.ts";
import { cookieHeader } from "../../../../packages/latchkey/test/browser/cookie-jar.ts";
import {
  challengeIn,
  createDevice,
  type Device,
  type Registered,
} from "../../../../packages/latchkey/test/browser/device.ts";
import { freePort } from "../../../../packages/latchkey/test/servers/free-port.ts";
import { findProxy, type RealProxy, startProxy } from "./example-proxy.ts";
import { type ProxiedApp, startProxiedApp } from "./proxied-app.ts";

const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const script = { accept: "application/json", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

for (const proxy of ["nginx", "haproxy", "caddy"] as const) {
  describe.skipIf(findProxy(proxy) === null)(`a bound session behind ${proxy}`, () => {
    let world: ProxiedApp;
    let user: User;
    let close: () => Promise<void>;

    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ["Date"] });
      ({ world, close } = await startBehind(proxy));
      user = await signIn(world);
    });
    afterEach(async () => {
      vi.useRealTimers();
      await close();
    });

    test("registers its key, renews its proof, and is challenged for another [DB-005]", async () => {
      const { device, registered, ask } = user;
      const { response, refreshAddress, identifier } = registered;
      expect([response.status, Object.keys(registered.jar)]).toEqual([200, ["appSession.device"]]);
      expect(refreshAddress).toMatch(/^\/signin\/api\/auth\/device\?k=/);
      const renewed = await device.refresh(registered);
      expect([renewed.status, renewed.headers.getSetCookie().length]).toEqual([200, 1]);
      const id = { "sec-secure-session-id": identifier };
      const challenged = await ask(refreshAddress, { headers: id });
      expect([challenged.status, challengeIn(challenged)]).toEqual([
        403,
        expect.stringMatching(/./),
      ]);
      const nonsense = await ask("/signin/api/auth/device?k=x", { headers: id });
      expect(nonsense.status).toBe(400);
    });

    test("passes with its proof alone, and the application sees neither cookie [DB-004]", async () => {
      const { cookies, bindAndWait } = user;
      await bindAndWait();
      const renewed = await user.device.refresh(user.registered);
      const [proof = ""] = renewed.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
      const { length } = world.received;
      const owned = await world.send("/page", {
        headers: { ...page, cookie: `theme=dark; ${cookies()}; ${proof}` },
      });
      expect([owned.status, owned.body]).toEqual([200, "the application"]);
      const forwarded = world.received.at(-1)?.headers.cookie;
      expect(forwarded).toContain("theme=dark");
      expect(forwarded).not.toContain("appSession");
      const copied = { cookie: cookies() };
      const opened = await world.send("/page", { headers: { ...page, ...copied } });
      const asked = await world.send("/page", { headers: { ...script, ...copied } });
      expect([opened.status, asked.status]).toEqual([302, 401]);
      const skipped = { ...copied, "secure-session-skipped": "unreachable" };
      const late = await world.send("/page", { headers: { ...page, ...skipped } });
      expect([late.status, late.headers["retry-after"]]).toEqual([503, "5"]);
      expect(late.body).toContain("device_proof_missing");
      expect(world.received).toHaveLength(length + 1);
    });
  });
}

interface User {
  readonly device: Device;
  readonly registered: Registered;
  /** Posts as a browser does by itself. */
  readonly ask: Parameters<typeof createDevice>[0]["ask"];
  /** Those of the session, without the proof. */
  cookies(): string;
  /** Opens a page with the proof, and lets the time pass after which each request needs one. */
  bindAndWait(): Promise<void>;
}

/** A proxy behind a server that ends TLS, which is this test. */
async function startBehind(proxy: RealProxy) {
  const own = await freePort();
  const site = `https://localhost:${own}`;
  const redirectURIs = [`${site}/signin/api/auth/callback`];
  const clients = [{ id: "app", secret: "a client secret", redirectURIs }];
  const provider = await startProvider({ port: 0, clients });
  const world = await startProxiedApp(
    (ports) => startProxy(proxy, ports),
    {
      LATCHKEY_BASE_URL: `${site}/signin`,
      LATCHKEY_ISSUER_BASE_URL: provider.issuer,
      LATCHKEY_SESSION_DEVICE_BOUND: "enforce",
    },
    own,
  );
  return { world, close: async () => (await world.close(), provider.close()) };
}

async function signIn({ url, send }: ProxiedApp): Promise<User> {
  const site = url.replace("http:", "https:");
  const browser: Browser = createBrowser(site, (to, init) =>
    fetch(to.origin === site ? url + to.pathname + to.search : to, init),
  );
  const next = await browser.untilCallback(`${site}/page`);
  const callback = await browser.request(next.address, { headers: page });
  const ask: User["ask"] = async (target, init = {}) => {
    const fetched = { origin: site, "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors" };
    const headers = { "content-length": "0", ...fetched, ...init.headers };
    const answer = await send(target, { method: "POST", headers });
    const lines = Object.entries(answer.headers).flatMap(([name, value = ""]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    return new Response(answer.body, { status: answer.status, headers: lines });
  };
  const device = await createDevice({ ask });
  const registered = await device.register(new Response(null, { headers: callback.headers }));
  let cookies = await browser.cookies();
  return {
    device,
    registered,
    ask,
    cookies: () => cookies,
    async bindAndWait() {
      const headers = { ...page, cookie: `${cookies}; ${cookieHeader(registered.jar)}` };
      await browser.request(`${site}/page`, { headers });
      cookies = await browser.cookies();
      vi.setSystemTime(Date.now() + 61_000);
    },
  };
}
