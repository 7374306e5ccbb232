import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { goodSettings } from "../../test/settings.ts";
import { startWorld } from "../../test/worlds/world.ts";
import { createAuth, type Options } from "../host/auth.ts";
import type { Problem } from "../errors/problem.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";

const metadata = { issuer: "https://another.example" };

/**
 * Opens login with a wrong issuer in the metadata. Returns the response and the problem of its
 * page.
 */
async function refused(options: Partial<Options> = {}, accept = "text/html") {
  const problems: Problem[] = [];
  const auth = createAuth({
    ...goodSettings,
    log: () => undefined,
    fetch: async () => Response.json(metadata),
    renderProblem: (problem) => (problems.push(problem), "the page"),
    ...options,
  });
  const request = new Request(`${goodSettings.baseURL}/api/auth/login`, { headers: { accept } });
  const response = await auth.respond(request, () => expect.unreachable());
  return { response, problem: problems[0], text: await response.text() };
}

describe("the details of a rejection", () => {
  const detail = expect.stringContaining("another.example");

  test("appear on the page in development", async () => {
    expect((await refused({ production: false })).problem).toMatchObject({ detail });
  });

  test("appear in no page, JSON or text in production", async () => {
    const { problem } = await refused({ production: true });
    expect(problem?.reason).toBe("issuer_mismatch");
    expect(JSON.stringify(problem)).not.toContain("another.example");
    for (const accept of ["application/json", "text/plain"]) {
      expect((await refused({ production: true }, accept)).text).not.toContain("another.example");
    }
  });
});

test("a failing page of the app is replaced by the built-in one, without details of the failure", async () => {
  const { response, text } = await refused({
    renderProblem: () => {
      throw new Error("a secret of the page");
    },
  });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(text).toMatch(/^<!doctype html>/i);
  expect(text).not.toContain("a secret of the page");
});

test.each(["text/html", "application/json", "text/plain"])(
  "a rejection is sent as %s with no framing, caching, other type or referrer [STD-047, STD-055, ATK-104]",
  async (accept) => {
    const { headers, status } = (await refused({}, accept)).response;
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers.has("retry-after")).toBe(status >= 500);
  },
);

describe("the user on the page of a refusal", async () => {
  const shown: (string | undefined)[] = [];
  const world = await startWorld({
    options: {
      accessRules: { "/closed": { scope: ["none"] } },
      renderProblem: (_problem, _request, session) => (shown.push(session?.user.sub), "the page"),
    },
  });
  const browser = world.browser();
  await browser.signIn();

  test.each([
    ["of a page of the app is given to the page", "/closed", "person-ada"],
    ["of an auth route is not", "/api/auth/callback?error=x", undefined],
    ["of an unknown path below the auth prefix is not", "/api/auth/unknown", undefined],
  ])("%s", async (_, path, sub) => {
    shown.length = 0;
    await browser.request(path, { headers: { accept: "text/html" } });
    expect(shown).toEqual([sub]);
  });

  test("makes the page private, and keyed by the cookie", async () => {
    const { headers } = await browser.request("/closed", { headers: { accept: "text/html" } });
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")).toContain("Cookie");
  });
});

test.each(["/api/orders", "/orders"])(
  "a script gets a failing store at %s as JSON in the shape of every refusal [AP-025]",
  async (path) => {
    const store = failingStore(memoryStore());
    const session = { stateful: true };
    const options = { ...goodSettings, log: () => undefined, session, store };
    const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
    store.fail(true);
    const request = new Request(goodSettings.baseURL + path, {
      headers: { cookie, accept: "*/*", "sec-fetch-mode": "cors" },
    });
    const response = await createAuth(options).respond(request, () => expect.unreachable());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await response.json()).toEqual({
      error: "ERR_STORE_UNAVAILABLE",
      description: "The session store does not answer.",
      reference: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
    });
  },
);
