import { describe, expect, test } from "vitest";

import { type DrivenHost, sharedWorld, type World } from "./world.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const ownPosts = ["/api/auth/callback", "/api/auth/backchannel-logout"];

/** Bodies for us and for the application: whole, half and odd ones. */
export function bodyRows(host: DrivenHost): void {
  describe(`a body on ${host.title}`, () => {
    const world = sharedWorld(host, { environment: { LATCHKEY_RESPONSE_MODE: "form_post" } });

    test.each([
      ["/api/auth/callback", 413],
      ["/api/auth/backchannel-logout", 400],
    ])(
      "above 64 kB sent to %s is refused with %i, or the connection is closed, and nothing breaks [AD-005]",
      async (target, status) => {
        const body = `logout_token=${"a".repeat(64 * 1024)}`;
        const request = { method: "POST", target, headers: form, body };
        for (const chunked of [false, true]) {
          const response = await world().send({ ...request, chunked });
          // Some servers close the connection when the rest of a body is not read.
          const expected = chunked && response.status === 0 ? 0 : status;
          expect([chunked, response.status]).toEqual([chunked, expected]);
        }
        expect(world().complaints()).toEqual([]);
      },
    );

    test.each(ownPosts)(
      "is refused or closed if it is empty, or half a one, at %s [AD-005]",
      async (target) => {
        const requests = [
          { headers: form },
          { headers: {} },
          { headers: { ...form, "content-length": "0" } },
          { headers: { ...form, "content-length": "100" }, body: "logout_token=a", giveUp: true },
        ];
        for (const request of requests) {
          const { status } = await world().send({ method: "POST", target, ...request });
          const isRefused = status === 0 || (status >= 400 && status < 500);
          expect([request, isRefused]).toEqual([request, true]);
        }
        expect((await world().send({ target: "/" })).status).toBe(200);
      },
    );

    test("is refused below 500 by our form routes if it is no plain form [AD-004, AD-005]", async () => {
      await expectOddBodiesRefused(world());
    });

    test("of 300 kB reaches the application's own parser, its length known or not [AD-005]", async () => {
      const cookie = await (await world().signedIn()).cookies();
      const body = Buffer.alloc(300 * 1024, "x");
      for (const chunked of [false, true]) {
        const headers = { cookie, "content-type": "application/octet-stream" };
        const request = { method: "POST", target: "/upload", headers, body, chunked };
        const response = await world().send(request);
        expect([response.status, response.body]).toEqual([200, `${body.length} bytes`]);
      }
    });
  });
}

/** Bodies for a form parser, for a JSON parser, and for neither. */
const oddBodies: readonly (readonly [headers: Record<string, string>, body: string])[] = [
  [form, "logout_token[a]=x&state[b][c]=y&code[]=1&code[]=2"],
  [form, "logout_token=a&logout_token=b&state=a&state=b"],
  [form, "__proto__[x]=1&constructor=2&hasOwnProperty=3"],
  [form, "%=%&&&=%ff%00"],
  [json, '{"logout_token":{"a":1},"state":["x"],"code":null}'],
  [json, '{"logout_token":"a","state":1}'],
  [json, "[1,2,3]"],
  [json, '"text"'],
  [json, "{"],
  [{ "content-type": "text/plain" }, "logout_token=a&state=b"],
  [{ "content-type": "multipart/form-data; boundary=x" }, "--x--\r\n"],
  [{ "content-type": "application/x-www-form-urlencoded; charset=utf-7" }, "state=a"],
  [{ ...form, "content-encoding": "gzip" }, "not gzip"],
  [{}, "state=a"],
];

export async function expectOddBodiesRefused(world: Pick<World, "send">): Promise<void> {
  for (const target of ownPosts) {
    for (const [headers, body] of oddBodies) {
      const { status } = await world.send({ method: "POST", target, headers, body });
      const isRefused = status >= 400 && status < 500;
      expect([target, body, status, isRefused]).toEqual([target, body, status, true]);
    }
  }
}
