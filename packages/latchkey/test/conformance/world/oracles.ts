import type { Endpoint } from "@latchkey/provider/hostile";
import { expect } from "vitest";

import { isTokenReason, reasons, type Reason } from "../../../src/errors/reasons.ts";
import type { LogEvent } from "../../../src/index.ts";
import type { Answer, Browser } from "../../browser/browser.ts";
import type { Jar } from "../../browser/cookie-jar.ts";
import { type Attempt, type Callback, endpointsOf } from "./attempt.ts";
import type { World } from "./hostile-world.ts";

type RefusalEvent = Extract<LogEvent, { event: "refusal" }>;

export interface Refused {
  /** 500 for a fault of the provider or of ours. */
  readonly status?: number;
  readonly reason?: Reason;
  /** Endpoints without calls after the fault. */
  readonly noCallTo?: readonly Endpoint[];
  /** Whether the response belongs to a transaction of this browser; if not, none may be touched. */
  readonly isOurs?: boolean;
}

/**
 * R400: the callback is rejected. It creates no session, ends only its own transaction, makes no
 * further call to the provider, leaks nothing, and logs the reason in one event.
 */
export function expectRefused(
  world: World,
  attempt: Attempt,
  { status = 400, reason, noCallTo = ["userinfo"], isOurs = true }: Refused = {},
): RefusalEvent {
  const { callback } = attempt;
  if (callback === null) throw new Error("The callback was never reached.");
  const event = onlyRefusal(callback.events, "callback");
  expect({ status: callback.answer.status, reason: event.reason }).toEqual({
    status,
    reason: reason ?? event.reason,
  });
  expect(event.status).toBe(reasons[event.reason].status);
  expectNoSession(callback);
  expectTransactions(callback, isOurs);
  for (const endpoint of noCallTo) expect(endpointsOf(callback.calls)).not.toContain(endpoint);
  expectQuietAnswer(world, callback.answer);
  return event;
}

/** Either outcome of a sign-in, and nothing between. */
export async function expectRefusedOrSignedIn(
  world: World,
  attempt: Attempt,
  { status = 400, ...expected }: Refused = {},
): Promise<void> {
  if (attempt.callback?.answer.status === status) {
    expectRefused(world, attempt, { status, ...expected });
  } else {
    await expectSignedIn(world, attempt);
  }
}

function onlyRefusal(events: readonly LogEvent[], route: string): RefusalEvent {
  const refusals = events.filter((event) => event.event === "refusal");
  expect(refusals.map((event) => event.route)).toEqual([route]);
  expect(events.map(({ event }) => event)).not.toContain("sign-in");
  const [refusal] = refusals;
  if (refusal === undefined) throw new Error("Nothing was logged.");
  expect(Object.keys(reasons)).toContain(refusal.reason);
  expect(refusal.kind !== undefined).toBe(isTokenReason(refusal.reason));
  return refusal;
}

const isSessionCookie = (name: string) => /^appSession(?:\.\d+)?$/.test(name);
const isTransactionCookie = (name: string) => name.startsWith("auth_verification");

function expectNoSession({ answer, before, after }: Callback): void {
  expect(setCookieNames(answer).filter(isSessionCookie)).toEqual([]);
  expect(only(after, isSessionCookie)).toEqual(only(before, isSessionCookie));
}

function expectTransactions({ before, after }: Callback, isOurs: boolean): void {
  const [had, has] = [only(before, isTransactionCookie), only(after, isTransactionCookie)];
  if (!isOurs) return expect(has).toEqual(had);
  expect(Object.keys(had).length - Object.keys(has).length).toBe(1);
  expect(had).toMatchObject(has);
}

function setCookieNames({ headers }: Answer): readonly string[] {
  return headers.getSetCookie().map((line) => line.slice(0, line.indexOf("=")));
}

function only(jar: Jar, isMeant: (name: string) => boolean): Jar {
  return Object.fromEntries(Object.entries(jar).filter(([name]) => isMeant(name)));
}

