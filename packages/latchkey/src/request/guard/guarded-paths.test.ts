import { describe, expect, test } from "vitest";

import { goodSettings } from "../../../test/settings.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { optionsFromEnvironment } from "../../config/environment.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import { signedInCookies } from "../../testing/index.ts";

const own = "https://app.example";
const now = 1_800_000_000;
const options: Options = {
  ...goodSettings,
  publicPaths: ["/files/", "/open"],
  accessRules: {
    "/": { organization: "acme" },
    "/admin": { claim: { role: "admin" } },
    "/admin/keys/": (session) => session.user["level"] === 3,
    "/page.html": { claim: { role: "admin" } },
    "/files/secret/": { claim: { role: "admin" } },
  },
  log: () => undefined,
};
const auth = createAuth(options);
const page = () => new Response("the page");

async function statusOf(target: string, user: object | null): Promise<number> {
  const session = { user: { sub: "ada", org_name: "acme", ...user } };
  const cookie = user === null ? "" : await signedInCookies({ options, session });
  const request = new Request(own + target, { headers: { cookie, accept: "text/html" } });
  return (await auth.respond(request, page)).status;
}

const admin = { role: "admin" };

test.each([
  ["/admin", admin, 200],
  ["/admin", {}, 403],
  ["/admin/", {}, 403],
  ["/admin/people?x=1", {}, 403],
  ["/ADMIN/people", {}, 403],
  ["/x/../admin", {}, 403],
  ["/x/..%2fadmin", {}, 403],
  ["/%61dmin", {}, 403],
  ["//admin", {}, 403],
  ["//elsewhere/admin", {}, 403],
  ["/admin;x=1/people", {}, 403],
  ["/admin.html", {}, 403],
  ["/admin%2Ehtml", {}, 403],
  ["/admin.json", {}, 403],
  ["/admin.json?x=1", admin, 200],
  ["/ADMIN.XML/", {}, 403],
  ["/admin.", {}, 403],
  ["/admin%252ejson", {}, 403],
  ["/x/../admin.json", {}, 403],
  ["/admin/keys.tar.gz", admin, 403],
  ["/admin.json/x", {}, 200],
  ["/files/secret.json", null, 302],
  ["/open.json", null, 302],
  ["/page.html", {}, 403],
  ["/page.html", admin, 200],
  ["/administration", {}, 200],
  ["/reports", {}, 200],
  ["/reports", { org_name: "other" }, 403],
  ["/admin/keys", admin, 403],
  ["/admin/keys", { ...admin, level: 3 }, 200],
  ["/admin/keys", { level: 3 }, 403],
  ["/admin/%E2%84%AAeys", admin, 403],
  ["/admin/%EB%EYS", admin, 200],
  ["/files/%C5%BFecret", null, 302],
  ["/files/%EF%BD%93ecret", null, 302],
  ["/files/%C3%9Fecret", null, 200],
  ["/reports%00", admin, 403],
  ["/reports%00", { ...admin, level: 3 }, 200],
  ["/files/a.txt", null, 200],
  ["/open", null, 200],
  ["/files/secret/a.txt", null, 302],
  ["/files/secret/a.txt", {}, 403],
  ["/files/%73ecret/a.txt", {}, 403],
  ["/files/secret/a.txt", admin, 200],
  ["/admin", null, 302],
] as const)("%s with %j is answered %i [GW-044, GW-051]", async (target, user, status) => {
  expect(await statusOf(target, user)).toBe(status);
});

test.each([
  ["/shop/admin", 403],
  ["/SHOP/admin", 403],
  ["/%53hop/ADMIN", 403],
  ["/%C5%BFhop/admin", 403],
  ["//Shop/x/../admin.html", 403],
  ["/admin", 403],
  ["/shop/about", 200],
])("below the base path /shop, %s is answered %i [AD-008, AD-011]", async (target, status) => {
  const below = { ...options, baseURL: `${own}/shop`, accessRules: { "/admin": () => false } };
  const cookie = await signedInCookies({ options: below, session: { user: { sub: "ada" } } });
  const request = new Request(own + target, { headers: { cookie, accept: "text/html" } });
  const response = await createAuth(below).respond(request, page);
  expect(response.status).toBe(status);
});

test.each([
  [{ authTime: now - 60, acr: "mfa" }, 200],
  [{ authTime: now - 600, acr: "mfa" }, 302],
  [{ authTime: now - 60, acr: "pwd" }, 302],
  [{ acr: "mfa" }, 302],
])("a path that needs two factors within 5 minutes answers %j with %i", async (proof, status) => {
  const rules = { "/payments": { maxAge: 300, acr: ["mfa", "phr"] } };
  const strict = { ...options, accessRules: rules, clockTolerance: 0, clock: () => now * 1000 };
  const session = { user: { sub: "ada" } };
  const cookie = await signedInCookies({ options: strict, session, proof });
  const request = new Request(`${own}/payments`, { headers: { cookie, accept: "text/html" } });
  const response = await createAuth(strict).respond(request, page);
  expect(response.status).toBe(status);
});

