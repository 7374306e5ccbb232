import { beforeAll, describe, expect, test } from "vitest";

import { ownCookies } from "../example.ts";
import { expectSessionHeaders, expectUntouched } from "../expectations.ts";
import { type DrivenHost, sharedWorld } from "./world.ts";

const future = "Wed, 09 Jun 2027 10:18:14 GMT";

/** What the head of a response carries, whatever the application does to it. */
export function headerRows(host: DrivenHost): void {
  describe(`the head of a response on ${host.title}`, () => {
    const world = sharedWorld(host);
    let cookie = "";
    beforeAll(async () => {
      cookie = await (await world().signedIn()).cookies();
    });
    const get = (target: string, method = "GET") =>
      world().send({ method, target, headers: { cookie } });

    test.each(["header", "head"])(
      "carries the cookies set by the application by %s byte for byte, and ours [AD-007, AD-021]",
      async (way) => {
        const response = await get(`/own-cookie/${way}`);
        expect(response.setCookies.toSorted().slice(1)).toEqual(ownCookies);
        expectSessionHeaders(host, response, 3);
      },
    );

    test("carries the cookies set by the application by the host's own means, and ours [AD-021]", async () => {
      const response = await get("/own-cookie/api");
      const names = response.setCookies.map((line) => line.slice(0, 4)).toSorted();
      expect(names).toEqual(["appS", "own=", "two="]);
      expectSessionHeaders(host, response, 3);
    });

    test.each([
      ["GET", "/status/204", 204],
      ["GET", "/status/304", 304],
      ["HEAD", "/private", 200],
      ["GET", "/redirect", 302],
      ["GET", "/nowhere", 404],
      ["GET", "/api/fail", 500],
      ["GET", "/files/a.txt", 200],
    ] as const)(
      "carries the session's headers in answer to %s %s [AD-025]",
      async (method, target, status) => {
        const response = await get(target, method);
        const isRedirect = status === 302 && [302, 303, 307].includes(response.status);
        expect(isRedirect || response.status).toBe(isRedirect || status);
        expectSessionHeaders(host, response, 1);
      },
    );

    test("is all there is of the answers to HEAD and of those with 204 [AD-025]", async () => {
      const bodies = [await get("/private", "HEAD"), await get("/status/204")];
      expect(bodies.map(({ body }) => body)).toEqual(["", ""]);
    });

    test("keeps the cookie of an upstream, gets ours, and is no longer public [AD-026]", async () => {
      const response = await get("/fetched");
      expect([response.status, response.body]).toEqual([200, "From upstream"]);
      expect(response.setCookies).toContain(
        "upstream=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
      );
      expectSessionHeaders(host, response, 2);
    });

    test("keeps the location of a redirect, and gets our cookie [AD-026]", async () => {
      const response = await get("/redirect");
      const { pathname } = new URL(response.header("location") ?? "", world().baseURL);
      expect(pathname).toBe("/private");
      expectSessionHeaders(host, response, 1);
    });

    test.each(["/private", "/api/me", "/files/a.txt"])(
      "is private if %s is requested again by its ETag, and a stranger with the ETag gets no 304 [AD-010, AD-025]",
      async (target) => {
        const first = await get(target);
        const headers = {
          "if-none-match": first.header("etag") ?? "*",
          "if-modified-since": future,
        };
        const again = await world().send({ target, headers: { ...headers, cookie } });
        expect([200, 304]).toContain(again.status);
        expectSessionHeaders(host, again, 1);
        const stranger = await world().send({ target, headers });
        expect([stranger.status, stranger.header("etag")]).toEqual([
          target === "/api/me" ? 401 : 302,
          null,
        ]);
      },
    );

    test("is private if a public page has read a session, and Vary is joined [AD-022]", async () => {
      const response = await get("/cacheable?read");
      expect(response.body).toBe("For Ada Okafor");
      expect(response.header("vary")).toMatch(/Accept-Encoding, ?Cookie/);
      expectSessionHeaders(host, response, 1);
    });

    test("is private if a public page has looked for a session in vain [AD-022]", async () => {
      const response = await world().send({ target: "/cacheable?read" });
      expect(response.body).toBe("For strangers");
      expect(response.header("cache-control")).toBe("private, no-store");
      expect(response.header("vary")).toMatch(/\bCookie\b/);
      expect(response.setCookies).toEqual([]);
    });

    test.each(["a person", "a stranger"])(
      "is left alone if a public page reads no session, for %s [AD-022]",
      async (who) => {
        const headers = who === "a person" ? { cookie } : {};
        const response = await world().send({ target: "/cacheable", headers });
        expect(response.body).toBe("For everybody");
        expectUntouched(host, response, who === "a person");
      },
    );
  });
}
