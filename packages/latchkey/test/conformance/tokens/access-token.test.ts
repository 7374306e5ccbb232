import {
  type Behavior,
  type BehaviorName,
  behaviorNames,
  behaviorOf,
  type Conduct,
  hostileAudience,
  startHostileProvider,
} from "@latchkey/provider/hostile";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { api, type ApiOptions } from "../../../src/api/index.ts";
import { createAuth } from "../../../src/index.ts";
import { goodSettings } from "../../settings.ts";

const provider = await startHostileProvider();
afterAll(() => provider.close());
beforeEach(() => provider.behave("well"));

/** The status of a request with an access token to a new app, which has no keys yet. */
async function statusUnder(
  conduct: Conduct,
  { introspection = false }: Pick<ApiOptions, "introspection"> = {},
): Promise<number> {
  provider.behave(conduct);
  const auth = createAuth({
    ...goodSettings,
    issuerBaseURL: provider.issuer,
    clientID: provider.client.id,
    clientSecret: provider.client.secret,
    idTokenSigningAlg: provider.client.idTokenSigningAlg,
    httpTimeout: 500,
    log: () => undefined,
    api: api({ audience: hostileAudience, introspection }),
  });
  const token = introspection === false ? provider.mintAccessToken() : "opaque";
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request("https://app.example/api/data", { headers });
  return (await auth.respond(request, () => new Response("done"))).status;
}

test("a good provider's access tokens count, as JWTs and by introspection", async () => {
  expect(await statusUnder("well")).toBe(200);
  expect(await statusUnder("well", { introspection: true })).toBe(200);
});

/** Faults of a token's form, signature or key; what its claims say is another matter. */
function isOfForm(name: BehaviorName): boolean {
  const { behavior, needs } = behaviorOf(name);
  const { idToken, keySet, faults } = behavior;
  const isOfKeys = keySet !== undefined || name.startsWith("REL-F04/keys/");
  const isOfToken = idToken !== undefined && idToken.claims === undefined;
  return needs === undefined && (isOfToken || isOfKeys) && (faults === undefined || isOfKeys);
}

/** Types are the other way round, and no header holds a line break. */
const others: readonly BehaviorName[] = [
  "STD-086/access-token",
  "PROVIDERS/typ-JWT",
  "STD-081/whitespace",
];

describe("a faulty access token is refused, and so is one whose keys are faulty", () => {
  const faulty = behaviorNames.filter(isOfForm).filter((name) => !others.includes(name));

  test("there are many faults", () => {
    expect(faulty.length).toBeGreaterThan(80);
  });

  test.each(faulty)("%s", async (name) => {
    const status = await statusUnder(name);
    const { expect: outcome } = behaviorOf(name);
    const wanted = { refuse: [400, 401, 503], accept: [200] }[outcome as string];
    expect(wanted ?? [200, 401, 503]).toContain(status);
  });
});

describe("without a usable introspection a token is not checked, and counts by no mistake", () => {
  /** The faults of another endpoint, at this one. */
  const faulty = behaviorNames.flatMap((name): [string, Behavior, string][] => {
    const fault = behaviorOf(name).behavior.faults?.userinfo;
    const isSlow = /hang|slow|silence|flapping/.test(name);
    if (fault === undefined || isSlow || !name.startsWith("REL-F")) return [];
    return [[name.replace("/userinfo", ""), { faults: { introspection: fault } }, name]];
  });

  test.each(faulty)("%s", async (_, behavior, name) => {
    const status = await statusUnder(behavior, { introspection: true });
    const isHarmless = behaviorOf(name as BehaviorName).expect === "either";
    expect(isHarmless ? [200, 401, 503] : [401, 503]).toContain(status);
  });

  test.each([
    "REL-F01/hang/userinfo",
    "REL-F02/slow/userinfo",
    "REL-F02/silence/userinfo",
  ] as const)("%s", async (name) => {
    const introspection = behaviorOf(name).behavior.faults?.userinfo ?? { kind: "hang" };
    expect(await statusUnder({ faults: { introspection } }, { introspection: true })).toBe(503);
  });

  test.each<readonly [string, NonNullable<Behavior["introspection"]>]>([
    ["says that the token is not active", () => ({ active: false })],
    ["says so as text", (members) => ({ ...members, active: "true" })],
    ["speaks of another API", (members) => ({ ...members, aud: "https://other.example" })],
    ["names no API", (members) => ({ ...members, aud: undefined })],
    ["is of another issuer", (members) => ({ ...members, iss: "https://other.example" })],
    ["says that a refresh token is active", (members) => ({ ...members, token_type: "N_A" })],
    ["is about an expired token", (members) => ({ ...members, exp: 1 })],
    ["binds the token to a certificate", (members) => ({ ...members, cnf: { "x5t#S256": "a" } })],
  ])("an answer that %s is refused", async (_, introspection) => {
    expect(await statusUnder({ introspection }, { introspection: true })).toBe(401);
  });
});
