import { decodeJwt, exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";

import { cookieHeader, jarAfter } from "../browser/cookie-jar.ts";
import { createQuickApp, quickRequest } from "../worlds/quick-app.ts";
import { inParallel } from "../in-parallel.ts";
import { arrive, begin, callsTo, settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

const callback = "/api/auth/callback";

const ofNoCall = [[], []];

describe("a response at the right address", () => {
  test("in a browser without the pending login is refused, and restarts at its connection [MX-027, MX-037]", async () => {
    const world = await startTwoProviders();
    const { returned } = await begin(world, world.browser(), "/api/auth/login/globex?returnTo=/x");
    const refused = await arrive(world.browser(), returned);
    expect(world.problems.at(-1)).toMatchObject({
      reason: "state_cookie_missing",
      redirectTo: `${world.baseURL}/api/auth/login/globex?returnTo=${encodeURIComponent(`${world.baseURL}/x`)}&restart=1`,
    });
    expect(refused.status).toBe(400);
    expect([callsTo(world.first), callsTo(world.second)]).toEqual(ofNoCall);
  });

  test.each([
    ["another issuer", "https://other.example", "response_iss_mismatch"],
    ["the issuer of another connection", "first", "response_iss_mismatch"],
    ["no issuer", undefined, "response_iss_missing"],
  ])("that names %s is refused without a call [MX-029]", async (_, named, reason) => {
    const world = await startTwoProviders();
    const browser = world.browser();
    const { returned } = await begin(world, browser, "/api/auth/login/globex");
    const url = new URL(returned.url);
    if (named === undefined) url.searchParams.delete("iss");
    else url.searchParams.set("iss", named === "first" ? world.first.issuer : named);
    await arrive(browser, { ...returned, url: url.href });
    expect(world.problems.at(-1)).toMatchObject({ reason });
    expect([callsTo(world.first), callsTo(world.second)]).toEqual(ofNoCall);
  });
});

describe("a shared redirect URI", () => {
  const silent = {
    metadata: ({
      authorization_response_iss_parameter_supported: _no,
      ...others
    }: object & {
      authorization_response_iss_parameter_supported?: unknown;
    }) => others,
  };

  test("finishes sign-ins of both connections, and has no other address [MX-030]", async () => {
    const world = await startTwoProviders({ globex: { callback: "shared" } });
    const browser = world.browser();
    const one = await begin(world, browser, "/api/auth/login/default?returnTo=/one");
    const other = await begin(world, browser, "/api/auth/login/globex?returnTo=/other");
    expect(new URL(other.returned.url).pathname).toBe(callback);
    expect((await arrive(browser, other.returned, `${callback}/globex`)).status).toBe(404);
    for (const [begun, page] of [
      [other, "/other"],
      [one, "/one"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await arrive(browser, begun.returned)).location).toBe(world.baseURL + page);
    }
  });

  test.each(["default", "globex"])(
    "refuses a response of %s without an issuer, whatever the metadata say [MX-030]",
    async (id) => {
      const world = await startTwoProviders({ globex: { callback: "shared" } });
      world.first.behave(silent);
      world.second.behave(silent);
      const browser = world.browser();
      const { returned } = await begin(world, browser, `/api/auth/login/${id}`);
      const url = new URL(returned.url);
      url.searchParams.delete("iss");
      await arrive(browser, { ...returned, url: url.href });
      expect(world.problems.at(-1)).toMatchObject({ reason: "response_iss_missing" });
      expect([callsTo(world.first), callsTo(world.second)]).toEqual(ofNoCall);
    },
  );

  test("refuses the state of one with the issuer of the other [MX-030]", async () => {
    const world = await startTwoProviders({ globex: { callback: "shared" } });
    const browser = world.browser();
    const one = await begin(world, browser, "/api/auth/login/default");
    const other = await begin(world, browser, "/api/auth/login/globex");
    const url = new URL(other.returned.url);
    url.searchParams.set("state", one.state);
    await arrive(browser, { ...other.returned, url: url.href });
    expect(world.problems.at(-1)).toMatchObject({ reason: "response_iss_mismatch" });
    expect([callsTo(world.first), callsTo(world.second)]).toEqual(ofNoCall);
  });
});

test("a client assertion is for the issuer alone, also if metadata name the endpoints of another provider [MX-031]", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const own = {
    clientAuthMethod: "private_key_jwt",
    clientAssertionSigningKey: await exportPKCS8(privateKey),
    clientAssertionSigningAlg: "ES256",
    clientSecret: undefined,
  } as const;
  const world = await startTwoProviders({
    options: own,
    globex: { ...own, pushedAuthorizationRequests: true },
    provider: { client: { jwks: { keys: [await exportJWK(publicKey)] } } },
  });
  // The second one lets the app send its codes and requests to the first one.
  const { first, second } = world;
  second.behave({
    metadata: (metadata) => ({
      ...metadata,
      token_endpoint: `${first.url}/token`,
      revocation_endpoint: `${first.url}/token`,
      pushed_authorization_request_endpoint: undefined,
    }),
  });
  world.serve({
    connections: { globex: { ...settingsAt(second), ...own, pushedAuthorizationRequests: false } },
  });
  const browser = world.browser();
  const answer = await signIn(world, browser, "/api/auth/login/globex");
  expect(answer.status).not.toBe(302);
  const [sent] = first.requestsTo("token");
  const { aud } = decodeJwt(sent?.form.get("client_assertion") ?? "");
  expect(aud).toBe(second.issuer);
});

test("credentials, verifier and nonce of a connection reach its own provider alone [MX-033]", async () => {
  const world = await startTwoProviders({
    options: { userinfo: "always" },
    globex: { userinfo: "always" },
  });
  const { first, second } = world;
  const nonces = new Map<string, string[]>();
  const path = { default: first, globex: second };
  const rounds = Array.from({ length: 40 }, (_, count) => (count % 3 === 0 ? "default" : "globex"));
  async function signInWith(id: string): Promise<void> {
    const browser = world.browser();
    const { login, returned } = await begin(world, browser, `/api/auth/login/${id}`);
    await arrive(browser, returned);
    const { searchParams } = new URL(login.location);
    const code = new URL(returned.url).searchParams.get("code") ?? "";
    nonces.set(id, [...(nonces.get(id) ?? []), searchParams.get("nonce") ?? "", code]);
  }
  await inParallel(rounds, signInWith, 4);
  const sentTo = ({ requests }: typeof first) =>
    requests
      .map(({ body, headers, query }) => `${body} ${JSON.stringify(headers)} ${query}`)
      .join();
  for (const [id, other] of [
    ["default", second],
    ["globex", first],
  ] as const) {
    const secrets = [path[id].client.id, path[id].client.secret, ...(nonces.get(id) ?? [])];
    const basic = btoa(`${encodeURIComponent(path[id].client.id)}:`).slice(0, 16);
    const seen = sentTo(other);
    expect([...secrets, basic].filter((each) => seen.includes(each))).toEqual([]);
    expect(sentTo(path[id])).toContain(path[id].client.id);
  }
});

describe("a connection that has changed since the login", () => {
  test.each([
    ["its client", { clientID: "another-client" }],
    ["its issuer", { issuerBaseURL: "https://elsewhere.example" }],
  ])("in %s gets no code: the user starts again [MX-036]", async (_, change) => {
    const world = await startTwoProviders();
    const browser = world.browser();
    const { returned } = await begin(world, browser, "/api/auth/login/globex?returnTo=/x");
    world.serve({ connections: { globex: { ...settingsAt(world.second), ...change } } });
    const refused = await arrive(browser, returned);
    expect(refused.status).toBe(400);
    expect(world.problems.at(-1)).toMatchObject({
      reason: "connection_mismatch",
      signInURL: expect.stringContaining("/api/auth/login/globex"),
    });
    expect([callsTo(world.first), callsTo(world.second)]).toEqual(ofNoCall);
    expect(await browser.cookies()).toBe("");
  });
});

test("a connection that uses the client of another one has its callback, and enforces its own organization [MX-035]", async () => {
  const world = await startTwoProviders({
    more: {
      beta: { uses: "default", organization: "org_beta" },
      gamma: { uses: "default", organization: "org_gamma" },
    },
  });
  const { first } = world;
  const claimsOf = (organization: string) => ({
    idToken: { claims: (claims: object) => ({ ...claims, org_id: organization }) },
  });
  const browser = world.browser();
  const beta = await begin(world, browser, "/api/auth/login/beta?returnTo=/beta");
  const gamma = await begin(world, browser, "/api/auth/login/gamma");
  expect(new URL(beta.login.location).searchParams.get("organization")).toBe("org_beta");
  expect(new URL(beta.returned.url).pathname).toBe(callback);
  first.behave(claimsOf("org_gamma"));
  const swapped = new URL(gamma.returned.url);
  swapped.searchParams.set("state", beta.state);
  await arrive(browser, { ...gamma.returned, url: swapped.href });
  // PKCE refuses the code of another sign-in before its organization is seen.
  expect(world.problems.at(-1)).toMatchObject({ reason: "code_rejected" });
  first.behave([claimsOf("org_gamma"), { ignoresPKCE: true }]);
  const again = await begin(world, browser, "/api/auth/login/beta?returnTo=/beta");
  await arrive(browser, again.returned);
  expect(world.problems.at(-1)).toMatchObject({ reason: "organization_mismatch" });
  first.behave(claimsOf("org_beta"));
  const good = await begin(world, browser, "/api/auth/login/beta?returnTo=/beta");
  expect((await arrive(browser, good.returned)).location).toBe(`${world.baseURL}/beta`);
});

test("a pending login of one host is refused at another, and stays [MX-028]", async () => {
  const [one, other] = ["https://app.example", "https://other.example"];
  const app = createQuickApp({ baseURL: [one, other] });
  const login = await app.auth.respond(
    quickRequest(other, "/api/auth/login"),
    () => new Response(),
  );
  const location = new URL(login.headers.get("location") ?? "");
  expect(location.searchParams.get("redirect_uri")).toBe(`${other}${callback}`);
  const [jar, state] = [
    jarAfter(login.headers.getSetCookie()),
    location.searchParams.get("state") ?? "",
  ];
  const code = app.provider.newCode(location.searchParams.get("nonce") ?? "");
  const query = new URLSearchParams({ code, state }).toString();
  const arriveAt = (origin: string) =>
    app.auth.respond(quickRequest(origin, `${callback}?${query}`, { jar }), () => new Response());
  const refused = await arriveAt(one);
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []]);
  expect(app.events.at(-1)).toMatchObject({ event: "refusal", reason: "connection_mismatch" });
  expect(cookieHeader(jar)).toContain("auth_verification");
  expect((await arriveAt(other)).headers.get("location")).toBe(`${other}/`);
});