const insides = /\n\s+at\s|node:|file:\/\/|\.ts:\d|node_modules|\/src\//;

/** Expects an error response with enough detail for a user and too little for an attacker. */
export function expectQuietAnswer(world: World, answer: Answer): void {
  const { headers, text } = answer;
  const sent = `${text}\n${[...headers]
    .filter(([name]) => name !== "set-cookie")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")}`;
  expect(world.canaries.foundIn(sent)).toEqual([]);
  expect(sent).not.toMatch(insides);
  expect(text).not.toMatch(/<(?:b|img|script)[\s>]/i);
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("content-type")).toMatch(/; ?charset=utf-8$/);
}

/** OK: sign-in completes, and `me` returns the profile. */
export async function expectSignedIn(
  world: World,
  attempt: Attempt,
  { location = `${world.baseURL}/private` }: { readonly location?: string } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { callback, returned, browser } = attempt;
  expect(callback?.events.filter(({ event }) => event === "refusal") ?? "no callback").toEqual([]);
  expect({ status: callback?.answer.status, location: callback?.answer.location }).toEqual({
    status: returned?.method === "POST" ? 303 : 302,
    location,
  });
  expect(Object.keys(callback?.after ?? {}).filter(isTransactionCookie)).toEqual(
    Object.keys(callback?.before ?? {})
      .filter(isTransactionCookie)
      .slice(1),
  );
  return profileOf(browser);
}

export async function profileOf(browser: Browser): Promise<Readonly<Record<string, unknown>>> {
  const me = await browser.request("/api/auth/me", { headers: { accept: "application/json" } });
  expect(me.status).toBe(200);
  return Object(JSON.parse(me.text)) as Readonly<Record<string, unknown>>;
}

/** ANON: a client with these cookies is signed out everywhere, without an error. */
export async function expectAnonymous(
  world: World,
  cookie: string | Browser,
  { clears = false }: { readonly clears?: boolean } = {},
): Promise<void> {
  const header = typeof cookie === "string" ? cookie : await cookie.cookies();
  const ask = (path: string) => world.browser().request(path, { headers: { cookie: header } });
  const [me, api, page] = [
    await ask("/api/auth/me"),
    await ask("/api/anything"),
    await ask("/private"),
  ];
  expect([me.status, api.status, page.status]).toEqual([204, 401, 302]);
  expect(JSON.parse(api.text)).toMatchObject({ error: "not_authenticated" });
  expect(page.location).toMatch(new RegExp(`^${world.baseURL}/api/auth/login\\?returnTo=`));
  if (clears) expect(setCookieNames(me).some(isSessionCookie)).toBe(true);
}

/** A logout token, as the provider delivers it. */
export async function deliver(
  world: World,
  token: string | URLSearchParams,
): Promise<Answer & { readonly events: readonly LogEvent[] }> {
  const body = typeof token === "string" ? new URLSearchParams({ logout_token: token }) : token;
  world.canaries.addParameters(body);
  const seen = world.events.length;
  const address = "/api/auth/backchannel-logout";
  const answer = await world.browser().request(address, { method: "POST", body });
  return { ...answer, events: world.events.slice(seen) };
}

/** B400: the logout token is rejected. The caller checks the sessions. */
export function expectLogoutRefused(
  world: World,
  answer: Awaited<ReturnType<typeof deliver>>,
): void {
  expect(answer.status).toBe(400);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(JSON.parse(answer.text)).toEqual({
    error: "invalid_request",
    error_description: expect.any(String) as string,
  });
  const events = answer.events.map(({ event }) => event);
  expect(events.filter((event) => event !== "store-fault")).toEqual(["refusal"]);
  expect(world.canaries.foundIn(answer.text)).toEqual([]);
  expect(answer.text).not.toMatch(insides);
}

/** BOK: the logout token is accepted. The caller checks the sessions. */
export function expectLogoutTaken(
  answer: Awaited<ReturnType<typeof deliver>>,
  status: 200 | 204 = 204,
): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: "" });
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.events.map(({ event }) => event)).toEqual(["sign-out"]);
}
