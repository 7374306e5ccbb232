import type { Auth } from "latchkey";
import { protect } from "latchkey/node";
import { describe, expect, test } from "vitest";

import { worldOfTest } from "./world/host-world.ts";

const ofSister = { "sec-fetch-site": "same-site", origin: "https://blog.example" };
const ofOurs = { "sec-fetch-site": "same-origin" };
const form = "application/x-www-form-urlencoded";

describe("changes of other origins", () => {
  async function world(checkOrigin: boolean) {
    const called: string[] = [];
    const listener = (auth: Auth) =>
      protect(auth, ({ url = "" }, response) => {
        called.push(url);
        response.end("called");
      });
    const options = { checkOrigin, publicPaths: ["/open"] };
    const started = await worldOfTest({ app: listener, options });
    const browser = await started.signedIn();
    const cookie = await browser.cookies();
    called.splice(0);
    const send = async (target: string, headers: Readonly<Record<string, string>>) => {
      const all = { "content-type": form, ...headers };
      const init = { method: "POST", headers: all, body: "a=1", redirect: "manual" } as const;
      return (await fetch(started.baseURL + target, init)).status;
    };
    return { called, cookie, send, events: started.events };
  }

  test("do not reach the app with a session, if the setting is on", async () => {
    const { called, cookie, send, events } = await world(true);
    for (const target of ["/private", "/open"]) {
      expect(await send(target, { cookie, ...ofSister })).toBe(403);
    }
    expect(called).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ reason: "cross_site_request", status: 403, route: "guard" }),
    );
    expect(await send("/private", { cookie, ...ofOurs })).toBe(200);
    expect(await send("/open", { cookie, ...ofOurs })).toBe(200);
    expect(await send("/open", ofSister)).toBe(200);
    expect(called).toHaveLength(3);
  });

  test("reach the app by default", async () => {
    const { called, cookie, send } = await world(false);
    expect(await send("/private", { cookie, ...ofSister })).toBe(200);
    expect(called).toHaveLength(1);
  });
});
