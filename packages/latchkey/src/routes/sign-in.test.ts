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

/** Signs a user in. Returns the app's session data on the destination page. */
async function signedIn(world: World, person = "person-ada"): Promise<Session> {
  const page = await world.browser().signIn("/private?x=1", person);
  expect(page.url.href).toBe(`${world.baseURL}/private?x=1`);
  return JSON.parse(page.text) as Session;
}

describe("response types", async () => {
  const hybrid = await inWorld({ options: { responseType: "code id_token" } });
  beforeEach(() => hybrid.provider.clearRequests());

  test("post the response with form_post, and the browser sends the transaction", async () => {
    const world = await inWorld({ options: { responseMode: "form_post" } });
    const browser = world.browser();
    const started = await browser.request("/api/auth/login");
    expect(new URL(started.location).searchParams.get("response_mode")).toBe("form_post");
    expect(started.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    expect((await signedIn(world)).accessToken).toEqual(expect.any(String));
  });

  test("verify both ID tokens with code id_token, and use the tokens of the token endpoint [STD-017]", async () => {
    const session = await signedIn(hybrid);
    expect(session.user).toMatchObject({ sub: "person-ada", name: "Ada Okafor" });
    expect(session.accessToken).toEqual(expect.any(String));
    expect(session.refreshToken).toEqual(expect.any(String));
  });

  test("give the user alone with id_token, without a token request or PKCE", async () => {
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

  test("redirect a posted response by 303, and clear old invisible chunks [STD-051]", async () => {
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

  test("with form_post, end the previous session although the response cannot see it", async () => {
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

describe("an independent provider", async () => {
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
    "by an ID token under %s, and knows us by %s [CERT-092]",
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

describe("claims", () => {
  test("are not fetched if the ID token has them, or if the settings say never", async () => {
    const withAll = await inWorld();
    await signedIn(withAll);
    expect(withAll.provider.requests.some(({ path }) => path === "/me")).toBe(false);
    const options = { userinfo: "never" } as const;
    const never = await inWorld({ provider: { claimsIn: "userinfo" }, options });
    expect((await signedIn(never)).user).not.toHaveProperty("name");
  });

  test("are always fetched if the settings require it, also as a signed response", async () => {
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
  ])("%s is requested, and its members sign in, %s", async (organization) => {
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
  ])("rejects %s, a member of another one or of none", async (person, actual, detail) => {
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

  test("is checked even if its claims are filtered out", async () => {
    const world = await inWorld({
      options: { organization: "org_harbour", identityClaimFilter: ["org_id", "org_name"] },
    });
    expect((await signedIn(world)).user).not.toHaveProperty("org_id");
    const browser = world.browser();
    expect((await browser.callback("/private", "person-clara")).status).toBe(400);
  });

  test("leads to the page after a choice of another account", async () => {
    const browser = harbour.browser();
    const { switchAccountURL } = problemIn(await browser.callback("/private", "person-clara"));
    const page = await browser.signIn(switchAccountURL, "person-ada");
    expect(page.url.href).toBe(`${harbour.baseURL}/private`);
  });
});
