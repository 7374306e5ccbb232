import type { HostileProvider } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { createAuth } from "../../src/index.ts";
import { type Browser, isSignedIn } from "../browser/browser.ts";
import { watchedStore } from "../watched-store.ts";
import { settingsAt, signIn, startTwoProviders, type TwoProviders } from "./two-providers.ts";

const logins = { default: "/api/auth/login/default", globex: "/api/auth/login/globex" } as const;

async function signedIn(world: TwoProviders, path: string): Promise<Browser> {
  const browser = world.browser();
  expect((await signIn(world, browser, path)).status).toBe(302);
  return browser;
}

/** A browser at each connection. */
function bothSignedIn(world: TwoProviders): Promise<readonly [Browser, Browser]> {
  return Promise.all([signedIn(world, logins.default), signedIn(world, logins.globex)]);
}

async function areIn(...browsers: readonly Browser[]): Promise<readonly boolean[]> {
  return Promise.all(browsers.map(isSignedIn));
}

/** Delivers a logout token, and returns the status. */
async function deliver({ baseURL }: TwoProviders, id: string, token: string): Promise<number> {
  const address = `${baseURL}/api/auth/backchannel-logout${id === "default" ? "" : `/${id}`}`;
  const body = new URLSearchParams({ logout_token: token });
  return (await fetch(address, { method: "POST", body })).status;
}

/** Names the user by `sub` alone. */
const ofUser = { sid: undefined };

test("logout tokens count at the address of their client alone [MX-052]", async () => {
  const world = await startTwoProviders();
  const { first, second } = world;
  const [one, other] = await bothSignedIn(world);
  world.advance(1);
  const tokens = {
    default: first.mintLogoutToken(ofUser),
    globex: second.mintLogoutToken(ofUser),
  };
  expect(await deliver(world, "default", tokens.globex)).toBe(400);
  expect(await deliver(world, "globex", tokens.default)).toBe(400);
  expect(await areIn(one, other)).toEqual([true, true]);
  expect(await deliver(world, "globex", tokens.globex)).toBe(204);
  expect(await areIn(one, other)).toEqual([true, false]);
  expect(await deliver(world, "default", tokens.default)).toBe(204);
  expect(await areIn(one, other)).toEqual([false, false]);
});

describe.each([true, false])("with sessions in the store: %s,", (stateful) => {
  const options = { session: { stateful } };

  test("a logout token ends sessions of its own issuer alone, whatever sub, sid and jti they share [MX-052, MX-053]", async () => {
    const world = await startTwoProviders({ options });
    const { first, second } = world;
    expect(first.person["sub"]).toBe(second.person["sub"]);
    const same = { jti: "the-same-jti", sid: "the-same-sid" };
    const claims = (own: object) => ({ ...own, sid: same.sid });
    for (const provider of [first, second]) provider.behave({ idToken: { claims } });
    const [one, other] = await bothSignedIn(world);
    world.advance(1);
    expect(await deliver(world, "globex", second.mintLogoutToken(same))).toBe(204);
    expect(await areIn(one, other)).toEqual([true, false]);
    expect(await deliver(world, "globex", second.mintLogoutToken(same))).toBe(400);
    expect(await deliver(world, "default", first.mintLogoutToken(same))).toBe(204);
    expect(await areIn(one, other)).toEqual([false, false]);
  });

  test("endConnection ends its sessions at every instance, with one read of the store, and later ones count [MX-012]", async () => {
    const world = await startTwoProviders({ options });
    const [one, other] = await bothSignedIn(world);
    const copy = await other.cookies();
    const reads: string[] = [];
    const store = watchedStore(world.store, (operation) => void reads.push(operation));
    const elsewhere = createAuth({ ...world.options, store });
    const isInElsewhere = async () => {
      const headers = { cookie: copy };
      const request = new Request(`${world.baseURL}/api/auth/me`, { headers });
      return (await elsewhere.respond(request, () => new Response())).status === 200;
    };
    expect(await isInElsewhere()).toBe(true);
    world.advance(1);
    await world.auth.endConnection("globex", { operator: "grace" });
    reads.splice(0);
    expect(await isInElsewhere()).toBe(false);
    expect(reads).toEqual(["get"]);
    expect(await areIn(one, other)).toEqual([true, false]);
    expect(world.events).toContainEqual(
      expect.objectContaining({ reason: "operator", connection: "globex", cause: "grace" }),
    );
    world.advance(1);
    expect(await areIn(await signedIn(world, logins.globex))).toEqual([true]);
  });

  test("a sign-in at another connection ends the former session when it is complete, once [MX-058]", async () => {
    const world = await startTwoProviders({ options });
    const browser = await signedIn(world, logins.default);
    const copy = await browser.cookies();
    const isCopyIn = async () =>
      (await world.browser().request("/api/auth/me", { headers: { cookie: copy } })).status === 200;
    await browser.request(logins.globex);
    expect([await isSignedIn(browser), await isCopyIn()]).toEqual([true, true]);
    await signIn(world, browser, logins.globex);
    expect([await isSignedIn(browser), await isCopyIn()]).toEqual([true, false]);
    const ends = world.events.filter(({ event }) => event === "sign-out");
    expect(ends).toMatchObject([{ reason: "replaced" }]);
  });
});

