import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { beforeEach, describe, expect, test } from "vitest";

import { namesIn } from "../../test/browser/cookie-jar.ts";
import { clientSecret } from "../../test/worlds/signed-by-secret.ts";
import { words } from "../../test/words.ts";
import {
  problemIn,
  showSession,
  startWorld,
  type World,
  type WorldSettings,
} from "../../test/worlds/world.ts";
import type { Session } from "../session/session.ts";

const inWorld = (settings: WorldSettings = {}) => startWorld({ app: showSession, ...settings });

/** Signs a person in and tells what the app knows of them on the page they wanted. */
async function signedIn(world: World, person = "person-ada"): Promise<Session> {
  const page = await world.browser().signIn("/private?x=1", person);
  expect(page.url.href).toBe(`${world.baseURL}/private?x=1`);
  return JSON.parse(page.text) as Session;
}

describe("response types", async () => {
  const hybrid = await inWorld({ options: { responseType: "code id_token" } });
  beforeEach(() => hybrid.provider.clearRequests());

  test("with form_post the response is posted, and the transaction comes along", async () => {
    const world = await inWorld({ options: { responseMode: "form_post" } });
    const browser = world.browser();
    const started = await browser.request("/api/auth/login");
    expect(new URL(started.location).searchParams.get("response_mode")).toBe("form_post");
    expect(started.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    expect((await signedIn(world)).accessToken).toEqual(expect.any(String));
  });

  test("with code id_token both are verified, and the tokens come from the token endpoint [STD-017]", async () => {
    const session = await signedIn(hybrid);
    expect(session.user).toMatchObject({ sub: "person-ada", name: "Ada Okafor" });
    expect(session.accessToken).toEqual(expect.any(String));
    expect(session.refreshToken).toEqual(expect.any(String));
  });

  test("with id_token there is the user alone, and neither a token request nor PKCE", async () => {
    const world = await inWorld({ options: { responseType: "id_token" } });
    const started = await world.browser().request("/api/auth/login");
    const parameters = new URL(started.location).searchParams;
    expect(parameters.get("response_type")).toBe("id_token");
    expect(parameters.has("code_challenge")).toBe(false);
    const session = await signedIn(world);
    expect(session.user).toMatchObject({ sub: "person-ada", name: "Ada Okafor" });
    expect(session).not.toHaveProperty("accessToken");
    expect(world.provider.requests.some(({ path }) => path === "/token")).toBe(false);
  });

  test("a posted response is redirected by 303, and clears old chunks that it cannot see [STD-051]", async () => {
    const browser = hybrid.browser();
    const { address, init } = await browser.untilCallback("/private");
    expect(init.method).toBe("POST");
    const answer = await browser.request(address, init);
    expect(answer.status).toBe(303);
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual(words`
      auth_verification appSession.0 appSession.1 appSession.2 appSession.3 appSession.4
      appSession.5 appSession.6 appSession.7
    `);
  });

  test("where the response must be posted, GET is answered 405, and a body that is no form is refused", async () => {
    const browser = hybrid.browser();
    const { address, init } = await browser.untilCallback("/private");
    const query = new URLSearchParams(init.body as URLSearchParams).toString();
    const get = await browser.request(`${address}?${query}`);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    const headers = { "content-type": "application/json" };
    const json = await browser.request(address, { ...init, body: "{}", headers });
    expect(json.status).toBe(415);
    const body = new URLSearchParams({ state: "x".repeat(70_000) });
    expect((await browser.request(address, { ...init, body })).status).toBe(413);
    expect((await browser.request(address, init)).status).toBe(303);
  });

  test("the session that a posted response cannot see is ended all the same", async () => {
    // Else the provider itself ends the session when another person signs in there.
    const options = { responseType: "code id_token", backchannelLogout: false } as const;
    const world = await inWorld({ options });
    const browser = world.browser();
    await browser.signIn("/private");
    const copy = await browser.cookies();
    const login = "/api/auth/login?prompt=select_account";
    const { address, init } = await browser.untilCallback(login, "person-ben");
    const cookies = (await browser.cookies()).split("; ");
    const cookie = cookies.filter((pair) => !pair.startsWith("appSession")).join("; ");
    const headers = { origin: "https://op.example", cookie };
    const answer = await browser.request(address, { ...init, headers });
    expect(answer.status).toBe(303);
    expect(await world.isSignedIn(copy)).toBe(false);
  });
});

describe("a provider that we have not written signs people in", async () => {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const named = { kid: "app-key", use: "sig" };
  const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), ...named }] };
  const jwk = JSON.stringify({ ...(await exportJWK(pair.privateKey)), ...named });
  const pem = await exportPKCS8(pair.privateKey);
  const odd = "secret with + / : % & = ? ~ and 32 bytes or more";
  const byKey = (clientAssertionSigningKey: string) =>
    ({ clientAssertionSigningKey, clientAssertionSigningAlg: "ES256" }) as const;

  test.each([
    ["RS256", "client_secret_basic", { clientSecret: odd }, {}],
    ["PS256", "client_secret_post", { clientSecret: odd }, {}],
    ["HS256", "client_secret_jwt", { clientSecret }, {}],
    ["ES256", "private_key_jwt", {}, byKey(pem)],
    ["EdDSA", "private_key_jwt", {}, byKey(jwk)],
  ] as const)(
    "by an ID token under %s, and knows us by %s [CERT-020]",
    async (idTokenSigningAlg, authMethod, its, ours) => {
      const keys = authMethod === "private_key_jwt" ? { jwks } : {};
      const world = await inWorld({
        provider: { ...its, client: { idTokenSigningAlg, authMethod, ...keys } },
        options: { idTokenSigningAlg, clientAuthMethod: authMethod, ...ours },
      });
      expect((await signedIn(world)).user.sub).toBe("person-ada");
    },
  );
});

