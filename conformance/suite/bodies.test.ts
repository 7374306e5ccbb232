import { describe, expect, test } from "vitest";

import { host, sharedWorld } from "./world.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const ownPosts = ["/api/auth/callback", "/api/auth/backchannel-logout"];

describe(`bodies on ${host.title}`, () => {
  const world = sharedWorld({ environment: { LATCHKEY_RESPONSE_MODE: "form_post" } });

  test.each([
    ["/api/auth/callback", 413],
    ["/api/auth/backchannel-logout", 400],
  ])(
    "[AD-005] a body above 64 kB sent to %s is refused with %i, or closed",
    async (target, status) => {
      const body = `logout_token=${"a".repeat(64 * 1024)}`;
      const request = { method: "POST", target, headers: form, body };
      for (const chunked of [false, true]) {
        const response = await world().send({ ...request, chunked });
        // Some servers close the connection when the rest of a body is not read.
        const expected = chunked && response.status === 0 ? 0 : status;
        expect([chunked, response.status]).toEqual([chunked, expected]);
      }
    },
  );

  test.each(ownPosts)(
    "[AD-005] no body, or half a one, sent to %s is refused or closed",
    async (target) => {
      const requests = [
        { headers: form },
        { headers: {} },
        { headers: { ...form, "content-length": "0" } },
        { headers: { ...form, "content-length": "100" }, body: "logout_token=a", giveUp: true },
      ];
      for (const request of requests) {
        const { status } = await world().send({ method: "POST", target, ...request });
        expect([request, status === 0 || (status >= 400 && status < 500)]).toEqual([request, true]);
      }
      expect((await world().send({ target: "/" })).status).toBe(200);
    },
  );

  const bodies = [
    [form, "logout_token[a]=x&state[b][c]=y&code[]=1&code[]=2"],
    [form, "logout_token=a&logout_token=b&state=a&state=b"],
    [form, "__proto__[x]=1&constructor=2&hasOwnProperty=3"],
    [form, "%=%&&&=%ff%00"],
    [json, '{"logout_token":{"a":1},"state":["x"],"code":null}'],
    [json, '{"logout_token":"a","state":1}'],
    [json, "{"],
    [{ "content-type": "text/plain" }, "logout_token=a&state=b"],
    [{ "content-type": "multipart/form-data; boundary=x" }, "--x--\r\n"],
    [{ "content-type": "application/x-www-form-urlencoded; charset=utf-7" }, "state=a"],
    [{}, "state=a"],
  ] as const;

  test.each(ownPosts)(
    "[AD-004, AD-005] bodies that are no plain form, sent to %s, are refused below 500",
    async (target) => {
      for (const [headers, body] of bodies) {
        const { status } = await world().send({ method: "POST", target, headers, body });
        expect([body, status, status >= 400 && status < 500]).toEqual([body, status, true]);
      }
    },
  );

  test("[AD-005] an upload of 300 kB reaches the application's own parser, its length known or not", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const body = Buffer.alloc(300 * 1024, "x");
    for (const chunked of [false, true]) {
      const headers = { cookie, "content-type": "application/octet-stream" };
      const response = await world().send({
        method: "POST",
        target: "/upload",
        headers,
        body,
        chunked,
      });
      expect([response.status, response.body]).toEqual([200, `${body.length} bytes`]);
    }
  });
});
