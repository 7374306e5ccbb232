import { describe, expect, test } from "vitest";

import { began } from "../../test/sessions/signed-in-app.ts";
import { quickWorld } from "../../test/worlds/quick-world.ts";
import type { SessionSettings } from "../config/session-settings.ts";
import { readCompactJWS } from "../crypto/compact-jws.ts";

const [hour, day] = [3600, 86_400];

/** An app whose provider sends a `session_expiry` in its ID tokens. */
function world(session: SessionSettings = {}) {
  let expiry: unknown;
  const quick = quickWorld({
    options: { session },
    app: async (request, auth) =>
      new Response(await auth.of(request).accessToken({ refresh: true })),
  });
  const { provider } = quick;
  provider.answers.token = (good) => {
    const claims = { ...readCompactJWS(good["id_token"])?.payload, session_expiry: expiry };
    return Response.json({ ...good, id_token: provider.sign(claims) });
  };
  const browser = quick.browser();
  return {
    ...quick,
    browser,
    /** From then on the provider says this. */
    say: (value: unknown) => void (expiry = value),
    times: async () =>
      JSON.parse((await browser.request("/api/auth/session.json")).text) as unknown,
    refresh: async () => (await browser.request("/page")).status,
    isSignedIn: async () => (await browser.request("/api/auth/me")).status === 200,
  };
}

describe.each([
  ["the cookie", { stateful: false }] as const,
  ["a store", { stateful: true }] as const,
])("a session in %s", (_, place) => {
  test("ends when its provider ends its own, however often it is used [SG-001]", async () => {
    const { say, browser, isSignedIn, advance, times } = world(place);
    say(began + 2 * hour);
    await browser.callback();
    for (let minutes = 0; minutes < 115; minutes += 5) {
      advance(300);
      expect(await isSignedIn()).toBe(true);
    }
    expect(await times()).toMatchObject({ absoluteEndsAt: began + 2 * hour });
    advance(301);
    expect(await times()).toMatchObject({ state: "ended", reason: "max-age" });
    expect(await isSignedIn()).toBe(false);
  });

  test("moves its end with a refreshed ID token, sooner and later [SG-002]", async () => {
    const { say, browser, refresh, times } = world(place);
    say(began + 2 * hour);
    await browser.callback();
    for (const end of [began + hour, began + 3 * hour]) {
      say(end);
      expect(await refresh()).toBe(200);
      expect(await times()).toMatchObject({ absoluteEndsAt: end, endsAt: end });
    }
  });

  test("keeps its end if the refreshed ID token names none [SG-002]", async () => {
    const { say, browser, refresh, times } = world(place);
    say(began + 2 * hour);
    await browser.callback();
    say(undefined);
    expect(await refresh()).toBe(200);
    expect(await times()).toMatchObject({ absoluteEndsAt: began + 2 * hour });
  });

  test("never lasts longer than the app allows [SG-002]", async () => {
    const { say, browser, refresh, times } = world(place);
    say(began + 30 * day);
    await browser.callback();
    expect(await refresh()).toBe(200);
    expect(await times()).toMatchObject({ absoluteEndsAt: expect.closeTo(began + 7 * day, -1) });
  });

  test("ends at once if a refreshed ID token says that it is over [SG-002]", async () => {
    const { say, browser, refresh, isSignedIn } = world(place);
    await browser.callback();
    say(began - 1);
    await refresh();
    expect(await isSignedIn()).toBe(false);
  });
});

test("an app without an absolute end has that of the provider [SG-001]", async () => {
  const { say, browser, times } = world({ absoluteDuration: false, stateful: false });
  say(began + 30 * day);
  await browser.callback();
  expect(await times()).toMatchObject({ absoluteEndsAt: began + 30 * day });
});

test("a cookie expires in the browser with the session of the provider [SG-001]", async () => {
  const { say, browser } = world({ stateful: false });
  say(began + hour);
  const { headers } = await browser.callback();
  const [cookie = ""] = headers.getSetCookie().filter((line) => line.startsWith("appSession="));
  const [, expires = ""] = /expires=([^;]+)/i.exec(cookie) ?? [];
  expect(Date.parse(expires) / 1000).toBe(began + hour);
});

test.each([[undefined], [null]])(
  "a session_expiry of %j changes nothing [SG-001]",
  async (none) => {
    const { say, browser, times } = world({ stateful: false });
    say(none);
    await browser.callback();
    expect(await times()).toMatchObject({ absoluteEndsAt: expect.closeTo(began + 7 * day, -1) });
  },
);

/** A number as it is written, although JavaScript has no such number. */
const written = (number: string) =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(number);

/** What is no time in whole seconds. */
const noTimes: readonly (readonly [value: unknown])[] = [
  ["soon"],
  [""],
  [String(began + hour)],
  [new Date((began + hour) * 1000).toISOString()],
  [began + hour + 0.5],
  [(began + hour) * 1000],
  [-1],
  [-(began + hour)],
  [written("1e400")],
  [written("-1e400")],
  [2 ** 53],
  [true],
  [false],
  [[began + hour]],
  [[]],
  [{}],
];

test.each(noTimes)("a sign-in with the session_expiry %j is refused [SG-001]", async (odd) => {
  const { say, browser, isSignedIn } = world();
  say(odd);
  const { status, text } = await browser.callback();
  expect([status, JSON.parse(text)]).toMatchObject([400, { reason: "token_malformed" }]);
  expect(await isSignedIn()).toBe(false);
});

test.each(noTimes)(
  "a refresh with the session_expiry %j is refused, and the session keeps its end [SG-002]",
  async (odd) => {
    const { say, browser, refresh, isSignedIn, times } = world();
    say(began + 2 * hour);
    await browser.callback();
    say(odd);
    expect(await refresh()).not.toBe(200);
    expect(await isSignedIn()).toBe(true);
    expect(await times()).toMatchObject({ absoluteEndsAt: began + 2 * hour });
  },
);

test("a session_expiry of 0 in a refreshed ID token ends the session [SG-002]", async () => {
  const { say, browser, refresh, isSignedIn } = world();
  await browser.callback();
  say(0);
  await refresh();
  expect(await isSignedIn()).toBe(false);
});

test("a null session_expiry in a refreshed ID token lifts no end [SG-002]", async () => {
  const { say, browser, refresh, times } = world();
  say(began + 2 * hour);
  await browser.callback();
  say(null);
  expect(await refresh()).toBe(200);
  expect(await times()).toMatchObject({ absoluteEndsAt: began + 2 * hour });
});

test.each([[began - hour], [began], [0]])(
  "a sign-in is refused if its session was over at %i [SG-001]",
  async (past) => {
    const { say, browser, isSignedIn } = world();
    say(past);
    const { status, text } = await browser.callback();
    expect([status, JSON.parse(text)]).toMatchObject([400, { reason: "token_expired" }]);
    expect(await isSignedIn()).toBe(false);
  },
);
