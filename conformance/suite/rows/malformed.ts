import { describe, expect, test } from "vitest";

import { type DrivenHost, sharedWorld } from "./world.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/**
 * Requests which no browser sends. Each is answered below 500, opens nothing, and leaves the
 * process serving.
 */
export function malformedRows(host: DrivenHost): void {
  if (host.failsAt?.malformed === true) return;
  describe(`a malformed request on ${host.title}`, () => {
    const world = sharedWorld(host);

    test.each(oddHosts.filter((each) => host.failsAt?.hosts?.includes(each) !== true))(
      "with the host %j is answered below 500, and leads nowhere else [AD-006, AD-012]",
      async (named) => {
        for (const target of [
          "/private",
          "/api/me",
          "/api/auth/login",
          "/api/auth/callback?state=a",
        ]) {
          const { body, status, header } = await world().send({ target, headers: { host: named } });
          const isPrivate = body.includes("Private page of");
          expect([target, status, status < 500, isPrivate]).toEqual([target, status, true, false]);
          expect(header("location") ?? "").not.toMatch(/^https?:\/\/(?!localhost:\d+\/)/);
        }
      },
    );

    test.each(hidingHosts)(
      "with a path in its host %j does not lead there [AD-011, AD-012]",
      async (named) => {
        for (const target of ["/public/x", "/cacheable", "/"]) {
          const { body } = await world().send({ target, headers: { host: named } });
          expect([target, body.includes("A file for")]).toEqual([target, false]);
        }
      },
    );

    test.each(Object.entries(framings))(
      "with %s is refused or closed, and the next one is served [AD-005, AD-006]",
      async (_, headers) => {
        for (const target of ["/api/auth/callback", "/api/auth/backchannel-logout", "/private"]) {
          const request = { method: "POST", target, headers: { ...form, ...headers }, body: "a=b" };
          const { status } = await world().send({ ...request, giveUp: true });
          expect([target, status, status < 500]).toEqual([target, status, true]);
        }
        expect((await world().send({ target: "/" })).status).toBe(200);
      },
    );

    test.each(["%", "%zz", "%ff", "%c0%af", "%u002e", "%e2%84"])(
      "for a public path with %j, which cannot be decoded, is answered below 500 [AD-006, AD-011]",
      async (path) => {
        for (const method of ["GET", "HEAD", "POST"]) {
          const { status } = await world().send({ method, target: `/public/${path}` });
          expect([method, status, status >= 200 && status < 500]).toEqual([method, status, true]);
        }
      },
    );

    test.each(Object.entries(repeated))(
      "with %s shows no protected page [AD-006]",
      async (_, headers) => {
        for (const target of ["/private", "/api/me", "/api/auth/me", "/"]) {
          const { body, status } = await world().send({ target, headers });
          const isPrivate = body.includes("Private page of");
          expect([target, status, status < 500, isPrivate]).toEqual([target, status, true, false]);
        }
      },
    );
  });
}

/** Of some of them no address can be made. */
const oddHosts = [
  "",
  "a, b",
  "localhost, evil.example",
  "[::1",
  "localhost:99999",
  "localhost:abc",
  "user@evil.example",
  "localhost/private",
  "evil.example?",
  "%00",
  "1.2.3.4.5",
];

/** Some servers write them into the address of a `Request` as they come. */
const hidingHosts = [
  String.raw`localhost\files\a.txt?`,
  "localhost/files/a.txt?",
  "localhost/files/a.txt#",
  "user@localhost/files/a.txt?",
];

/**
 * What a server and a proxy in front of it might read as bodies of different lengths (RFC 9112,
 * section 6.3).
 */
const framings: Readonly<Record<string, Record<string, string>>> = {
  "a negative length": { "content-length": "-1" },
  "a length that is no number": { "content-length": "1e3" },
  "two lengths": { "content-length": "3, 4" },
  "a length beyond all numbers": { "content-length": "99999999999999999999" },
  "a length that is too small": { "content-length": "1" },
  "a length and chunks": { "content-length": "3", "transfer-encoding": "chunked" },
  "a coding that nobody knows": { "transfer-encoding": "xchunked" },
  "an expectation that nobody knows": { "content-length": "3", expect: "much" },
};

/** A line of its own for each: the writer of the request does not look into values. */
const repeated: Readonly<Record<string, Record<string, string>>> = {
  "a cookie in three lines": { cookie: "a=b\r\nCookie: appSession=c\r\nCookie: appSession=d" },
  "a cookie that is there a hundred times": {
    cookie: `${"appSession=a; ".repeat(99)}appSession=b`,
  },
  "the chunks of three hundred sessions": {
    cookie: Array.from({ length: 300 }, (_, place) => `appSession.${place}=eyJ`).join("; "),
  },
  "chunks without end": { cookie: "appSession.-1=a; appSession.1e9=b; appSession.__proto__=c" },
  "two hosts": { host: "localhost\r\nHost: evil.example" },
  "forwarded hosts that are none": {
    "x-forwarded-host": "]]]",
    "x-forwarded-proto": "ht tp:/, javascript",
    "x-forwarded-port": "999999",
    "x-forwarded-prefix": "////",
    forwarded: ';;;="',
  },
  "a range beyond everything": { range: "bytes=99999999999999999999-", "if-none-match": ',,"' },
};
