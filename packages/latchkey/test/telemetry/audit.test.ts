import { expect, test } from "vitest";

import { ConfigError } from "../../src/errors/config-error.ts";
import {
  type AuditOptions,
  type AuditRecord,
  createAudit,
  personHash,
} from "../../src/audit/index.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
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

test("the audit records each sign-in and sign-out with time and actor in one line [OP-130, OP-135]", async () => {
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
    session: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
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

test("the audit writes each record on one line, also for readers with line breaks at U+0085, U+2028 and U+2029", () => {
  const lines: string[] = [];
  const { onEvent } = createAudit({ ...of, instance: "one", write: (line) => lines.push(line) });
  const userAgent = "a\u0085b\u2028c\u2029d";
  onEvent({ event: "sign-in", issuer: of.issuer, sub: "ada", client: { address: "", userAgent } });
  const [line = ""] = lines;
  expect(line.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(1);
  expect(JSON.parse(line)).toMatchObject({ agent: userAgent });
});

test("the audit records the system as actor when an idle session ends, once for concurrent requests [OP-135]", async () => {
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

test("the audit records the id of a session with no data left in the store [OP-135]", async () => {
  const { world, records } = await auditedWorld();
  const browser = world.browser();
  await browser.signIn();
  world.advance(90_000);
  await Promise.all([browser.request("/private"), browser.request("/private")]);
  const [signIn, ...others] = records();
  expect(others).toMatchObject([{ action: "sign-out", session: signIn?.session, by: "system" }]);
});

test("the audit records reason and reference of a rejected sign-in, as shown to the user [OP-130]", async () => {
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

test("the audit contains no name, address, token or cookie [OP-130]", async () => {
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

test("the audit finds the user of a logout token with only a session id of the provider in the record of the sign-in [OP-135]", async () => {
  const { world, records } = await auditedWorld({}, false, withHMAC);
  await world.browser().signIn();
  const signInEvent = world.events.find(({ event }) => event === "sign-in");
  const sid = signInEvent?.event === "sign-in" ? (signInEvent.sid ?? "") : "";
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

test("the audit records the session from which the user ended another device [OP-135]", async () => {
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

test("the audit records the reason for a refresh rejected by the provider [OP-130]", async () => {
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

test("the audit records the client's address only by option, as seen by the proxy [OP-130]", async () => {
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
    { event: "sign-out", reason: "logout", session: "session-of-ada", pending: true },
    { action: "sign-out", outcome: "pending", reason: "logout", by: "self", session: "VDVV-HQPH" },
  ],
  [
    { event: "sign-out-completed", reason: "logout", session: "session-of-ada", pendingMs: 60_000 },
    {
      action: "sign-out",
      outcome: "success",
      reason: "logout",
      by: "system",
      session: "VDVV-HQPH",
    },
  ],
  [
    { event: "key-ring-changed", outcome: "changed", keyIds: ["new", "old"] },
    { action: "key-ring-changed", outcome: "success", by: "system", cause: "new old" },
  ],
  [
    { event: "key-ring-changed", outcome: "refused", detail: "too short" },
    { action: "key-ring-changed", outcome: "failure", by: "system" },
  ],
])(
  "the audit records an event of sign-ins, sessions and keys in one line: %j [OP-130]",
  (event, record) => {
    const lines: string[] = [];
    createAudit({ ...of, write: (line) => lines.push(line) }).onEvent(event);
    const { v, time, id, issuer, client, version, ...rest } = JSON.parse(
      lines.join(),
    ) as AuditRecord;
    expect({ v, issuer, client }).toEqual({ v: 1, issuer: of.issuer, client: of.client });
    expect([time, id, version].every(Boolean)).toBe(true);
    expect(rest).toEqual(record);
  },
);

test("the audit records the name of a user if the option requires it", async () => {
  const { world, records } = await auditedWorld({ person: "sub" });
  await world.browser().signIn();
  expect(records()[0]?.person).toBe("person-ada");
});

test("an audit reports every fault of its options, and shows no key", () => {
  const options = { ...of, key: "short", person: "name", writes: () => {} };
  expect(() => createAudit(options as unknown as AuditOptions)).toThrow(
    new ConfigError([
      {
        option: "audit.write",
        variable: "",
        message: "is required",
        remedy: "Change it where createAudit() is called.",
      },
      {
        option: "audit.key",
        variable: "",
        message: "must have at least 16 characters",
        remedy: "Pass a random text: with a short one, hashes of people could be guessed.",
      },
      {
        option: "audit.person",
        variable: "",
        message: "must be hash or sub",
        seen: "name",
        remedy: "Change it where createAudit() is called.",
      },
      {
        option: "audit.writes",
        variable: "",
        message: "is not an option",
        remedy: "Did you mean write?",
      },
    ]),
  );
});
