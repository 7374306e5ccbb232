import { expect, test } from "vitest";

import { deriveContentKey } from "../../src/crypto/key-ring.ts";
import { sealJWE } from "../../src/crypto/jwe.ts";
import { createAuth, type Options } from "../../src/index.ts";
import { expressOpenIDConnect } from "../../src/moving/index.ts";
import { type Jar, jarOf } from "../browser/cookie-jar.ts";
import { askWith } from "../handle-request.ts";
import { startWorld } from "../worlds/world.ts";

const formerSecret = "the-secret-of-the-former-library";

/** An app, and the cookie of a sign-in at its provider as express-openid-connect writes it. */
async function movedWorld(
  options: Partial<Options> = {},
  accessTokenEndsIn = 3600,
  more: object = {},
) {
  const world = await startWorld({
    options: {
      scope: "openid offline_access",
      session: { name: "ours" },
      formerSessions: expressOpenIDConnect({ secret: formerSecret, until: "2099-01-01" }),
      ...options,
    },
  });
  const browser = await world.signedIn();
  const session = await world.handle(browser, (here) => here.session);
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    id_token: session?.idToken,
    access_token: session?.accessToken,
    refresh_token: session?.refreshToken,
    token_type: "Bearer",
    expires_at: now + accessTokenEndsIn,
    ...more,
  };
  const times = { iat: now, uat: now, exp: now + 86_400 };
  const key = deriveContentKey(formerSecret, "JWE CEK");
  const jar: Jar = { appSession: sealJWE(key, times, JSON.stringify(payload)) };
  return { world, jar, sid: session?.user.sid as string };
}

test("a session that has moved ends with a back-channel logout of its sid", async () => {
  const { world, jar, sid } = await movedWorld();
  const { made, next } = await askWith(world.auth, jar, ({ user }) => user?.sub);
  expect(made).toBe("person-ada");
  await world.provider.backchannelLogout({ sid });
  for (const each of [jar, next]) {
    expect((await askWith(world.auth, each, ({ user }) => user)).made).toBeUndefined();
  }
});

test("a back-channel logout before the move counts", async () => {
  const { world, jar, sid } = await movedWorld();
  await world.provider.backchannelLogout({ sid });
  expect((await askWith(world.auth, jar, ({ user }) => user)).made).toBeUndefined();
});

test.each([
  ["in the store", {}],
  ["in the cookie", { store: undefined, backchannelLogout: false }],
])("requests with a former cookie refresh its access token once (%s)", async (_, options) => {
  const { world, jar } = await movedWorld(options, -10);
  const answers = await Promise.all(
    [1, 2, 3].map(() => askWith(world.auth, jar, (here) => here.accessToken())),
  );
  const [token] = answers.map(({ made }) => made);
  expect(token).toEqual(expect.any(String));
  expect(answers.map(({ made }) => made)).toEqual([token, token, token]);
  for (const { next } of answers) {
    const later = await askWith(world.auth, next, (here) => here.accessToken());
    expect(later.made).toBe(token);
  }
});

test("a new sign-in takes the place of a former session", async () => {
  const { world, jar } = await movedWorld();
  const browser = world.browser();
  for (const [name, value] of Object.entries(jar)) {
    await browser.jar.setCookie(`${name}=${value}; Path=/; HttpOnly`, world.baseURL);
  }
  await browser.signIn("/api/auth/login?returnTo=/", "person-ben");
  const after = jarOf(await browser.cookies());
  expect(after).not.toHaveProperty("appSession");
  expect((await askWith(world.auth, jar, ({ user }) => user)).made).toBeUndefined();
});

test("a store that does not answer is an outage, and no sign-out", async () => {
  const { world, jar } = await movedWorld();
  const failing = new Proxy(world.store, {
    get: (store, name) =>
      name === "get" ? () => Promise.reject(new Error("down")) : Reflect.get(store, name),
  });
  const auth = createAuth({ ...world.options, store: failing });
  const { response } = await askWith(auth, jar, ({ user }) => user);
  expect(response.status).toBe(503);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("a session that has moved ends with the session of the provider, however often it is used", async () => {
  const sessionExpiresAt = Math.floor(Date.now() / 1000) + 7200;
  const { world, jar } = await movedWorld({}, 86_400, { sessionExpiresAt });
  const { made, next } = await askWith(world.auth, jar, ({ session }) => session?.times);
  expect(made?.absoluteEndsAt).toBe(sessionExpiresAt);
  world.advance(7300);
  for (const each of [jar, next]) {
    expect((await askWith(world.auth, each, ({ user }) => user)).made).toBeUndefined();
  }
});

test("a session whose provider names an end in another form is none", async () => {
  const { world, jar } = await movedWorld({}, 3600, { sessionExpiresAt: "soon" });
  const { response } = await askWith(world.auth, jar, ({ user }) => user);
  expect(response.status).toBe(302);
});
