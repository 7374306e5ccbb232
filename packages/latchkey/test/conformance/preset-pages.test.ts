import { describe, expect, test } from "vitest";

import type { LogEvent, Options } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { jarAfter } from "../browser/cookie-jar.ts";
import { emptyPages, pagesPart } from "../pages-part.ts";
import { createQuickApp } from "../worlds/quick-app.ts";

const document = {
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  accept: "text/html",
};
const isolating = ["cross-origin-opener-policy", "cross-origin-resource-policy"];

/** An app with a page of devices; it authenticates by a secret, which the preset allows. */
function appWith(options: Partial<Options>) {
  let now = 1_800_000_000_000;
  const pages = pagesPart(() => ({
    ...emptyPages,
    respond: ({ path, auth }) =>
      path.startsWith("/devices")
        ? auth().then(() => ({
            status: 200,
            headers: [["Content-Type", "text/html"]],
            body: "list",
          }))
        : null,
  }));
  const app = createQuickApp({
    baseURL: "https://app.example",
    clock: () => (now += 1),
    store: memoryStore(() => now),
    clientAuthMethod: "client_secret_basic",
    pages,
    ...options,
  });
  /** Signs in, by a provider that names the time of it. */
  async function signIn() {
    const begun = await app.begin();
    app.provider.people.set(begun.code, { auth_time: Math.floor(now / 1000) });
    return jarAfter((await app.finish(begun)).headers.getSetCookie(), begun.jar);
  }
  return { app, signIn, advance: (seconds: number) => void (now += seconds * 1000) };
}

describe("the preset hardened", () => {
  test("opens the page of devices after a sign-in of the last five minutes only [ASVS-7.5.2]", async () => {
    const { app, advance, signIn } = appWith({ preset: "hardened" });
    const jar = await signIn();
    const open = (path: string) => app.ask(path, { jar, headers: document });
    expect((await open("/_auth/devices")).status).toBe(200);
    advance(400);
    for (const path of ["/_auth/devices", "/_auth/devices/others", "/_auth/Devices/"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status, headers } = await open(path);
      expect([status, headers.get("location")]).toEqual([
        302,
        expect.stringContaining("/api/auth/login?"),
      ]);
    }
  });

  test("leaves the page of devices to a rule of the app, and names what it relaxes", async () => {
    const relaxed = (accessRules: Options["accessRules"]) => {
      const messages: string[] = [];
      const log = (event: LogEvent) => {
        if (event.event === "warning") messages.push(event.message);
      };
      return { ...appWith({ preset: "hardened", accessRules, log }), messages };
    };
    const { app, advance, signIn, messages } = relaxed({ "/_auth/devices": { maxAge: 3600 } });
    const jar = await signIn();
    advance(1000);
    expect((await app.ask("/_auth/devices", { jar, headers: document })).status).toBe(200);
    const named = "relaxed by the access rule for /_auth/devices (ASVS 7.5.2)";
    expect(messages.filter((each) => each.includes(named))).toHaveLength(1);
    const stricter = relaxed({ "/_auth/devices": { maxAge: 60 }, "/admin": { maxAge: 900 } });
    await stricter.signIn();
    expect(stricter.messages.filter((each) => each.includes("access rule"))).toEqual([]);
  });

  test.each([
    ["hardened", ["same-origin", "same-origin"]],
    [undefined, [null, null]],
  ] as const)("keeps pages apart from other sites: %s [ASVS-3.4.8]", async (preset, expected) => {
    const { app, signIn } = appWith({ preset });
    const jar = await signIn();
    const pages = ["/_auth/devices", "/api/auth/callback", "/api/auth/nothing"];
    for (const path of pages) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { headers } = await app.ask(path, { jar, headers: document });
      expect(headers.get("content-type")).toContain("text/html");
      expect(isolating.map((name) => headers.get(name))).toEqual(expected);
    }
    const { headers } = await app.ask("/api/auth/me", { jar });
    expect(isolating.map((name) => headers.get(name))).toEqual([null, null]);
  });

  test("changes no rule of an app without pages", async () => {
    const { app, advance, signIn } = appWith({ preset: "hardened", pages: undefined });
    const jar = await signIn();
    advance(400);
    expect((await app.open("/devices", { jar, headers: document })).status).toBe(200);
  });
});
