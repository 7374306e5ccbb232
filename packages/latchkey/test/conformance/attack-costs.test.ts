import { describe, expect, test } from "vitest";

import { ownTime, shortestRun } from "../own-time.ts";
import { notFound, startHostileWorld } from "./world/hostile-world.ts";
import { createQuickApp, quickRequest } from "../worlds/quick-app.ts";

const world = await startHostileWorld();

describe("the app uses less than 60 ms of CPU time for a request with", () => {
  const app = createQuickApp({ backchannelLogout: false });
  const base64url = (text: string) => Buffer.from(text).toString("base64url");

  const chunks = (length: number) =>
    Array.from({ length }, (_, i) => `appSession.${i}=x`).join("; ");

  /** Texts designed to make a regular expression backtrack, by the field they fill. */
  const attacks: Readonly<Record<string, (length: number) => () => unknown>> = {
    "a cookie of many names": (n) => ask("/api/auth/me", { cookie: "a=b; ".repeat(n / 5) }),
    "a cookie of many chunks": (n) => ask("/api/auth/me", { cookie: chunks(n / 16) }),
    "a cookie without an end": (n) =>
      ask("/api/auth/me", { cookie: `appSession="${'\\"'.repeat(n / 2)}` }),
    "a sealed cookie": (n) =>
      ask("/api/auth/me", {
        cookie: `appSession=${base64url("{".repeat(n / 2))}..AAAAAAAAAAAAAAAA.AA.${"A".repeat(22)}`,
      }),
    "a transaction cookie": (n) =>
      ask("/api/auth/callback?state=x", { cookie: `auth_verification=${"%25".repeat(n / 3)}` }),
    "a return address of slashes": (n) => ask(`/api/auth/login?returnTo=${"/".repeat(n)}`),
    "a return address of escapes": (n) => ask(`/api/auth/login?returnTo=/${"%2525".repeat(n / 5)}`),
    "a return address of spaces": (n) => ask(`/api/auth/login?returnTo=/x${"+".repeat(n)}x`),
    "a path of escapes": (n) => ask(`/${"%25".repeat(n / 3)}`),
    "a path of dots": (n) => ask(`/x${"/a/..".repeat(n / 5)}`),
    "a path of slashes": (n) => ask(`/x${"/".repeat(n)}`),
    "a state": (n) => ask(`/api/auth/callback?state=${"a".repeat(n)}`),
    "an error text": (n) => ask(`/api/auth/callback?error=${"%0a".repeat(n / 3)}&state=x`),
    "many parameters": (n) => ask(`/api/auth/callback?${"a=b&".repeat(n / 4)}`),
    "an Accept header": (n) => ask("/api/auth/x", { accept: "a/b;q=0.1,".repeat(n / 10) }),
    "an Accept-Language header": (n) =>
      ask("/api/auth/x", { "accept-language": "de-DE,".repeat(n / 6) }),
  };

  function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
    return () => app.open(path, { headers });
  }

  test.each(Object.entries(attacks))("%s [ATK-076, ATK-049]", async (_, attack) => {
    const half = await shortestRun(attack(32_768));
    const whole = await shortestRun(attack(65_536));
    expect(whole).toBeLessThan(60);
    // Double length may cost double time, but not its square. Times below a few milliseconds prove
    // nothing.
    expect(whole).toBeLessThan(2.5 * half + 10);
  });

  const logoutTokens: readonly (readonly [string, string])[] = [
    ["a header of quotes", `${base64url(`"${'\\"'.repeat(22_000)}`)}.e30.AAAA`],
    ["a header of open texts", `${base64url('"'.repeat(44_000))}.e30.AAAA`],
    ["a header of braces", `${base64url('{"a":'.repeat(8000))}.e30.AAAA`],
    ["a payload of quotes", `eyJhbGciOiJIUzI1NiJ9.${base64url(`"${'\\"'.repeat(20_000)}`)}.AAAA`],
    ["dots", ".".repeat(60_000)],
  ];

  test.each(logoutTokens)(
    "a logout token of %s, sent by any client [ATK-076, ATK-117]",
    async (_, token) => {
      world.setUp();
      const body = new URLSearchParams({ logout_token: token });
      const request = () =>
        quickRequest(world.baseURL, "/api/auth/backchannel-logout", { method: "POST", body });
      const send = () => world.auth.respond(request(), notFound);
      expect((await send()).status).toBe(400);
      expect(await shortestRun(send)).toBeLessThan(60);
    },
  );
});

test("the app handles 100 concurrent requests with the largest possible cookies in a few milliseconds each [ATK-110]", async () => {
  const app = createQuickApp();
  const jar = await app.signIn();
  const junk = {
    ...jar,
    appSession: `${jar["appSession"]}x`,
    "appSession.0": "A.".repeat(6000),
    other: "x".repeat(6000),
  };
  const started = ownTime();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => app.ask("/api/auth/me", { jar: junk })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  expect((ownTime() - started) / 100).toBeLessThan(20);
});
