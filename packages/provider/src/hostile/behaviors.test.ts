import type { JWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClientKey } from "../../test/client-credentials.ts";
import { makeClientKey } from "../../test/client-credentials.ts";
import { judgeLogoutToken } from "../../test/judge-token.ts";
import type { Report } from "../../test/strict-relying-party.ts";
import { signInStrictly } from "../../test/strict-relying-party.ts";
import type { BehaviorName, Entry, Expectation, HostileProvider } from "./index.ts";
import { behaviorNames, behaviorOf, startHostileProvider } from "./index.ts";

let provider: HostileProvider;
let clientKey: ClientKey;

beforeAll(async () => {
  clientKey = await makeClientKey();
  provider = await startHostileProvider({ client: { jwks: clientKey.jwks } });
});

afterAll(() => provider.close());

/** Milliseconds to wait: few for the endpoint that never responds, many for the others. */
function timeoutOf(name: string): (endpoint: string) => number {
  const [, endpoint] = /^REL-F0[12]\/\w+\/(\w+)$/u.exec(name) ?? [];
  return (called) => (called === endpoint ? 80 : 5000);
}

async function observe(name: BehaviorName | "well", entry: Entry): Promise<Report> {
  const { needs = {}, behavior } = entry;
  const options = {
    ...needs,
    alg: behavior.alg ?? "RS256",
    authMethod: behavior.authMethod ?? "client_secret_basic",
    clientKey,
    timeoutMs: timeoutOf(name),
  };
  provider.behave(needs.secondSignIn ? "well" : name);
  if (needs.secondSignIn) await signInStrictly(provider, options);
  provider.resetLog();
  provider.behave(name);
  return signInStrictly(provider, options);
}

function withExpectation(...wanted: readonly Expectation[]): readonly BehaviorName[] {
  return behaviorNames.filter((name) => wanted.includes(behaviorOf(name).expect));
}

function stages(report: Report): readonly string[] {
  return [...new Set(report.faults.map(({ stage }) => stage))];
}

describe("a well-behaved provider", () => {
  it.each(["code", "code id_token", "id_token"] as const)(
    "shows a strict relying party no fault with %s",
    async (responseType) => {
      const entry = { says: "", expect: "accept", needs: { responseType }, behavior: {} } as const;
      const { faults } = await observe("well", entry);
      expect(faults).toEqual([]);
      expect(provider.complaints).toEqual([]);
    },
  );
});

describe.each<[Expectation, string]>([
  ["refuse", "callback"],
  ["login-fails", "login"],
  ["refresh-fails", "refresh"],
  ["userinfo-discarded", "userinfo"],
])("a behavior to %s", (expectation, stage) => {
  it.each(withExpectation(expectation))(
    "%s has a fault at its stage and none before",
    async (name) => {
      const report = await observe(name, behaviorOf(name));
      expect(stages(report)).toContain(stage);
      const before = { login: [], callback: ["login"], userinfo: ["login", "callback"] }[stage] ?? [
        "login",
        "callback",
        "userinfo",
      ];
      for (const earlier of before) expect(stages(report)).not.toContain(earlier);
    },
  );
});

describe("a behavior to accept", () => {
  const names = withExpectation("accept", "refresh-succeeds");

  it.each(names.filter((name) => !changesResponse(name)))("%s has no fault", async (name) => {
    const { faults } = await observe(name, behaviorOf(name));
    expect(faults).toEqual([]);
  });

  it.each(names.filter(changesResponse))(
    "%s has no fault, and changes a response of the provider",
    async (name) => {
      const { faults } = await expectChange(name);
      expect(faults).toEqual([]);
    },
  );
});

describe("a behavior to treat either way", () => {
  it.each(withExpectation("either").filter(changesResponse))(
    "%s changes a response of the provider",
    async (name) => void (await expectChange(name)),
  );
});

async function expectChange(name: BehaviorName): Promise<Report> {
  const entry = behaviorOf(name);
  const good = await goodShape(entry);
  const odd = await observe(name, entry);
  expect(shape(odd)).not.toEqual(good);
  if (entry.behavior.newKeys !== undefined) goodShapes.clear();
  return odd;
}

/** The shapes of good sign-ins by their needs: all that is the same while the keys are. */
const goodShapes = new Map<string, unknown>();

async function goodShape(entry: Entry): Promise<unknown> {
  const key = JSON.stringify(entry.needs);
  const known = goodShapes.get(key) ?? shape(await observe("well", { ...entry, behavior: {} }));
  goodShapes.set(key, known);
  return known;
}

/** Whether a behavior changes a response during sign-in. */
function changesResponse(name: BehaviorName): boolean {
  const { logoutToken, authMethod, rawBasic, alg, ...others } = behaviorOf(name).behavior;
  if (logoutToken !== undefined || authMethod !== undefined || rawBasic) return false;
  return (alg !== undefined && alg !== "RS256") || Object.keys(others).length > 0;
}

describe("a logout token", () => {
  const judge = async (name: BehaviorName) => {
    provider.behave(name);
    const { client, issuer } = provider;
    return judgeLogoutToken(provider.mintLogoutToken(), {
      issuer,
      clientID: client.id,
      secret: client.secret,
      alg: behaviorOf(name).behavior.alg ?? "RS256",
      keys: await publishedKeys(),
      nowSeconds: Math.floor(Date.now() / 1000),
    });
  };

  it.each(withExpectation("logout-refused"))("%s has a fault", async (name) => {
    expect((await judge(name)).faults).not.toEqual([]);
  });

  it.each(withExpectation("logout-accepted"))("%s has no fault", async (name) => {
    expect((await judge(name)).faults).toEqual([]);
  });
});

async function publishedKeys(): Promise<readonly JWK[]> {
  const body: { readonly keys?: unknown } = Object(
    await (await fetch(`${provider.issuer}/keys`)).json(),
  );
  return Array.isArray(body.keys) ? body.keys : [];
}

/** A report without values of a single sign-in; times become relative. */
function shape(report: Report): unknown {
  const now = Date.now() / 1000;
  return JSON.parse(
    JSON.stringify(report, (key, value: unknown) => {
      if (["kid", "nonce", "at_hash", "sid"].includes(key) || key.endsWith("_token")) {
        return typeof value;
      }
      const isTime = typeof value === "number" && value > 1e9 && value < 1e10;
      return isTime ? `about ${Math.round((value - now) / 30) * 30} s from now` : value;
    }),
  );
}
