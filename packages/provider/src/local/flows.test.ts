import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, test } from "vitest";
import { createProviderBrowser } from "../../test/browser.ts";
import { clientCredentials, makeClientKey } from "../../test/client-credentials.ts";
import type { Tokens } from "../../test/sign-in.ts";
import {
  authorizationRequest,
  clientOf,
  exchange,
  signInAs,
  tokensOf,
  verifyToken,
} from "../../test/sign-in.ts";
import type { ProviderSettings, RunningProvider, SigningAlgorithm } from "../index.ts";
import { startProvider } from "../index.ts";

let running: RunningProvider | undefined;

async function start(settings: ProviderSettings): Promise<RunningProvider> {
  running = await startProvider(settings);
  return running;
}

afterEach(() => running?.close());

describe("discovery", () => {
  async function metadataFor(host: string) {
    const { issuer } = await start({});
    const asked = request(`${issuer}/.well-known/openid-configuration`, { headers: { host } });
    const [response] = (await once(asked.end(), "response")) as [IncomingMessage];
    return { issuer, status: response.statusCode, body: await text(response) };
  }

  it.each(["127.0.0.1", "localhost:1", "[::1]:4000"])(
    "names the endpoints of the issuer, even if a client sends the host %s",
    async (host) => {
      const { issuer, status, body } = await metadataFor(host);
      expect([status, JSON.parse(body).token_endpoint]).toEqual([200, `${issuer}/token`]);
    },
  );

  it.each(["evil.example", "localhost.evil.example:4000", 'evil"><script>', "127.0.0.1.nip.io"])(
    "is refused for the host %s, whose page could read the answer",
    async (host) => {
      const { status, body } = await metadataFor(host);
      expect([status, body]).toEqual([421, "This host is not served here.\n"]);
    },
  );
});

describe("response types with an ID token in the authorization response", () => {
  it.each([
    ["code id_token", "http://localhost:3000"],
    ["id_token", "http://localhost:3000"],
    ["code id_token", "https://localhost:3443"],
  ])("posts the response for %s by a form to %s", async (responseType, appURL) => {
    const provider = await start({ appURL });
    const { stop, nonce } = await signInAs(provider, "person-ada", {
      response_type: responseType,
      response_mode: "form_post",
    });
    expect(stop.url.href).toBe(`${appURL}/api/auth/callback`);
    const answer = Object.fromEntries(new URLSearchParams(stop.text));
    const { claims } = await verifyToken(provider, answer["id_token"]);
    expect(claims).toMatchObject({ sub: "person-ada", nonce, email: "ada@example.com" });
    expect("c_hash" in claims).toBe(responseType === "code id_token");
    expect("code" in answer).toBe(responseType === "code id_token");
  });
});

describe("the ID token", () => {
  it.each<SigningAlgorithm>(["RS256", "PS256", "ES256", "EdDSA", "HS256"])(
    "is signed with %s when the client requests it",
    async (alg) => {
      const provider = await start({ client: { idTokenSigningAlg: alg } });
      const tokens = await exchange(provider, await signInAs(provider, "person-ada"));
      const { header } = await verifyToken(provider, tokens.id_token);
      expect(header.alg).toBe(alg);
    },
  );
});

describe("claims", () => {
  it("come from userinfo only when `claimsIn` is `userinfo`", async () => {
    const provider = await start({ claimsIn: "userinfo" });
    const tokens = await exchange(provider, await signInAs(provider, "person-ada"));
    const { claims } = await verifyToken(provider, tokens.id_token);
    expect(claims).not.toHaveProperty("name");
    expect(claims).toMatchObject({ sub: "person-ada", org_id: "org_harbour" });
    const answer = await userinfo(provider, tokens);
    expect(await answer.json()).toMatchObject({ sub: "person-ada", name: "Ada Okafor" });
  });

  it("come as a signed JWT for a client with `userinfoSigningAlg`", async () => {
    const provider = await start({ client: { userinfoSigningAlg: "ES256" } });
    const tokens = await exchange(provider, await signInAs(provider, "person-ada"));
    const answer = await userinfo(provider, tokens);
    expect(answer.headers.get("content-type")).toMatch(/^application\/jwt/u);
    const { claims } = await verifyToken(provider, await answer.text());
    expect(claims).toMatchObject({ sub: "person-ada", name: "Ada Okafor" });
  });

  it("come from the users in the settings", async () => {
    const users = [{ sub: "x1", name: "Xenia", email: "x@example.com", roles: ["admin"] }];
    const provider = await start({ users });
    const tokens = await exchange(provider, await signInAs(provider, "x1"));
    const { claims } = await verifyToken(provider, tokens.id_token);
    expect(claims).toMatchObject({ sub: "x1", roles: ["admin"] });
  });
});

function userinfo(provider: RunningProvider, tokens: Tokens): Promise<Response> {
  return fetch(new URL("/me", provider.url), {
    headers: { authorization: `Bearer ${tokens.access_token ?? ""}` },
  });
}

describe("client authentication", () => {
  it.each(["client_secret_post", "client_secret_jwt", "private_key_jwt"] as const)(
    "accepts %s with the credentials of the client only",
    async (authMethod) => {
      const clientKey = await makeClientKey();
      const provider = await start({ client: { authMethod, jwks: clientKey.jwks } });
      const { id, secret = "" } = clientOf(provider);
      const strangers = { secret: `${secret}x`, key: await makeClientKey() };
      for (const [given, isTaken] of [
        [{ secret, key: clientKey }, true],
        [strangers, false],
      ] as const) {
        const client = { id, secret: given.secret };
        const { form } = await clientCredentials(authMethod, client, provider.issuer, given.key);
        const tokens = await exchangeWith(provider, Object.fromEntries(form));
        expect([tokens.id_token !== undefined, tokens.error]).toEqual([
          isTaken,
          isTaken ? undefined : "invalid_client",
        ]);
      }
    },
  );
});

async function exchangeWith(
  provider: RunningProvider,
  credentials: Record<string, string>,
): Promise<Tokens> {
  const { stop, verifier } = await signInAs(provider, "person-ada");
  const response = await fetch(new URL("/token", provider.url), {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: stop.url.searchParams.get("code") ?? "",
      redirect_uri: clientOf(provider).redirectURIs[0] ?? "",
      code_verifier: verifier,
      ...credentials,
    }),
  });
  return tokensOf(response);
}

describe("the front page", () => {
  it("links to the application and to a sign-in from the provider", async () => {
    const provider = await start({});
    const { text: html } = await createProviderBrowser(provider.url).open(provider.url);
    const address = `http://localhost:3000/api/auth/login?iss=${encodeURIComponent(provider.issuer)}`;
    expect(html).toContain(`href="${address}"`);
    expect(html).toContain('<a href="http://localhost:3000/">localhost:3000</a>');
  });
});

describe("the request log", () => {
  it("records every request with the status of its response", async () => {
    const provider = await start({});
    await createProviderBrowser(provider.url).open(authorizationRequest(provider).url);
    expect(provider.requests.map(({ path, status }) => [path.split("/")[1], status])).toEqual([
      ["auth", 303],
      ["interaction", 200],
    ]);
    provider.clearRequests();
    expect(provider.requests).toEqual([]);
  });
});

test("a provider that is down breaks connections off until it is up again", async () => {
  const provider = await start({});
  provider.setDown(true);
  await expect(fetch(provider.url)).rejects.toThrow("fetch failed");
  provider.setDown(false);
  expect((await fetch(provider.url)).status).toBe(200);
});
