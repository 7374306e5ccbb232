import type { Entry } from "@latchkey/provider/hostile";
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import type { Options } from "../../../src/index.ts";
import { type Attempt, signIn } from "../world/attempt.ts";
import {
  type ResponseType,
  responseTypes,
  signInUnder,
  titledCases,
} from "../world/behaviour-cases.ts";
import { notFound, startHostileWorld } from "../world/hostile-world.ts";
import { expectRefused, expectSignedIn } from "../world/oracles.ts";
import { logsStayQuiet } from "../world/quiet-logs.ts";

const world = await startHostileWorld();

const withCode: readonly ResponseType[] = ["code", "code id_token"];

function isAboutTokens(name: string, { behaviour }: Entry): boolean {
  const { tokenResponse, faults, authMethod, rawBasic, ignoresPKCE } = behaviour;
  const concerns = tokenResponse ?? authMethod ?? rawBasic ?? ignoresPKCE;
  const isAnswer = faults?.token !== undefined && !name.startsWith("REL-");
  return concerns !== undefined || isAnswer || name.startsWith("CERT-020");
}

const cases = titledCases(isAboutTokens, withCode);

describe("a token response is refused, and userinfo not asked, when the provider", () => {
  test.each(cases("refuse"))("%s", async (_, each) => {
    expectRefused(world, await signInUnder(world, each));
  });
});

describe("a token response is taken when the provider", () => {
  test.each(cases("accept"))("%s", async (_, each) => {
    await expectSignedIn(world, await signInUnder(world, each));
    expect(world.provider.complaints).toEqual([]);
  });
});

describe("a token response is taken or refused, and nothing breaks, when the provider", () => {
  test.each(cases("either"))("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    if (attempt.callback?.answer.status === 400) expectRefused(world, attempt);
    else await expectSignedIn(world, attempt);
  });
});

async function goodSignIn(responseType: ResponseType, options: Partial<Options> = {}) {
  world.setUp({ options: { responseType, ...options } });
  world.provider.resetLog();
  const attempt = await signIn(world);
  await expectSignedIn(world, attempt);
  return attempt;
}

function asked({ login }: Attempt): URLSearchParams {
  return new URL(login.location).searchParams;
}

describe("an authorization request", () => {
  test.each(responseTypes)(
    "with response type %s names client, response type, openid and exactly the registered address, once each [CERT-001, CERT-002, CERT-003, CERT-011]",
    async (responseType) => {
      const parameters = asked(await goodSignIn(responseType));
      const names = [...parameters.keys()];
      expect(new Set(names).size).toBe(names.length);
      expect(Object.fromEntries(parameters)).toMatchObject({
        client_id: world.provider.client.id,
        response_type: responseType,
        redirect_uri: `${world.baseURL}/api/auth/callback`,
        scope: "openid profile email",
      });
      expect(world.provider.complaints).toEqual([]);
    },
  );
});

describe("PKCE", () => {
  test.each(withCode)(
    "with response type %s has a verifier of 43 characters, whose S256 challenge was sent, and which goes to the token endpoint once and nowhere else (RFC 7636, 4.1 and 4.5) [CERT-005, CERT-006, STD-060, STD-062]",
    async (responseType) => {
      const attempt = await goodSignIn(responseType);
      const [token, ...more] = world.provider.requestsTo("token");
      expect(more).toEqual([]);
      const verifier = token?.form.get("code_verifier") ?? "";
      expect(verifier).toMatch(/^[\w-]{43}$/);
      expect(asked(attempt).get("code_challenge_method")).toBe("S256");
      expect(asked(attempt).get("code_challenge")).toBe(challengeOf(verifier));
      expect(token?.form.get("redirect_uri")).toBe(asked(attempt).get("redirect_uri"));
      const everywhere = world.provider.requests.map((each) => JSON.stringify(each)).join("\n");
      expect(everywhere.split(verifier)).toHaveLength(2);
      expect(`${attempt.login.location} ${attempt.callback?.answer.location}`).not.toContain(
        verifier,
      );
    },
  );

  test("and state and nonce come with 256 bits, none of them twice in 10,000 logins (RFC 9700, 2.1.1) [STD-043, ASVS-11.5.1]", async () => {
    const auth = world.setUp();
    const seen = { state: new Set(), nonce: new Set(), code_challenge: new Set() };
    for (let count = 0; count < 10_000; count += 1) {
      // Timers run meanwhile: else the next test is given a connection that its server has closed.
      if (count % 100 === 0) await nextTurn();
      const answer = await auth.respond(new Request(`${world.baseURL}/api/auth/login`), notFound);
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      for (const name of ["state", "nonce", "code_challenge"] as const) {
        const value = searchParams.get(name) ?? "";
        if (Buffer.from(value, "base64url").length >= 32) seen[name].add(value);
      }
    }
    expect([seen.state.size, seen.nonce.size, seen.code_challenge.size]).toEqual([
      10_000, 10_000, 10_000,
    ]);
  });
});

