import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { actionsOf, script } from "../suite/expectations.ts";
import { hostFolder, sharedWorld } from "../suite/world.ts";

describe("the data addresses of SvelteKit", () => {
  const world = sharedWorld();
  const ask = (target: string, headers = {}) =>
    world().send({ target, headers: { ...script, ...headers } });

  test("are guarded like their pages: the client is sent to login, with the way back [AD-010, AD-013]", async () => {
    const target = "/private/__data.json?tab=2&x-sveltekit-invalidated=01";
    const { status, body, header } = await ask(target);
    expect([status, JSON.parse(body)]).toEqual([
      200,
      {
        type: "redirect",
        status: 302,
        location: `${world().baseURL}/api/auth/login?returnTo=%2Fprivate%3Ftab%3D2`,
      },
    ]);
    expect(header("cache-control")).toBe("private, no-store");
  });

  test("those of a public page come without a session [AD-010]", async () => {
    const { status, body } = await ask("/__data.json");
    expect([status, JSON.parse(body)]).toMatchObject([200, { type: "data" }]);
  });

  test.each([
    ["is asked for data", "GET", undefined, {}, 200],
    ["is called as an action", "POST", "{}", { "x-sveltekit-action": "true" }, 401],
  ])(
    "a remote function is guarded if it %s, whatever page the client claims to show [AD-011]",
    async (_, method, body, own, expected) => {
      const headers = {
        ...script,
        // The adapter assumes https unless a header names the scheme.
        origin: world().baseURL.replace("http:", "https:"),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        "x-sveltekit-pathname": "/",
        "x-sveltekit-search": "",
        ...own,
      };
      for (const target of ["/_app/remote/abc/act", "/_app/remote/abc/act?payload=x"]) {
        const asked = { method, target, headers, ...(body === undefined ? {} : { body }) };
        const response = await world().send(asked);
        expect(response.status).toBe(expected);
        expect(response.body).toMatch(/"not_authenticated"|"type":"redirect"/);
      }
    },
  );

  test("data carry the session's headers [AD-018]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const { status, body, setCookies } = await ask("/private/__data.json", { cookie });
    expect([status, body.includes("Ada Okafor")]).toEqual([200, true]);
    expect(setCookies).toEqual([expect.stringMatching(/^appSession\.t=/)]);
  });
});

describe("a page whose rule does not hold", () => {
  const rules = { "/private": { claim: { name: "Ada Okafor" } } };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });

  test("leads SvelteKit's client from its data to our 403 page", async () => {
    const ben = world().browser();
    await ben.signIn("/api/auth/login?returnTo=/", "person-ben");
    const data = await ben.request("/private/__data.json");
    const { type, location } = JSON.parse(data.text) as { type: string; location: string };
    expect([data.status, type]).toEqual([200, "redirect"]);
    const page = await ben.request(location, { headers: { accept: "text/html" } });
    expect(page.status).toBe(403);
    expect(page.text).toContain("It is for users who have name: Ada Okafor.");
  });

  test.each(["/public/editors", "/public/editors/__data.json"])(
    "shows our page if a load of %s calls require(), and its log has no stack",
    async (target) => {
      const ben = world().browser();
      await ben.signIn("/api/auth/login?returnTo=/", "person-ben");
      const answer = await ben.request(target, { headers: { accept: "text/html" } });
      const led = /"location":"([^"]+)"/.exec(answer.text)?.[1];
      const page = led === undefined ? answer : await ben.request(led);
      expect(page.status).toBe(403);
      expect(page.text).toContain("users who have role: editor");
      expect(world().log()).not.toMatch(/^ +at /m);
    },
  );
});

describe("a page chosen by the hook reroute of SvelteKit", () => {
  const rules = { "/private": { claim: { name: "Ada Okafor" } } };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });

  test.each(["/de/private", "/de/%70rivate", "/de/private/__data.json"])(
    "is closed at %s by its rule [AD-010, AD-011]",
    async (target) => {
      const seenBy = async (person: string) => {
        const browser = world().browser();
        await browser.signIn("/api/auth/login?returnTo=/", person);
        return (await browser.request(target)).text;
      };
      expect(await seenBy("person-ada")).toContain("Ada Okafor");
      expect(await seenBy("person-ben")).not.toMatch(/Private page of|Ben Castellan/);
    },
  );
});

describe("the forms of other sites on SvelteKit", () => {
  const world = sharedWorld();
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test.each([
    [{ ...form, origin: "https://evil.example" }],
    [{ ...form, origin: "null" }],
    [form],
    [{ "content-type": "text/plain;charset=utf-8", origin: "https://evil.example" }],
    [{ "content-type": "Multipart/Form-Data; boundary=x" }],
    [{}],
  ])("posted with %j are refused, as without sign-in [AD-002]", async (headers) => {
    const cookie = await (await world().signedIn()).cookies();
    const response = await world().send({
      method: "POST",
      target: "/act",
      headers: { ...headers, cookie },
      body: "a=1",
    });
    expect([response.status, await actionsOf(world())]).toEqual([403, 0]);
  });

  test("of our own origin are taken [AD-002]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const headers = { ...form, cookie, origin: world().baseURL, accept: "text/html" };
    const response = await world().send({ method: "POST", target: "/act", headers, body: "a=1" });
    expect([response.status, response.body.includes("Done by Ada Okafor")]).toEqual([200, true]);
  });
});

describe("a page rendered by the build of SvelteKit", () => {
  test("holds no person, and the build needed no setting [AD-037]", () => {
    const page = readFileSync(path.join(hostFolder, "build/prerendered/about.html"), "utf8");
    expect(page).toContain("Built for nobody");
  });
});

describe("refusals in load and actions of SvelteKit", () => {
  const world = sharedWorld({
    environment: { LATCHKEY_PUBLIC_PATHS: "/ /cacheable /private /act" },
  });

  test("in answer to the client, send it to login [AD-013, AD-030]", async () => {
    const data = await world().send({ target: "/private/__data.json", headers: script });
    expect(JSON.parse(data.body)).toMatchObject({
      type: "redirect",
      location: `${world().baseURL}/api/auth/login?returnTo=%2Fprivate`,
    });
    const action = await world().send({
      method: "POST",
      target: "/act",
      headers: {
        ...script,
        accept: "application/json",
        origin: world().baseURL,
        "content-type": "application/x-www-form-urlencoded",
        "x-sveltekit-action": "true",
      },
      body: "a=1",
    });
    expect(JSON.parse(action.body)).toEqual({
      type: "redirect",
      status: 303,
      location: `${world().baseURL}/api/auth/login?returnTo=%2Fact`,
    });
  });
});
