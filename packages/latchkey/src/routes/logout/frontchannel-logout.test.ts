import { describe, expect, test } from "vitest";

import { isSignedIn } from "../../../test/browser/browser.ts";
import { failingStore } from "../../../test/failing-store.ts";
import { memoryStore } from "../../stores/memory.ts";
import { createQuickApp } from "../../../test/worlds/quick-app.ts";
import { startWorld, type World } from "../../../test/worlds/world.ts";

const world = await startWorld({ options: { frontchannelLogout: true } });

/** Requests the address of a frame in the provider's page, without cookies. */
function framed(query: Record<string, string> | string[][], at: World = world) {
  const address = `/api/auth/frontchannel-logout?${new URLSearchParams(query).toString()}`;
  const headers = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };
  return at.browser().request(address, { headers });
}

function sidOf(sub: string, at: World = world): string {
  return at.provider.sessions().findLast((session) => session.sub === sub)?.sid ?? "";
}

describe("a frame of the provider's page [OP-092]", () => {
  test("ends the session of its issuer and session id, and no other", async () => {
    const ada = await world.signedIn("person-ada");
    const ben = await world.signedIn("person-ben");
    const before = world.events.length;
    const sid = sidOf("person-ada");
    const { status, text, headers } = await framed({ iss: world.provider.issuer, sid });
    expect([status, text]).toEqual([200, ""]);
    expect(headers.get("cache-control")).toBe("no-cache, no-store");
    expect(headers.get("pragma")).toBe("no-cache");
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; frame-ancestors ${new URL(world.provider.issuer).origin}`,
    );
    expect(headers.has("x-frame-options")).toBe(false);
    expect(headers.getSetCookie()).toEqual([]);
    expect(world.events.slice(before)).toEqual([
      { event: "sign-out", reason: "frontchannel", sid },
    ]);
    expect([await isSignedIn(ada), await isSignedIn(ben)]).toEqual([false, true]);
  });

  test("spares later sign-ins of the same user", async () => {
    await world.signedIn("person-emi");
    await framed({ iss: world.provider.issuer, sid: sidOf("person-emi") });
    expect(await isSignedIn(await world.signedIn("person-emi"))).toBe(true);
  });

  test.each<[string, (sid: string) => Record<string, string> | string[][]]>([
    ["another issuer", (sid) => ({ iss: "https://evil.example", sid })],
    ["no issuer", (sid) => ({ sid })],
    [
      "two issuers",
      (sid) => [
        ["iss", world.provider.issuer],
        ["iss", world.provider.issuer],
        ["sid", sid],
      ],
    ],
    ["no session", () => ({ iss: world.provider.issuer })],
    ["an empty session", () => ({ iss: world.provider.issuer, sid: "" })],
    ["an endless session", () => ({ iss: world.provider.issuer, sid: "x".repeat(2000) })],
  ])("with %s ends nothing, and is logged once", async (_, query) => {
    const ada = await world.signedIn();
    const before = world.events.length;
    expect((await framed(query(sidOf("person-ada")))).status).toBe(200);
    const told = { event: "refusal", route: "frontchannel-logout", reason: "frontchannel_ignored" };
    expect(world.events.slice(before)).toMatchObject([told]);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("of a tenant which cannot be recognized without the metadata ends nothing", async () => {
    const { ask, events } = createQuickApp({
      issuerBaseURL: "https://login.example/organizations/v2.0",
      tenants: ["contoso"],
      frontchannelLogout: true,
      store: memoryStore(),
      fetch: async () => new Response(null, { status: 503 }),
    });
    const query = new URLSearchParams({ iss: "https://login.example/contoso/v2.0", sid: "a-sid" });
    expect((await ask(`/api/auth/frontchannel-logout?${query}`)).status).toBe(200);
    expect(events.at(-1)).toMatchObject({ event: "refusal", reason: "frontchannel_ignored" });
  });

  test("is logged without an end of the session if the store fails", async () => {
    const store = failingStore(memoryStore());
    const other = await startWorld({ options: { frontchannelLogout: true, store } });
    store.fail(true);
    const { status } = await framed({ iss: other.provider.issuer, sid: "some-session" }, other);
    expect(status).toBe(400);
    const reason = "store_unavailable";
    expect(other.events.at(-1)).toMatchObject({ event: "refusal", reason, error: undefined });
  });
});

test("front-channel logout logs an internal fault with its cause", async () => {
  let fault: Error | null = null;
  const clock = () => {
    if (fault !== null) throw fault;
    return Date.now();
  };
  const other = await startWorld({ options: { frontchannelLogout: true, clock } });
  const named = { iss: other.provider.issuer, sid: "some-session" };
  await framed(named, other);
  const error = (fault = new Error("no time for this"));
  expect((await framed(named, other)).status).toBe(400);
  fault = null;
  expect(other.events.at(-1)).toMatchObject({ event: "refusal", reason: "internal", error });
});

test("front-channel logout is off by default", async () => {
  const other = await startWorld();
  const { status } = await framed({ iss: other.provider.issuer, sid: "some-session" }, other);
  expect(status).toBe(404);
});
