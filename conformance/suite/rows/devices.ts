import { describe, expect, test } from "vitest";

import { type Browser, createBrowser } from "../../../packages/latchkey/test/browser/browser.ts";
import {
  challengeIn,
  createDevice,
  type Device,
  type Registered,
} from "../../../packages/latchkey/test/browser/device.ts";
import { navigation } from "../expectations.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

/** Its TLS ends at a proxy before the application: these rows are that proxy. */
const site = "https://devices.localhost:4003";

/** Sessions that are bound to a device: what browsers with a key send, and how it is answered. */
export function deviceRows(host: DrivenHost): void {
  describe(`sessions bound to a device on ${host.title}`, () => {
    const world = sharedWorld(host, {
      environment: { LATCHKEY_BASE_URL: site, LATCHKEY_SESSION_DEVICE_BOUND: "enforce" },
      provider: { redirectURI: `${site}/api/auth/callback` },
    });

    /** What a browser sends by itself: no cookie that another site keeps it from, and no body. */
    const post = async (target: string, headers: Readonly<Record<string, string>>) => {
      const all = { origin: site, "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors" };
      const sent = {
        method: "POST",
        target,
        headers: { "content-length": "0", ...all, ...headers },
      };
      const { status, headers: received, body } = await world().send(sent);
      const lines = received.map(([name, value]): [string, string] => [name, value]);
      return new Response(status === 204 ? null : body, { status, headers: lines });
    };
    const ask = (target: string, { headers = {} }: { headers?: Record<string, string> } = {}) =>
      post(target, headers);

    async function bound(): Promise<Bound> {
      const { origin } = new URL(world().baseURL);
      const browser = createBrowser(site, (url, init) =>
        fetch(url.origin === site ? origin + url.pathname + url.search : url, init),
      );
      const next = await browser.untilCallback("/api/auth/login?returnTo=%2Fprivate");
      const callback = await browser.request(next.address, { headers: navigation });
      const device = await createDevice({ ask });
      const registered = await device.register(new Response(null, { headers: callback.headers }));
      return { browser, device, registered };
    }

    test("register a key without a cookie, and renew its proof [DB-002, DB-005]", async () => {
      const { browser, device, registered } = await bound();
      expect([registered.response.status, Object.keys(registered.jar)]).toEqual([
        200,
        ["appSession.device"],
      ]);
      expect(await registered.response.json()).toMatchObject({ scope: { origin: site } });
      const cookie = `${await browser.cookies()}; appSession.device=${registered.jar["appSession.device"]}`;
      const page = await browser.request("/private", { headers: { ...navigation, cookie } });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining("Ada Okafor")]);
      const renewed = await device.refresh(registered);
      expect([renewed.status, await renewed.text()]).toEqual([200, ""]);
      expect(renewed.headers.getSetCookie()).toHaveLength(1);
      expect(challengeIn(renewed)).not.toBe("");
    });

    test("meet a challenge if the proof is missing, another's or for something else [DB-003, DB-005]", async () => {
      const { device, registered } = await bound();
      const { refreshAddress, identifier } = registered;
      const id = { "sec-secure-session-id": identifier };
      const proofs = ["", "x", "a.b.c", await device.prove("made up", false)];
      for (const proof of proofs) {
        const sent = proof === "" ? id : { ...id, "secure-session-response": proof };
        const response = await post(refreshAddress, sent);
        expect([proof, response.status, response.headers.getSetCookie()]).toEqual([proof, 403, []]);
        expect(challengeIn(response)).not.toBe("");
      }
    });

    test.each(nonsense)("refuse %s with 400 [DB-003, DB-005]", async (_, query, headers) => {
      const response = await post(`/api/auth/device${query}`, headers);
      expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    });
  });
}

interface Bound {
  readonly browser: Browser;
  readonly device: Device;
  readonly registered: Registered;
}

const id = { "sec-secure-session-id": "x" };
const nonsense: readonly (readonly [string, string, Record<string, string>])[] = [
  ["no proof at all", "", {}],
  ["a foreign name of a key", "?k=x", id],
  ["a request of another site", "?k=x", { ...id, origin: "https://evil.example" }],
];
