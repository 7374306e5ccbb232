import { beforeAll, describe, expect, test } from "vitest";

import { expectSessionHeaders, expectUntouched } from "./expectations.ts";
import { host, sharedWorld } from "./world.ts";

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

describe(`the headers on ${host.title}`, () => {
  const world = sharedWorld();
  let cookie = "";
  beforeAll(async () => {
    cookie = await (await world().signedIn()).cookies();
  });
  const get = (target: string, method = "GET") =>
    world().send({ method, target, headers: { cookie } });

  test.each(["header", "head"])(
    "[AD-007, AD-021] cookies that the application sets by %s arrive byte for byte, and so does ours",
    async (way) => {
      const response = await get(`/own-cookie/${way}`);
      expect(response.setCookies.toSorted().slice(1)).toEqual(ownCookies);
      expectSessionHeaders(response, 3);
    },
  );

  test("[AD-021] cookies that the application sets by the host's own means arrive, and so does ours", async () => {
    const response = await get("/own-cookie/api");
    const names = response.setCookies.map((line) => line.slice(0, 4)).toSorted();
    expect(names).toEqual(["appS", "own=", "two="]);
    expectSessionHeaders(response, 3);
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
    "[AD-025] the response to %s %s carries the session's headers",
    async (method, target, status) => {
      const response = await get(target, method);
      const isRedirect = status === 302 && [302, 303, 307].includes(response.status);
      expect(isRedirect || response.status).toBe(isRedirect || status);
      expectSessionHeaders(response, 1);
    },
  );

  test("[AD-025] a HEAD and a 204 have no body", async () => {
    const bodies = [await get("/private", "HEAD"), await get("/status/204")];
    expect(bodies.map(({ body }) => body)).toEqual(["", ""]);
  });

  test("[AD-026] what an upstream sent keeps its own cookie, gets ours, and is no longer public", async () => {
    const response = await get("/fetched");
    expect([response.status, response.body]).toEqual([200, "From upstream"]);
    expect(response.setCookies).toContain(
      "upstream=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
    );
    expectSessionHeaders(response, 2);
  });

  test("[AD-026] a redirect leads where it said, with our cookie", async () => {
    const response = await get("/redirect");
    const { pathname } = new URL(response.header("location") ?? "", world().baseURL);
    expect(pathname).toBe("/private");
    expectSessionHeaders(response, 1);
  });

  test("[AD-022] a page marked public that has read a session is private, and Vary is joined", async () => {
    const response = await get("/cacheable?read");
    expect(response.body).toBe("For Ada Okafor");
    expect(response.header("vary")).toMatch(/Accept-Encoding, ?Cookie/);
    expectSessionHeaders(response, 1);
  });

  test("[AD-022] a page marked public that found nobody signed in is private as well", async () => {
    const response = await world().send({ target: "/cacheable?read" });
    expect(response.body).toBe("For strangers");
    expect(response.header("cache-control")).toBe("private, no-store");
    expect(response.header("vary")).toMatch(/\bCookie\b/);
    expect(response.setCookies).toEqual([]);
  });

  test.each(["a person", "a stranger"])(
    "[AD-022] a page marked public that reads no session reaches %s untouched",
    async (who) => {
      const headers = who === "a person" ? { cookie } : {};
      const response = await world().send({ target: "/cacheable", headers });
      expect(response.body).toBe("For everybody");
      expectUntouched(response, who === "a person");
    },
  );
});
