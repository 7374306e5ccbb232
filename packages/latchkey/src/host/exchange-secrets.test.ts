import { generateKeyPairSync } from "node:crypto";

import { expect, test, vi } from "vitest";

import { createAuth, type Options } from "./auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import type { SecretsObserver } from "../config/code-options.ts";
import { goodSettings } from "../../test/settings.ts";
import { signedInCookies } from "../testing/index.ts";

const [oldSecret, newSecret] = ["old-".repeat(8), "new-".repeat(8)];

function signingKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

/** An app with secrets which change while it runs. */
async function runningApp(more: Partial<Options> = {}) {
  const events: LogEvent[] = [];
  let observer: SecretsObserver | undefined;
  const auth = createAuth({
    ...goodSettings,
    secret: oldSecret,
    watchSecrets: (given) => {
      observer = given;
      return () => {};
    },
    log: (event) => events.push(event),
    ...more,
  });
  await auth.ready();
  const statusWith = async (secret: string) => {
    const options = { ...goodSettings, ...more, secret, log: () => {} };
    const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
    const request = new Request(`${goodSettings.baseURL}/private`, { headers: { cookie } });
    return (await auth.respond(request, () => new Response("in"))).status;
  };
  const warnings = () => events.flatMap((each) => ("message" in each ? [each.message] : []));
  const next: SecretsObserver["next"] = (secrets) => observer?.next(secrets);
  return { auth, observer: { next }, events, statusWith, warnings };
}

test("sessions of a secret open from the moment on when it arrives [OP-082]", async () => {
  const { observer, statusWith } = await runningApp();
  expect([await statusWith(oldSecret), await statusWith(newSecret)]).toEqual([200, 302]);
  observer.next({ secret: [newSecret, oldSecret] });
  expect([await statusWith(oldSecret), await statusWith(newSecret)]).toEqual([200, 200]);
  observer.next({ secret: newSecret });
  expect([await statusWith(oldSecret), await statusWith(newSecret)]).toEqual([302, 200]);
});

test("invalid secrets change nothing, and the log does not quote them [OP-082]", async () => {
  const { auth, observer, events } = await runningApp();
  observer.next({ secret: "5hort", clientSecret: "a new client secret" });
  observer.next({ clientAssertionSigningKey: "no-key-at-all" });
  expect(auth.config.clientSecret).toBe(goodSettings.clientSecret);
  const told = events.filter((each) => each.event === "key-ring-changed");
  expect(told.map(({ outcome }) => outcome)).toEqual(["refused", "refused"]);
  expect(JSON.stringify(told)).not.toMatch(/5hort|no-key-at-all/);
});

test("a client secret takes effect alone, and what came before it stays", async () => {
  const { auth, observer, statusWith } = await runningApp();
  observer.next({ secret: newSecret });
  observer.next({ clientSecret: "a new client secret" });
  expect(auth.config.clientSecret).toBe("a new client secret");
  expect(await statusWith(newSecret)).toBe(200);
});

test("a signing key takes effect [OP-082]", async () => {
  const [former, next] = [signingKey(), signingKey()];
  const { auth, observer } = await runningApp({ clientAssertionSigningKey: former });
  observer.next({ clientAssertionSigningKey: next });
  await vi.waitFor(() => expect(auth.config.clientAssertionSigningKey).toBe(next));
});

test("the keys record their last use, and an early removal causes a warning [OP-083]", async () => {
  const now = 1_800_000_000;
  const clock = () => now * 1000;
  const { auth, observer, statusWith, warnings } = await runningApp({ clock });
  observer.next({ secret: [newSecret, oldSecret] });
  await statusWith(oldSecret);
  const [fresh, old] = (await auth.status()).sessionKeys;
  expect(fresh).toMatchObject({ seals: true, lastOpened: null });
  expect(old).toMatchObject({ seals: false, lastOpened: now });
  observer.next({ secret: newSecret });
  const told = warnings().filter((message) => message.includes(old?.id ?? "?"));
  expect(told).toEqual([expect.stringContaining("signed out")]);
});

test("with a new key each day the sessions of a whole week stay open [OP-084]", async () => {
  let now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  const session = { rollingDuration: 691_200, absoluteDuration: 1_209_600 };
  const { auth, observer } = await runningApp({ clock, session });
  const keys = [oldSecret];
  const cookies: string[] = [];
  for (let day = 0; day < 7; day += 1) {
    keys.unshift(`key-of-day-${day}-`.repeat(4));
    observer.next({ secret: keys });
    const options = { ...goodSettings, session, clock, secret: keys, log: () => undefined };
    cookies.push(await signedInCookies({ options, session: { user: { sub: `person-${day}` } } }));
    now += 86_400_000;
  }
  const seen = await Promise.all(
    cookies.map(async (cookie) => {
      const request = new Request(`${goodSettings.baseURL}/private`, { headers: { cookie } });
      const passed = await auth.respond(request, (it) => new Response(auth.of(it).user?.sub));
      return passed.text();
    }),
  );
  expect(seen).toEqual(cookies.map((_, day) => `person-${day}`));
});