describe("client authentication", () => {
  const assertion = ["client_assertion", "client_assertion_type"];
  const shown = {
    client_secret_basic: { authorization: true, form: [] },
    client_secret_post: { authorization: false, form: ["client_id", "client_secret"] },
    client_secret_jwt: { authorization: false, form: assertion },
    private_key_jwt: { authorization: false, form: assertion },
  } satisfies Record<string, { authorization: boolean; form: readonly string[] }>;

  test.each(Object.keys(shown) as (keyof typeof shown)[])(
    "uses exactly %s, and no other method with it (RFC 9700, 2.5) [CERT-007, CERT-021, CERT-092, STD-057]",
    async (method) => {
      const isPost =
        method === "client_secret_basic" ? "CERT-021" : (`CERT-092/${method}` as const);
      world.provider.resetLog();
      await expectSignedIn(world, await signInUnder(world, { name: isPost, responseType: "code" }));
      const [token] = world.provider.requestsTo("token");
      const { authorization, form }: { authorization: boolean; form: readonly string[] } =
        shown[method];
      expect(token?.headers.authorization !== undefined).toBe(authorization);
      for (const name of form) expect(token?.form.has(name)).toBe(true);
      for (const name of ["client_secret", ...assertion]) {
        expect([name, token?.form.has(name)]).toEqual([name, form.includes(name)]);
      }
    },
  );
});

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

describe("a pushed authorization request", () => {
  const pushed = titledCases((name) => /^STD-(?:068|069|070|072)/.test(name), ["code"]);

  test.each(pushed("login-fails"))("that fails sends nobody anywhere: %s", async (_, each) => {
    const before = world.events.length;
    world.provider.resetLog();
    const { login } = await signInUnder(world, each);
    const status = each.name.endsWith("429") ? 503 : 500;
    expect([login.status, login.location]).toEqual([status, ""]);
    expect(login.headers.getSetCookie()).toEqual([]);
    const refusals = world.events.slice(before).filter(({ event }) => event === "refusal");
    expect(refusals).toMatchObject([{ route: "login", status }]);
    expect(world.provider.requestsTo("authorization")).toEqual([]);
  });

  test.each(pushed("accept"))(
    "that succeeds leaves client and reference alone to the browser: %s (RFC 9126, 4) [STD-071]",
    async (_, each) => {
      world.provider.resetLog();
      const attempt = await signInUnder(world, each);
      await expectSignedIn(world, attempt);
      expect([...asked(attempt).keys()].toSorted()).toEqual(["client_id", "request_uri"]);
      const [request, ...more] = world.provider.requestsTo("pushed");
      expect(more).toEqual([]);
      expect([request?.method, request?.form.has("request_uri")]).toEqual(["POST", false]);
      expect(request?.headers.authorization).toMatch(/^Basic /);
      expect(world.provider.complaints).toEqual([]);
    },
  );

  test("is made anew for each person and each try (RFC 9126, 4) [STD-071]", async () => {
    world.setUp({ options: { pushedAuthorizationRequests: true } });
    const references = new Set<string | null>();
    for (let count = 0; count < 20; count += 1) {
      const { location } = await world.browser().request("/api/auth/login");
      references.add(new URL(location).searchParams.get("request_uri"));
    }
    expect(references.size).toBe(20);
  });

  test("is made also where only the provider demands it, and fails where there is no endpoint (RFC 9126, 5) [STD-072]", async () => {
    world.setUp({
      conduct: {
        metadata: ({ pushed_authorization_request_endpoint: _gone, ...own }) => ({
          ...own,
          require_pushed_authorization_requests: true,
        }),
      },
    });
    const login = await world.browser().request("/api/auth/login");
    expect([login.status, login.location]).toEqual([500, ""]);
  });
});

logsStayQuiet(world);
