import { decodeJwt, SignJWT } from "jose";
import { expect, test } from "vitest";

import { startWorld } from "../../../test/world.ts";

const clientSecret = "a-client-secret-of-more-than-32-bytes-0123456789";
const key = new TextEncoder().encode(clientSecret);
const event = "http://schemas.openid.net/event/backchannel-logout";
const sign = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256" }).sign(key);

test("a token with sid and sub ends a session for which the ID token named no sid [Back-Channel Logout 1.0, section 2.4]", async () => {
  const world = await startWorld({
    provider: { clientSecret, client: { idTokenSigningAlg: "HS256" } },
    options: {
      idTokenSigningAlg: "HS256",
      async fetch(input, init) {
        const answer = await fetch(input, init);
        if (!input.endsWith("/token")) return answer;
        const body = (await answer.json()) as { id_token: string };
        const { sid: _sid, ...claims } = decodeJwt(body.id_token);
        return Response.json({ ...body, id_token: await sign(claims) });
      },
    },
  });
  const deliver = async (subject: object, jti: string) => {
    const now = Math.floor(Date.now() / 1000);
    const token = await sign({
      ...subject,
      iss: world.provider.issuer,
      aud: "latchkey",
      iat: now,
      exp: now + 120,
      jti,
      events: { [event]: {} },
    });
    const body = new URLSearchParams({ logout_token: token });
    return world.browser().request("/api/auth/backchannel-logout", { method: "POST", body });
  };
  const [ada, ben] = [world.browser(), world.browser()];
  await ada.signIn("/private", "person-ada");
  await ben.signIn("/private", "person-ben");
  const statuses = async () =>
    Promise.all([ada, ben].map(async (each) => (await each.request("/api/auth/me")).status));
  expect((await deliver({ sid: "any-sid" }, "one")).status).toBe(204);
  expect(await statuses()).toEqual([200, 200]);
  expect((await deliver({ sid: "any-sid", sub: "person-ada" }, "two")).status).toBe(204);
  expect(await statuses()).toEqual([204, 200]);
});
