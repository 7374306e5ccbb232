import type { Behavior, HostileProvider } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import type { Browser } from "../browser/browser.ts";
import { handleRequest } from "../handle-request.ts";
import { arrive, begin, signIn, startTwoProviders, type TwoProviders } from "./two-providers.ts";

const logins = { default: "/api/auth/login/default", globex: "/api/auth/login/globex" } as const;
const options = { scope: "openid offline_access", userinfo: "always" } as const;

const withClaims = (claims: object): Behavior => ({
  idToken: { claims: (good) => ({ ...good, ...claims }) },
});

/** What the second provider answers at a sign-in, to pass for the first one. */
const answers: readonly (readonly [
  what: string,
  reason: RegExp,
  make: (first: HostileProvider, taken: string) => Behavior,
])[] = [
  ["an ID token with its issuer", /^token_issuer$/, ({ issuer }) => withClaims({ iss: issuer })],
  [
    "an ID token for its client",
    /^token_audience$/,
    ({ client }) => withClaims({ aud: client.id }),
  ],
  [
    "an ID token for both clients",
    /^token_audience$/,
    ({ client }) => withClaims({ aud: ["globex-client", client.id] }),
  ],
  [
    "an ID token with its client as the party",
    /^token_authorized_party$/,
    ({ client }) => withClaims({ azp: client.id }),
  ],
  ["its own ID token", /^token_/, (_, taken) => ({ idToken: { text: () => taken } })],
  [
    "its keys in the metadata",
    /^token_/,
    ({ url }) => ({ metadata: (own) => ({ ...own, jwks_uri: `${url}/keys` }) }),
  ],
  [
    "its issuer in the metadata",
    /^issuer_mismatch$/,
    ({ issuer }) => ({ metadata: (own) => ({ ...own, issuer }) }),
  ],
  [
    "another user from userinfo",
    /^userinfo_subject$/,
    () => ({ userinfo: (claims) => ({ ...claims, sub: "eve" }) }),
  ],
  [
    "its userinfo endpoint",
    /^userinfo_invalid$/,
    ({ url }) => ({ metadata: (own) => ({ ...own, userinfo_endpoint: `${url}/userinfo` }) }),
  ],
];

async function meOf(browser: Browser): Promise<string> {
  return (await browser.request("/api/auth/me")).text;
}

/** A browser that is signed in at the first provider, and the ID token of then. */
async function signedInAtFirst(world: TwoProviders) {
  let taken = "";
  world.first.behave({ idToken: { text: (token) => (taken = token) } });
  const browser = world.browser();
  await signIn(world, browser, logins.default);
  return { browser, taken };
}

describe("a provider that passes for that of another connection", () => {
  test.each(answers)(
    "by %s signs in no user, and the other session stays [MX-029] [MX-058]",
    async (_, reason, make) => {
      const world = await startTwoProviders({ options, globex: options });
      const { browser, taken } = await signedInAtFirst(world);
      const before = await meOf(browser);
      expect(before).toContain(String(world.first.person["sub"]));
      world.second.behave(make(world.first, taken));
      const login = await browser.request(logins.globex);
      const returned = login.location === "" ? null : await world.second.visit(login.location);
      const answer = returned === null ? login : await arrive(browser, returned);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(world.problems.at(-1)?.reason).toMatch(reason);
      expect(await meOf(browser)).toBe(before);
      // Codes, tokens and secrets of the first client are nowhere at the second provider.
      const seen = world.second.requests.map(({ body, headers }) => body + JSON.stringify(headers));
      expect(seen.join()).not.toContain(world.first.client.secret);
    },
  );

  test.each([
    ["another user", () => ({ sub: "eve" })],
    ["the issuer of another connection", ({ issuer }: HostileProvider) => ({ iss: issuer })],
    ["the client of another connection", ({ client }: HostileProvider) => ({ aud: client.id })],
  ])("by a refresh with an ID token of %s changes no session [MX-061]", async (_, claimsOf) => {
    const world = await startTwoProviders({ options, globex: options });
    const browser = world.browser();
    await signIn(world, browser, logins.globex);
    const before = await meOf(browser);
    const claims = claimsOf(world.first);
    world.second.behave({
      idToken: { claims: (good, { at }) => (at === "refresh" ? { ...good, ...claims } : good) },
    });
    const headers = { cookie: await browser.cookies() };
    const request = new Request(`${world.baseURL}/`, { headers });
    const { made } = await handleRequest(world.auth, request, (here) =>
      here.accessToken({ refresh: true }).catch(({ code }: { code: string }) => code),
    );
    expect(made).toBe("ERR_FAILED_REFRESH_GRANT");
    expect(await meOf(browser)).toBe(before);
  });
});

test("a code of one provider is of no use in a sign-in at the other, at either address [MX-026]", async () => {
  const world = await startTwoProviders();
  const browser = world.browser();
  const one = await begin(world, browser, logins.default);
  const other = await begin(world, browser, logins.globex);
  const mixed = new URL(other.returned.url);
  mixed.searchParams.set("code", new URL(one.returned.url).searchParams.get("code") ?? "");
  mixed.searchParams.delete("iss");
  await arrive(browser, { ...other.returned, url: mixed.href });
  expect(world.problems.at(-1)?.reason).toBe("response_iss_missing");
  mixed.searchParams.set("iss", world.second.issuer);
  const again = await begin(world, browser, logins.globex);
  mixed.searchParams.set("state", again.state);
  await arrive(browser, { ...again.returned, url: mixed.href });
  expect(world.problems.at(-1)?.reason).toBe("code_rejected");
  expect((await browser.request("/api/auth/me")).status).toBe(204);
});