test("data keys wrapped by a KMS need no call to the KMS per request, and a week without it signs no user out [OP-084]", async () => {
  let now = Date.UTC(2026, 0, 1);
  let isDown = false;
  let asked = 0;
  const wrappedKeys = [oldSecret];
  const unwrapped = new Map<string, string>();
  async function unwrap(wrapped: string): Promise<string> {
    const known = unwrapped.get(wrapped);
    if (known !== undefined) return known;
    asked += 1;
    if (isDown) throw new Error("The KMS is down.");
    unwrapped.set(wrapped, wrapped);
    return wrapped;
  }
  const secrets = () => Promise.all(wrappedKeys.map(unwrap));
  const more = {
    clock: () => now,
    session: { rollingDuration: 691_200, absoluteDuration: 1_209_600 },
    secret: await secrets(),
  };
  let renew = async () => {};
  const { statusWith, events } = await runningApp({
    ...more,
    watchSecrets(observer) {
      renew = () => secrets().then((secret) => observer.next({ secret }), observer.error);
      void renew();
      return () => {};
    },
  });
  isDown = true;
  wrappedKeys.unshift(newSecret);
  for (let day = 1; day <= 7; day += 1) {
    now += 86_400_000;
    // oxlint-disable-next-line no-await-in-loop -- one day after the other
    await renew();
    // oxlint-disable-next-line no-await-in-loop -- see above
    expect(await statusWith(oldSecret)).toBe(200);
    expect(asked).toBe(1 + day);
  }
  const refused = { event: "key-ring-changed", outcome: "refused", detail: "The KMS is down." };
  expect(events.filter(({ event }) => event === "key-ring-changed").slice(1)).toEqual(
    Array.from({ length: 7 }, () => refused),
  );
  isDown = false;
  await renew();
  expect([await statusWith(oldSecret), await statusWith(newSecret)]).toEqual([200, 200]);
});

const acme = {
  issuerBaseURL: "https://id.acme.example",
  clientID: "acme-client",
  clientSecret: "secret-of-acme",
};
const google = { ...acme, issuerBaseURL: "https://accounts.google.com" };

/** Where a sign-in at each of these leads: the status, as the provider does not answer. */
async function severalConnections() {
  const running = await runningApp({
    identity: "issuer+sub",
    connections: { acme },
    fetch: async () => new Response(null, { status: 500 }),
  });
  const ids = () => Object.keys(running.auth.config.connections);
  const loginAt = async (id: string) => {
    const request = new Request(`${goodSettings.baseURL}/api/auth/login/${id}`);
    return (await running.auth.respond(request, () => new Response(null, { status: 404 }))).status;
  };
  return { ...running, ids, loginAt };
}

test("connections come and go while the app runs [MX-005]", async () => {
  const { observer, ids, loginAt } = await severalConnections();
  const unknown = await loginAt("google");
  expect(await loginAt("acme")).not.toBe(unknown);
  observer.next({ connections: { google } });
  expect(ids()).toEqual(["default", "google"]);
  expect(await loginAt("google")).not.toBe(unknown);
  expect(await loginAt("acme")).toBe(unknown);
});

test("connections with a fault change nothing, and the log names it without a secret [MX-005]", async () => {
  const { observer, ids, events } = await severalConnections();
  const faulty = { ...google, clientSecret: "new-secret-of-google", clientIdd: "x" };
  observer.next({ connections: { acme, google: faulty } });
  expect(ids()).toEqual(["default", "acme"]);
  const refused = events.filter(({ event }) => event === "key-ring-changed");
  expect(JSON.stringify(refused)).toContain("connections.google.clientIdd");
  expect(JSON.stringify(refused)).not.toContain("new-secret-of-google");
});

test("a secret of one connection takes effect alone [MX-005]", async () => {
  const { auth, observer } = await severalConnections();
  observer.next({ connections: { acme: { ...acme, clientSecret: "next-secret" } } });
  expect(auth.config.connections["acme"]?.clientSecret).toBe("next-secret");
  expect(auth.config.clientSecret).toBe(goodSettings.clientSecret);
  observer.next({ clientSecret: "next-secret-of-default" });
  expect(auth.config.connections["acme"]?.clientSecret).toBe("next-secret");
  expect(auth.config.connections.default.clientSecret).toBe("next-secret-of-default");
});

test("a signing key of a connection takes effect once it has been imported [MX-005]", async () => {
  const { auth, observer, events } = await severalConnections();
  const { clientSecret: _none, ...client } = acme;
  const withKey = (key: string) => ({
    acme: { ...client, clientAssertionSigningKey: key },
  });
  observer.next({ connections: withKey("-----BEGIN PRIVATE KEY-----\nnone") });
  await vi.waitFor(() =>
    expect(JSON.stringify(events)).toContain("LATCHKEY_CONNECTION_ACME_CLIENT_ASSERTION"),
  );
  expect(auth.config.connections["acme"]?.clientSecret).toBe("secret-of-acme");
  const key = signingKey();
  observer.next({ connections: withKey(key) });
  await vi.waitFor(() =>
    expect(auth.config.connections["acme"]?.clientAssertionSigningKey).toBe(key),
  );
});
