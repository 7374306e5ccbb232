import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

import { startWorld } from "../../test/worlds/world.ts";
import { fragmentScript, fragmentScriptHash } from "./built-in-pages.ts";

const pageLoad = { headers: { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" } };

test("the hash that allows the script is that of the script", () => {
  const hash = createHash("sha256").update(fragmentScript).digest("base64");
  expect(fragmentScriptHash).toBe(`sha256-${hash}`);
});

describe("with keepFragment", async () => {
  const world = await startWorld({ options: { keepFragment: true } });

  test("a page load is led to a page that goes on to login with everything else that was asked", async () => {
    const browser = world.browser();
    const { location } = await browser.request("/reports?year=2026", pageLoad);
    expect(location).toBe(
      `${world.baseURL}/api/auth/login?returnTo=%2Freports%3Fyear%3D2026&fragment=ask`,
    );
    const { status, headers, text } = await browser.request(location, pageLoad);
    expect(status).toBe(200);
    expect(text).toContain(
      '<meta http-equiv="refresh" content="0;url=?returnTo=%2Freports%3Fyear%3D2026">',
    );
    expect(headers.get("content-security-policy")).toContain(fragmentScriptHash);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("set-cookie")).toBe(false);
  });

  test.each([
    ["a script asks", { headers: { "sec-fetch-dest": "empty", "sec-fetch-mode": "navigate" } }],
    ["a frame asks", { headers: { "sec-fetch-dest": "iframe" } }],
    ["the client says nothing of itself", {}],
  ])("the guard redirects to login as ever where %s", async (_case, request) => {
    const { status, location } = await world.browser().request("/reports", request);
    expect(status).toBe(302);
    expect(location).toBe(`${world.baseURL}/api/auth/login?returnTo=%2Freports`);
  });

  test("login itself redirects to the provider", async () => {
    const answer = await world.browser().request("/api/auth/login?returnTo=%2Freports", pageLoad);
    expect(answer.location).toMatch(`${world.provider.issuer}/auth?`);
  });
});

test("without keepFragment nobody is asked", async () => {
  const world = await startWorld();
  const browser = world.browser();
  const guarded = await browser.request("/reports", pageLoad);
  expect(guarded.location).toBe(`${world.baseURL}/api/auth/login?returnTo=%2Freports`);
  const login = await browser.request("/api/auth/login?fragment=ask&returnTo=%2Fx", pageLoad);
  expect(login.location).toMatch(`${world.provider.issuer}/auth?`);
});
