import { expect, test } from "vitest";

import { admittedBy, requestTo } from "../../test/api/admitted.ts";
import { createApiApp, startSeconds } from "../../test/api/api-app.ts";
import { createIntrospectingApp, good } from "../../test/api/introspecting-app.ts";

test("a rule sees a token as a session with its claims, scopes and end, and without the token", async () => {
  const app = await createApiApp();
  let seen: unknown;
  const claims = { iat: startSeconds - 10 };
  await app.call({ token: await app.token(claims) }, (here) =>
    here.require((session) => {
      seen = session;
      return true;
    }),
  );
  const start = startSeconds - 10;
  const end = startSeconds + 300;
  expect(seen).toEqual({
    user: { ...app.goodClaims, ...claims },
    accessTokenScope: "read write",
    accessTokenExpiresAt: end,
    times: {
      startedAt: start,
      createdAt: start,
      updatedAt: start,
      rollingEndsAt: null,
      absoluteEndsAt: end,
      endsAt: end,
    },
  });
});

test("the view of a token without iat has the start 0", async () => {
  const { app } = await createIntrospectingApp({}, () => Response.json(good));
  const { made } = await app.call({ token: "opaque" }, (here) => here.session?.times.startedAt);
  expect(made).toBe(0);
});

test("a token that does not count is the reason of each refusal, also of what needs a session", async () => {
  const app = await createApiApp();
  const headers = { authorization: "Bearer bad" };
  const { auth, onRefused } = await admittedBy(app, requestTo("/public/page", headers));
  const refused: unknown[] = [];
  onRefused((error) => refused.push(error));
  const calls = [
    async () => auth.require(),
    async () => auth.login(),
    async () => auth.accessToken(),
    async () => auth.accessToken({ exchange: { audience: "mail" } }),
    async () => auth.touch(),
  ];
  for (const call of calls) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(call()).rejects.toMatchObject({ error: "invalid_token" });
  }
  expect(refused).toHaveLength(calls.length);
  expect(new Set(refused).size).toBe(1);
});