describe("a 403 of a path's rule", () => {
  async function refused(accept: string): Promise<Response> {
    const session = { user: { sub: "ada", org_name: "acme" } };
    const headers = { cookie: await signedInCookies({ options, session }), accept };
    const request = new Request(`${own}/admin?tab=2`, { headers });
    return auth.respond(request, page);
  }

  test("says in words what is missing, and offers another account and the way back [GW-048]", async () => {
    const text = await (await refused("text/html")).text();
    expect(text).toContain("It is for users who have role: admin.");
    expect(text).toContain(
      `${own}/api/auth/login?returnTo=%2Fadmin%3Ftab%3D2&amp;prompt=select_account`,
    );
  });

  test("sends a script the parts that do not hold [GW-048]", async () => {
    expect(await (await refused("application/json")).json()).toMatchObject({
      error: "ERR_FORBIDDEN",
      description: "The user may not do this. It is for users who have role: admin.",
      unmet: [{ part: "claim", name: "role", required: ["admin"] }],
    });
  });
});

test("the log names the rule and what the user has instead, and no user [GW-048]", async () => {
  const events: LogEvent[] = [];
  const logged = { ...options, log: (event: LogEvent) => void events.push(event) };
  const session = { user: { sub: "ada", org_name: "other" } };
  const cookie = await signedInCookies({ options: logged, session });
  const request = new Request(`${own}/admin`, { headers: { cookie, accept: "text/html" } });
  await createAuth(logged).respond(request, page);
  expect(events.find(({ event }) => event === "refusal")).toMatchObject({
    route: "guard",
    reason: "forbidden",
    status: 403,
    detail:
      "organization acme (the user has other); claim role admin (the user has no role, but sub, org_name)",
  });
});

describe("rules in the environment", () => {
  const authWith = (rules: string) =>
    createAuth({ ...options, ...optionsFromEnvironment({ LATCHKEY_ACCESS_RULES: rules }).options });

  test("count like those in code [AD-030]", async () => {
    const signIn = authWith('{ "/admin": { "claim": { "role": ["admin", "owner"] } } }');
    await signIn.ready();
    const statusFor = async (role: string) => {
      const session = { user: { sub: "ada", role } };
      const cookie = await signedInCookies({ options, session });
      const request = new Request(`${own}/admin/keys`, { headers: { cookie } });
      return (await signIn.respond(request, page)).status;
    };
    expect([await statusFor("owner"), await statusFor("guest")]).toEqual([200, 403]);
  });

  test.each([
    ["{", "accessRules: must be an object of paths and their rules; in the variable, as JSON"],
    ['["/admin"]', "accessRules: must be an object of paths and their rules"],
    ["null", "accessRules: must be an object of paths and their rules"],
    ['"/admin"', "accessRules: must be an object of paths and their rules"],
    ['{ "admin": {} }', 'accessRules["admin"]: must be a path of the app'],
    ['{ "/admin": { "rolle": "admin" } }', 'accessRules["/admin"]: This is no access rule: rolle'],
    ['{ "/admin": null }', 'accessRules["/admin"]: This is no access rule'],
    ['{ "/admin": { "claim": { "__proto__": "x" } } }', 'accessRules["/admin"]: This is no access'],
  ])(
    "stop the start if they are invalid, and name the variable: %s [AD-039]",
    async (rules, message) => {
      const wrong = authWith(rules);
      await expect(wrong.ready()).rejects.toThrow(`LATCHKEY_ACCESS_RULES / ${message}`);
      const response = await wrong.respond(new Request(`${own}/open`), page);
      expect(response.status).toBe(500);
    },
  );
});

test.each([
  [async () => true, "is an async function: its promise admits no user"],
  [Promise.resolve({ claim: { role: "admin" } }), "it is a promise; await it first"],
])("a promise as a rule stops the start, and is named", async (rule, message) => {
  const wrong = createAuth({ ...options, accessRules: { "/admin": rule as never } });
  await expect(wrong.ready()).rejects.toThrow(message);
});

test("a rule that returns a promise admits no user, and is named once in the log", async () => {
  const events: LogEvent[] = [];
  const accessRules = { "/admin": () => Promise.resolve(true) as unknown as boolean };
  const log = (event: LogEvent) => void events.push(event);
  const careless = createAuth({ ...options, accessRules, log });
  const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
  for (const target of ["/admin", "/admin/keys"]) {
    const request = new Request(own + target, { headers: { cookie } });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await careless.respond(request, page)).status).toBe(403);
  }
  const warned = events.filter(
    (event) => event.event === "warning" && event.message.includes("access rule"),
  );
  expect(warned).toMatchObject([{ message: expect.stringContaining("returned a promise") }]);
});

test("invalid rules stop the start, and admit no user", async () => {
  const accessRules = { "/admin": { rolle: "admin" } as object };
  const wrong = createAuth({ ...options, accessRules });
  await expect(wrong.ready()).rejects.toThrow('accessRules["/admin"]: This is no access rule');
  const response = await wrong.respond(new Request(`${own}/open`), page);
  expect(response.status).toBe(500);
});
