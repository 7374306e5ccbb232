import { expect, test } from "vitest";

import {
  type AuditOptions,
  type AuditRecord,
  createAudit,
  personHash,
} from "../../src/audit/index.ts";
import type { LogEvent } from "../../src/config/telemetry/log-event.ts";
import { logoutTokenFor, withHMAC } from "../worlds/signed-by-secret.ts";
import { startWorld, type WorldSettings } from "../worlds/world.ts";

const key = "a key of the audit, long enough";
const of = { issuer: "https://op.example", client: "client", key };

async function auditedWorld(
  options: Partial<AuditOptions> = {},
  stateful = true,
  settings: WorldSettings = {},
) {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const telemetry = createAudit({ ...of, instance: "one", write, ...options });
  const changes = { ...settings.options, telemetry, session: { stateful } };
  const world = await startWorld({ ...settings, options: changes });
  const records = () => lines.map((line): AuditRecord => JSON.parse(line));
  return { world, lines, records };
}

test("who signed in and out, when and by whom, is one line each [OP-130, OP-135]", async () => {
  const { world, records } = await auditedWorld();
  const browser = world.browser();
  await browser.signIn();
  await browser.open("/api/auth/logout");
  const [signIn, signOut] = records();
  const person = personHash(of.key, of.issuer, "person-ada");
  expect(signIn).toEqual({
    v: 1,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    id: expect.stringMatching(/^[\w-]{16}$/),
    action: "sign-in",
    outcome: "success",
    by: "self",
    person,
    session: expect.stringMatching(/^[\w-]{8}$/),
    providerSession: expect.stringMatching(/^[\w-]{43}$/),
    issuer: of.issuer,
    client: "client",
    instance: "one",
    version: expect.any(String),
  });
  expect(signOut).toMatchObject({
    action: "sign-out",
    outcome: "success",
    reason: "logout",
    by: "self",
    person,
  });
  expect(signOut?.session).toBe(signIn?.session);
  expect(signOut?.id).not.toBe(signIn?.id);
});

test("the end of a device is one line when it is asked for, with the time at which it takes effect, and one more where it is taken back [OP-135]", async () => {
  const { world, records } = await auditedWorld();
  const [here, there] = [world.browser(), world.browser()];
  await here.signIn();
  await there.signIn();
  await world.handle(here, async (its) => {
    await its.endDevices("others", { afterSeconds: 10 });
    await its.undoEnds();
    await its.endDevices("others", { afterSeconds: 10 });
  });
  world.advance(12);
  await there.request("/api/auth/me");
  const [, signIn, ...others] = records();
  const { session, person } = signIn ?? {};
  const base = { outcome: "success", by: "self", session, person };
  const effectiveAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/);
  expect(others).toMatchObject([
    { ...base, action: "sign-out", reason: "others", effectiveAt },
    { ...base, action: "sign-out-undone" },
    { ...base, action: "sign-out", reason: "others", effectiveAt },
  ]);
});

test("a session that was not used for too long is signed out by the system, once for requests that come together [OP-135]", async () => {
  const { world, records } = await auditedWorld({}, false);
  const browser = world.browser();
  await browser.signIn();
  world.advance(90_000);
  await Promise.all([browser.request("/private"), browser.request("/private")]);
  expect(records().slice(1)).toMatchObject([
    {
      action: "sign-out",
      outcome: "success",
      reason: "idle",
      by: "system",
      person: personHash(of.key, of.issuer, "person-ada"),
    },
  ]);
});

test("a session of which the store has nothing left is told by its id [OP-135]", async () => {
  const { world, records } = await auditedWorld();
  const browser = world.browser();
  await browser.signIn();
  world.advance(90_000);
  await Promise.all([browser.request("/private"), browser.request("/private")]);
  const [signIn, ...others] = records();
  expect(others).toMatchObject([{ action: "sign-out", session: signIn?.session, by: "system" }]);
});

test("a refused sign-in names its reason and the reference that the person was shown [OP-130]", async () => {
  const { world, records } = await auditedWorld();
  await world.browser().open("/api/auth/callback?code=x&state=y");
  expect(records()).toMatchObject([
    {
      action: "sign-in-refused",
      outcome: "failure",
      reason: expect.any(String),
      cause: expect.stringMatching(/^\w{4}-\w{4}$/),
    },
  ]);
});

test("no line holds a name, an address, a token or a cookie [OP-130]", async () => {
  const { world, lines } = await auditedWorld();
  const browser = world.browser();
  const { address, init } = await browser.untilCallback();
  await browser.open(address, init);
  const cookies = await browser.cookies();
  await browser.open("/api/auth/logout");
  const { searchParams } = new URL(address);
  const sent = [searchParams.get("code"), searchParams.get("state")];
  const secrets = [...sent, "person-ada", "ada@", "Ada"];
  for (const secret of [...secrets, ...cookies.split("; ").map((pair) => pair.split("=")[1])]) {
    expect(lines.join("\n")).not.toContain(secret);
  }
});

