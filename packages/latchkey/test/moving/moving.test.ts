import express from "express";
import { describe, expect, test } from "vitest";

import { latchkey } from "../../src/adapters/express.ts";
import { ConfigError, createAuth } from "../../src/index.ts";
import type { MovingOptions } from "../../src/moving/index.ts";
import { atEnd } from "../at-end.ts";
import { cookieHeader, type Jar, jarAfter, namesIn } from "../browser/cookie-jar.ts";
import { askWith } from "../handle-request.ts";
import { startServer } from "../servers/server.ts";
import { goodSettings } from "../settings.ts";
import { type FormerCookies, libraries, movedApp, until } from "./former-cookies.ts";

const day = 86_400;

/** Another letter in place of one in the middle of a text. */
function changedAt(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

describe.each(libraries)("a session of $name", (library) => {
  const { small, chunked } = library;

  test("is the session of the user, with its tokens and the fields of the app", async () => {
    const { auth } = movedApp(library, chunked);
    const { made } = await askWith(auth, chunked.cookies, ({ session }) => session);
    expect(made).toMatchObject({
      user: { sub: "person-ada", email: "ada@example.com", sid: expect.any(String) },
      roles: ["editor"],
      idToken: expect.stringMatching(/^ey/),
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      accessTokenExpiresAt: expect.any(Number),
    });
    expect(made?.user).not.toHaveProperty("iss");
  });

  test.each(["small", "chunked"] as const)(
    "becomes ours with the first response (%s)",
    async (kind) => {
      const given: FormerCookies = library[kind];
      const { auth } = movedApp(library, given, { session: { name: "ours" } });
      const first = await askWith(auth, given.cookies, ({ session }) => session);
      const { set, cleared } = namesIn(first.response.headers.getSetCookie());
      expect(set.every((name) => name.startsWith("ours"))).toBe(true);
      expect(cleared.toSorted()).toEqual(Object.keys(given.cookies).toSorted());
      const second = await askWith(auth, first.next, ({ session }) => session);
      expect(second.made).toMatchObject({ user: first.made?.user ?? {} });
      expect(second.made?.times.createdAt).toBe(first.made?.times.createdAt);
    },
  );

  test("becomes ours under the name of the former cookie", async () => {
    const [name = ""] = Object.keys(small.cookies);
    const { auth } = movedApp(library, small, { session: { name } });
    const { next } = await askWith(auth, small.cookies, ({ user }) => user);
    expect(next[name]).not.toBe(small.cookies[name]);
    const { made } = await askWith(auth, next, ({ user }) => user?.sub);
    expect(made).toBe("person-ada");
  });

  test("counts its end from its own sign-in", async () => {
    const session = { rollingDuration: 2 * day, absoluteDuration: 2 * day };
    const { auth, advance } = movedApp(library, small, { session });
    const { next, made } = await askWith(auth, small.cookies, (here) => here.session);
    expect(made?.times.createdAt).toBe(small.madeAt);
    expect(made?.times.absoluteEndsAt).toBe(small.madeAt + 2 * day);
    advance(2 * day - 3600);
    expect((await askWith(auth, next, ({ user }) => user)).made).toBeUndefined();
  });

  test("is none after its own end", async () => {
    const { auth, advance } = movedApp(library, small);
    advance(day);
    const { response, made } = await askWith(auth, small.cookies, ({ user }) => user);
    expect(made).toBeUndefined();
    expect(response.status).toBe(302);
  });

  test.each([
    [
      "another secret",
      { formerSessions: library.move({ secret: "another", until: "2099-01-01" }) },
    ],
    ["another client", { clientID: "another" }],
    ["another issuer", { issuerBaseURL: "https://another.example" }],
    ["an organization not admitted", { organization: "org_other" }],
    ["an email address of another domain", { domains: ["other.example"] }],
    ["an authentication that does not suffice", { acr: ["phr"] }],
  ])("is none with %s, and its cookie stays", async (_, options) => {
    const { auth } = movedApp(library, small, options);
    const { response, made } = await askWith(auth, small.cookies, ({ user }) => user);
    expect(made).toBeUndefined();
    expect(response.status).toBe(302);
    const { cleared } = namesIn(response.headers.getSetCookie());
    expect(cleared).toEqual([]);
  });

  test("is one if its email address has a domain of the connection", async () => {
    const { made = "" } = await askWith(movedApp(library, small).auth, small.cookies, ({ user }) =>
      String(user?.["email"]),
    );
    const domains = [made.slice(made.indexOf("@") + 1)];
    const { auth } = movedApp(library, small, { domains });
    expect((await askWith(auth, small.cookies, ({ user }) => user?.["email"])).made).toBe(made);
  });

  test("is none if its cookie was cut or changed anywhere", async () => {
    const { auth } = movedApp(library, small);
    const [[name, value] = ["", ""]] = Object.entries(small.cookies);
    for (let at = 0; at < value.length; at += 41) {
      for (const wrong of [value.slice(0, at), changedAt(value, at)]) {
        const { response, made } = await askWith(auth, { [name]: wrong }, ({ user }) => user);
        expect(made, `at ${at}`).toBeUndefined();
        expect(response.status).toBe(302);
      }
    }
  });

  test("is none without one of its chunks", async () => {
    const { auth } = movedApp(library, chunked);
    for (const [name, value] of Object.entries(chunked.cookies)) {
      const { response } = await askWith(auth, { [name]: value }, ({ user }) => user);
      expect(response.status).toBe(302);
    }
  });

  test("is not looked at after the end date, and the log says so once", async () => {
    const formerSessions = library.move({ secret: small.secret, until: "2026-12-05" });
    const { auth, messages, advance } = movedApp(library, small, { formerSessions });
    expect((await askWith(auth, small.cookies, ({ user }) => user)).made).toBeDefined();
    advance(7 * day);
    await askWith(auth, small.cookies, ({ user }) => user);
    await askWith(auth, small.cookies, ({ user }) => user);
    const { made } = await askWith(auth, small.cookies, ({ user }) => user);
    expect(made).toBeUndefined();
    expect(messages.filter((each) => each.includes("formerSessions"))).toEqual([
      "Former sessions are not read since 2026-12-05: remove formerSessions.",
    ]);
  });

  test("ends with the logout, and with it every copy of its cookie", async () => {
    const { auth } = movedApp(library, small, { session: { name: "ours" } });
    const copy = small.cookies;
    const response = await logout(auth, copy);
    expect(jarAfter(response.headers.getSetCookie(), copy)).toEqual({
      auth_logout: expect.any(String),
    });
    expect((await askWith(auth, copy, ({ user }) => user)).made).toBeUndefined();
  });

  test("ends with the logout of the session that it has become", async () => {
    const { auth } = movedApp(library, small, { session: { name: "ours" } });
    const { next } = await askWith(auth, small.cookies, ({ user }) => user);
    const response = await logout(auth, { ...next, ...small.cookies });
    expect(jarAfter(response.headers.getSetCookie(), small.cookies)).toEqual({
      auth_logout: expect.any(String),
    });
    expect((await askWith(auth, small.cookies, ({ user }) => user)).made).toBeUndefined();
  });

  test("ends with all sessions of its user", async () => {
    const { auth } = movedApp(library, small);
    await auth.endUser("person-ada", { operator: "support" });
    expect((await askWith(auth, small.cookies, ({ user }) => user)).made).toBeUndefined();
  });

  test("moves into the store, once for all requests at the same time", async () => {
    const session = { name: "ours", stateful: true };
    const { auth } = movedApp(library, chunked, { session });
    const answers = await Promise.all(
      [1, 2, 3].map(() => askWith(auth, chunked.cookies, ({ user }) => user?.sub)),
    );
    expect(answers.map(({ made }) => made)).toEqual(Array(3).fill("person-ada"));
    for (const { next } of answers) {
      const later = await askWith(auth, next, (here) => here.session?.["roles"]);
      expect(later.made).toEqual(["editor"]);
    }
    expect(await auth.endUser("person-ada", { operator: "support" })).toBe(1);
  });

  test("is removed beside a session of ours, which counts", async () => {
    const { auth } = movedApp(library, small, { session: { name: "ours" } });
    const { next } = await askWith(auth, small.cookies, ({ user }) => user);
    const { response, made } = await askWith(
      auth,
      { ...small.cookies, ...next },
      ({ user }) => user,
    );
    expect(made?.sub).toBe("person-ada");
    expect(namesIn(response.headers.getSetCookie()).cleared).toEqual(Object.keys(small.cookies));
  });
});

function logout(auth: ReturnType<typeof createAuth>, jar: Jar): Promise<Response> {
  const headers = { cookie: cookieHeader(jar), "sec-fetch-site": "same-origin" };
  const request = new Request("http://localhost:3000/api/auth/logout", { method: "POST", headers });
  return auth.respond(request, () => new Response("page"));
}

test("the user of a former session sees the first page of Express without a redirect", async () => {
  const [, library] = libraries;
  const server = await startServer();
  atEnd(server.close);
  const { auth } = movedApp(library, library.small, { baseURL: server.origin });
  const app = express();
  app.use(latchkey(auth));
  app.get("/", (req, res) => void res.send(req.auth.require().user.name));
  server.serve(app);
  const headers = { cookie: cookieHeader(library.small.cookies) };
  const response = await fetch(server.origin, { headers, redirect: "manual" });
  expect(await response.text()).toBe("Ada Okafor");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession"]);
});

test("a cookie of another library under the same name is neither used nor removed", async () => {
  const [library] = libraries;
  const { auth } = movedApp(library, library.small);
  const foreign = { __session: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln" };
  const { response } = await askWith(auth, foreign, ({ user }) => user);
  expect(response.status).toBe(302);
  expect(namesIn(response.headers.getSetCookie()).cleared).toEqual([]);
});

test.each([
  ["nothing", undefined, { option: "formerSessions", message: "must be an object of options" }],
  ["no secret", { until }, { option: "formerSessions.secret", message: "is required" }],
  ["an empty secret", { secret: "", until }, { message: "must be text, or a list of texts" }],
  ["no date", { secret: "s" }, { option: "formerSessions.until", message: "is required" }],
  ["an empty date", { secret: "s", until: "" }, { message: "must be a date" }],
  ["a date that is none", { secret: "s", until: "next year" }, { seen: "next year" }],
  ["a misspelt name", { secret: "s", until, cokie: {} }, { remedy: "Did you mean cookie?" }],
])("%s is a fault of the settings", async (_, given, fault) => {
  for (const { move } of libraries) {
    const auth = createAuth({ ...goodSettings, formerSessions: move(given as MovingOptions) });
    const error = await auth.ready().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).faults).toMatchObject([fault]);
  }
});