describe.each([true, false])(
  "endUser by an identity, with sessions in the store: %s,",
  (stateful) => {
    const options = { session: { stateful } };
    const by = { operator: "grace" };
    const identityOf = async (browser: Browser, sub: string) => {
      const { text } = await browser.request("/_auth/session.json");
      const { identity } = JSON.parse(text) as { identity: { id: string; sub: string } };
      expect(identity.sub).toBe(sub);
      return identity;
    };

    test("ends the sessions of that user in every browser, and no other ones of the same sub [MX-054]", async () => {
      const world = await startTwoProviders({ options });
      const sub = String(world.first.person["sub"]);
      const [one, other] = await bothSignedIn(world);
      const again = await signedIn(world, logins.globex);
      const identity = await identityOf(other, sub);
      world.advance(1);
      expect(await world.auth.endUser({ id: identity.id }, by)).toBe(stateful ? 2 : null);
      expect(await areIn(one, other, again)).toEqual([true, false, false]);
      expect(world.events).toContainEqual(
        expect.objectContaining({ reason: "operator", identity: identity.id, cause: "grace" }),
      );
      world.advance(1);
      expect(await areIn(await signedIn(world, logins.globex))).toEqual([true]);
      expect(await world.auth.endUser(await identityOf(one, sub), by)).toBe(stateful ? 1 : null);
      expect(await areIn(one)).toEqual([false]);
    });

    test("ends them at all connections of the issuer [MX-054]", async () => {
      const world = await startTwoProviders({ options });
      const beta = { uses: "globex", label: "Beta" };
      world.serve({ connections: { globex: settingsAt(world.second), beta } });
      const browsers = await Promise.all([
        signedIn(world, logins.globex),
        signedIn(world, "/api/auth/login/beta"),
      ]);
      const [first] = browsers;
      const { id } = await identityOf(first, String(world.second.person["sub"]));
      world.advance(1);
      await world.auth.endUser({ id }, by);
      expect(await areIn(...browsers)).toEqual([false, false]);
    });

    test("an unknown identity has no sessions, and what is no id is none [MX-054]", async () => {
      const world = await startTwoProviders({ options });
      expect(await world.auth.endUser({ id: "x".repeat(43) }, by)).toBe(stateful ? 0 : null);
      await expect(world.auth.endUser({ id: "ada" }, by)).rejects.toThrow("Name the person");
    });
  },
);

test("endUser by an identity needs an app which knows its users by it [MX-054]", async () => {
  const world = await startTwoProviders();
  const auth = world.serve({ connections: {}, identity: undefined });
  await expect(auth.endUser({ id: "x".repeat(43) }, { operator: "grace" })).rejects.toThrow(
    "needs the setting identity",
  );
});