test("a logout token that names a session of the provider only is found from the sign-in of its person [OP-135]", async () => {
  const { world, records } = await auditedWorld({}, false, withHMAC);
  await world.browser().signIn();
  const told = world.events.find(({ event }) => event === "sign-in");
  const sid = told?.event === "sign-in" ? (told.sid ?? "") : "";
  await fetch(`${world.baseURL}/api/auth/backchannel-logout`, {
    method: "POST",
    body: new URLSearchParams({ logout_token: await logoutTokenFor(world, { sid }, "token-1") }),
  });
  const [signIn, ended] = records();
  expect(signIn?.providerSession).toMatch(/^[\w-]{43}$/);
  expect(ended).toMatchObject({
    action: "sessions-ended",
    reason: "backchannel",
    by: "provider",
    cause: "token-1",
    providerSession: signIn?.providerSession,
  });
});

test("an end in the list of devices names the session that asked for it [OP-135]", async () => {
  const { world, records } = await auditedWorld({}, true, {
    app: async (request, auth) => {
      await auth.of(request).endDevices("others");
      return new Response();
    },
  });
  const [one, other] = [world.browser(), world.browser()];
  await one.signIn();
  await other.signIn();
  const [first, second, ended] = records();
  expect(ended).toMatchObject({
    action: "sign-out",
    reason: "others",
    by: "self",
    person: first?.person,
    session: first?.session,
    cause: second?.session,
  });
});

test("a refresh that the provider refuses says why [OP-130]", async () => {
  const { world, records } = await auditedWorld({}, true, {
    options: { backchannelLogout: false },
    provider: { lifetimes: { accessToken: 30 } },
    app: async (request, auth) => new Response(await auth.of(request).accessToken().catch(String)),
  });
  const browser = world.browser();
  await browser.signIn();
  await world.provider.endSessions("person-ada");
  await browser.request("/private");
  expect(records().at(-1)).toMatchObject({
    action: "refresh-refused",
    outcome: "failure",
    by: "provider",
    reason: "code_rejected",
  });
});

test("who asked is told by option only, as the proxy has seen it [OP-130]", async () => {
  const quiet = await auditedWorld();
  const options = { clientAddressHeader: "X-Forwarded-For" };
  const telling = await auditedWorld({}, true, { options });
  const headers = { "x-forwarded-for": "forged, 192.0.2.7", "user-agent": "Test\u00ad/1" };
  for (const { world } of [quiet, telling]) {
    await world.browser().request("/api/auth/callback?code=x&state=y", { headers });
  }
  expect(quiet.records()[0]).not.toHaveProperty("ip");
  expect(quiet.records()[0]).not.toHaveProperty("agent");
  expect(telling.records()[0]).toMatchObject({ ip: "192.0.2.7", agent: "Test/1" });
  expect(telling.world.events.at(-1)?.client?.address).toBe("192.0.2.7");
});

const reason = "provider_timeout";

test.each<[LogEvent, Partial<AuditRecord>]>([
  [
    { event: "refusal", route: "login", reason, status: 500, reference: "ABCD-EFGH" },
    { action: "sign-in-refused", outcome: "failure", reason, by: "system", cause: "ABCD-EFGH" },
  ],
  [
    { event: "sign-out", reason: "logout", session: "of-somebody", pending: true },
    { action: "sign-out", outcome: "pending", reason: "logout", by: "self", session: "of-someb" },
  ],
  [
    { event: "sign-out-completed", reason: "logout", session: "of-somebody", pendingMs: 60_000 },
    { action: "sign-out", outcome: "success", reason: "logout", by: "system", session: "of-someb" },
  ],
  [
    { event: "key-ring-changed", outcome: "changed", keyIds: ["new", "old"] },
    { action: "key-ring-changed", outcome: "success", by: "system", cause: "new old" },
  ],
  [
    { event: "key-ring-changed", outcome: "refused", detail: "too short" },
    { action: "key-ring-changed", outcome: "failure", by: "system" },
  ],
])("what happens to sign-ins, sessions and keys is one line: %j [OP-130]", (event, record) => {
  const lines: string[] = [];
  createAudit({ ...of, write: (line) => lines.push(line) }).onEvent(event);
  const { v, time, id, issuer, client, version, ...told } = JSON.parse(lines.join()) as AuditRecord;
  expect({ v, issuer, client }).toEqual({ v: 1, issuer: of.issuer, client: of.client });
  expect([time, id, version].every(Boolean)).toBe(true);
  expect(told).toEqual(record);
});

test("a person is named where the option says so", async () => {
  const { world, records } = await auditedWorld({ person: "sub" });
  await world.browser().signIn();
  expect(records()[0]?.person).toBe("person-ada");
});

test("a key that could be guessed is refused", () => {
  expect(() => createAudit({ ...of, key: "short", write: () => {} })).toThrow(/16 characters/);
});