test("a signing key that cannot be read is told as a fault of the settings, without the key", async () => {
  const world = await inWorld({
    options: {
      clientAuthMethod: "private_key_jwt",
      clientAssertionSigningKey: "-----BEGIN PRIVATE KEY-----\nsecret-stuff\n",
    },
  });
  const answer = await world.browser().callback();
  expect([answer.status, problemIn(answer).kind]).toEqual([400, "setup-wrong"]);
  expect(answer.text + JSON.stringify(world.events)).not.toContain("secret-stuff");
});

describe("claims", () => {
  test("they are not asked for where the ID token has them, or where the settings say never", async () => {
    const withAll = await inWorld();
    await signedIn(withAll);
    expect(withAll.provider.requests.some(({ path }) => path === "/me")).toBe(false);
    const options = { userinfo: "never" } as const;
    const never = await inWorld({ provider: { claimsIn: "userinfo" }, options });
    expect((await signedIn(never)).user).not.toHaveProperty("name");
  });

  test("they are always asked for where the settings say so, also as a signed response", async () => {
    const world = await inWorld({
      provider: { client: { userinfoSigningAlg: "RS256" } },
      options: { userinfo: "always" },
    });
    expect((await signedIn(world)).user.name).toBe("Ada Okafor");
    expect(world.provider.requests.some(({ path }) => path === "/me")).toBe(true);
  });
});

describe("organization", async () => {
  const harbour = await inWorld({ options: { organization: "org_harbour" } });

  test.each([
    ["org_harbour", "by its id"],
    ["Harbour", "by its name, in any case"],
  ])("%s is asked for, and its people are signed in, %s", async (organization) => {
    const world = await inWorld({ options: { organization } });
    const started = await world.browser().request("/api/auth/login");
    expect(new URL(started.location).searchParams.get("organization")).toBe(organization);
    expect((await signedIn(world, "person-ben")).user.org_id).toBe("org_harbour");
  });

  const other = 'value mismatch in the ID token; expected "org_harbour", found "org_orchard"';
  const none = "must be a string present in the ID token";

  test.each([
    ["person-clara", "orchard", `Organization Id (org_id) claim ${other}`],
    ["person-dmitri", undefined, `Organization Id (org_id) claim ${none}`],
  ])("%s, who is of another one or of none, gets no session", async (person, actual, detail) => {
    const browser = harbour.browser();
    const answer = await browser.callback("/private", person);
    expect(answer.status).toBe(400);
    const { kind, organization, switchAccountURL } = problemIn(answer);
    expect([kind, organization?.expected]).toEqual(["organization", "org_harbour"]);
    expect(organization?.actual).toBe(actual);
    expect(switchAccountURL).toContain("prompt=select_account");
    expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
    expect((await browser.request("/api/auth/me")).status).toBe(204);
    expect(harbour.events).toContainEqual(expect.objectContaining({ detail }));
  });

  test("an organization whose claims are filtered out is checked all the same", async () => {
    const world = await inWorld({
      options: { organization: "org_harbour", identityClaimFilter: ["org_id", "org_name"] },
    });
    expect((await signedIn(world)).user).not.toHaveProperty("org_id");
    const browser = world.browser();
    expect((await browser.callback("/private", "person-clara")).status).toBe(400);
  });

  test("choosing another account leads on to the page", async () => {
    const browser = harbour.browser();
    const { switchAccountURL } = problemIn(await browser.callback("/private", "person-clara"));
    const page = await browser.signIn(switchAccountURL, "person-ada");
    expect(page.url.href).toBe(`${harbour.baseURL}/private`);
  });
});