describe("logout", () => {
  test.each(["default", "globex"] as const)(
    "of a session of %s goes to its own provider, with its hint and client [MX-051]",
    async (id) => {
      const world = await startTwoProviders();
      const provider: HostileProvider = id === "default" ? world.first : world.second;
      const browser = await signedIn(world, logins[id]);
      const { location } = await browser.request("/api/auth/logout");
      const { origin, searchParams } = new URL(location);
      expect(origin).toBe(provider.url);
      expect(searchParams.get("client_id")).toBe(provider.client.id);
      const [, claims = ""] = searchParams.get("id_token_hint")?.split(".") ?? [];
      expect(JSON.parse(atob(claims))).toMatchObject({ iss: provider.issuer });
      expect(searchParams.get("post_logout_redirect_uri")).toBe(
        `${world.baseURL}/_auth/signed-out`,
      );
      expect(await isSignedIn(browser)).toBe(false);
    },
  );

  test("of a session of a connection that is gone is local, and its page makes no promise [MX-051, MX-055]", async () => {
    const world = await startTwoProviders();
    const browser = await signedIn(world, logins.globex);
    world.serve({ connections: { acme: settingsAt(world.second) } });
    expect(await isSignedIn(browser)).toBe(false);
    const { location } = await browser.request("/api/auth/logout");
    expect(location).toBe(`${world.baseURL}/_auth/signed-out?provider=still`);
    expect((await browser.request(location)).text).toContain(
      "You may still be signed in at your sign-in provider.",
    );
    world.serve({});
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("revokes tokens at their own provider, also while the other one is down [MX-056]", async () => {
    const world = await startTwoProviders({
      options: { scope: "openid offline_access" },
      globex: { scope: "openid offline_access" },
    });
    const { first, second } = world;
    const revocation = ({ url }: HostileProvider) => ({
      metadata: (metadata: object) => ({ ...metadata, revocation_endpoint: `${url}/revoke` }),
    });
    for (const provider of [first, second]) provider.behave(revocation(provider));
    const [one, other] = await bothSignedIn(world);
    await first.close();
    await Promise.all([one.request("/api/auth/logout"), other.request("/api/auth/logout")]);
    const revoked = () => second.requests.filter(({ path }) => path === "/revoke");
    await expect.poll(() => revoked().length).toBeGreaterThan(0);
    expect(revoked()[0]?.form.get("token_type_hint")).toBe("refresh_token");
  });
});

test("a frame of a provider ends sessions of its own client alone [MX-057]", async () => {
  const frontchannel = { frontchannelLogout: true };
  const world = await startTwoProviders({ options: frontchannel, globex: frontchannel });
  const { first, second, baseURL } = world;
  const claims = (own: object) => ({ ...own, sid: "the-same-sid" });
  for (const provider of [first, second]) provider.behave({ idToken: { claims } });
  const [one, other] = await bothSignedIn(world);
  world.advance(1);
  const frame = (id: string, iss: string) =>
    fetch(
      `${baseURL}/api/auth/frontchannel-logout${id}?${new URLSearchParams({ iss, sid: "the-same-sid" })}`,
    );
  for (const [id, issuer] of [
    ["", second.issuer],
    ["/globex", first.issuer],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await frame(id, issuer)).status).toBe(200);
  }
  expect(await areIn(one, other)).toEqual([true, true]);
  const ended = await frame("/globex", second.issuer);
  expect(ended.headers.get("content-security-policy")).toContain(`frame-ancestors ${second.url}`);
  expect(await areIn(one, other)).toEqual([true, false]);
});

test("a logout token ends the sessions of every connection with its client [MX-052]", async () => {
  const world = await startTwoProviders({ more: { beta: { uses: "default" } } });
  const [one, other] = await bothSignedIn(world);
  const beta = await signedIn(world, "/api/auth/login/beta");
  world.advance(1);
  expect(await deliver(world, "beta", world.first.mintLogoutToken(ofUser))).toBe(404);
  expect(await deliver(world, "default", world.first.mintLogoutToken(ofUser))).toBe(204);
  expect(await areIn(one, beta, other)).toEqual([false, false, true]);
});
