import { afterEach, describe, expect, test, vi } from "vitest";

import { servedApp } from "../../test/sessions/served-app.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import { protect, type SignedHandler } from "./node.ts";

const fault = new Error("the handler's own fault");

/** Fetches a public page with this handler. */
async function fetched(
  handle: (response: Parameters<SignedHandler>[1], auth: RequestAuth) => void,
): Promise<Response> {
  const { origin } = await servedApp((auth) =>
    protect(auth, ({ auth: here }, response) => handle(response, here)),
  );
  return fetch(origin, { redirect: "manual" });
}

describe("what a handler throws", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("is answered 500 without its text, kept by no cache, and printed on stderr", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const response = await fetched((outgoing) => {
      outgoing.setHeader("Cache-Control", "public, max-age=600");
      throw fault;
    });
    expect([response.status, response.headers.get("cache-control")]).toEqual([500, "no-store"]);
    expect(await response.text()).toBe("Something went wrong on our side.");
    expect(told.mock.calls).toEqual([[fault]]);
  });

  test("is answered with the way to login, and not printed, if it is our own error", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const { status } = await fetched((_, auth) => void auth.require());
    expect([status, told.mock.calls]).toEqual([302, []]);
  });

  test("after the head of the response has left, the connection ends, and the process does not", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const broken = fetched((outgoing) => {
      outgoing.writeHead(200).write("half of it");
      throw fault;
    });
    await expect(broken.then((response) => response.text())).rejects.toThrow(TypeError);
    expect((await fetched((outgoing) => void outgoing.end("alive"))).status).toBe(200);
  });
});

describe("the headers passed to writeHead", () => {
  test("never let a shared cache keep a page that has read the session", async () => {
    const { headers } = await fetched((outgoing, auth) => {
      const user = auth.user?.name ?? "nobody";
      outgoing.writeHead(200, {
        "Cache-Control": "public",
        "CDN-Cache-Control": "max-age=600",
        "Surrogate-Control": "max-age=600",
        Expires: "Wed, 09 Jun 2027 10:18:14 GMT",
      });
      outgoing.end(user);
    });
    expect(headers.get("cache-control")).toBe("private, no-store");
    for (const name of ["cdn-cache-control", "surrogate-control", "expires"]) {
      expect(headers.get(name)).toBeNull();
    }
  });

  test("each of them arrives, however it is spelt and given, and those without a value do not", async () => {
    const { headers } = await fetched((outgoing) => {
      outgoing.writeHead(200, ["X-Own", "1", "Set-Cookie", "a=1", "set-cookie", "b=2"]).end();
    });
    expect([headers.get("x-own"), headers.getSetCookie()]).toEqual(["1", ["a=1", "b=2"]]);
    const given = { "X-Own": "2", "X-Absent": undefined };
    const other = await fetched((outgoing) => void outgoing.writeHead(200, "Fine", given).end());
    expect([other.status, other.statusText, other.headers.get("x-own")]).toEqual([
      200,
      "Fine",
      "2",
    ]);
    expect(other.headers.has("x-absent")).toBe(false);
  });
});

describe("a client that sends hundreds of cookies with our names", () => {
  const chunks = Array.from({ length: 900 }, (_, index) => `appSession.${index}=x`).join("; ");
  const logins = Array.from(
    { length: 500 },
    (_, index) => `auth_verification.${`${index}`.padStart(8, "0")}=x`,
  ).join("; ");

  test.each([
    ["/api/auth/logout", chunks],
    ["/private", chunks],
    ["/api/auth/me", chunks],
    ["/api/auth/login", logins],
    ["/api/auth/callback?state=x&code=y", logins],
  ])("%s is answered with few Set-Cookie lines", async (target, cookie) => {
    const { send } = await servedApp((auth) =>
      protect(auth, (_request, response) => response.end()),
    );
    const { status, setCookies } = await send({ target, headers: { cookie } });
    expect([status < 500, setCookies.length < 60]).toEqual([true, true]);
  });
});

describe("what HTTP cannot send in a header", () => {
  test.each(["/日本", "/ü", "/a b"])(
    "never comes from the base URL with the path %s",
    async (path) => {
      const app = await servedApp((auth) => protect(auth, (_, response) => response.end()), {
        baseURL: `http://localhost:3000${path}`,
        routes: { postLogoutRedirect: "/日本" },
      });
      const ascii = encodeURI(path);
      const page = await fetch(`${app.origin}${ascii}/page`, { redirect: "manual" });
      const login = new URL(page.headers.get("location") ?? "");
      expect([page.status, login.pathname]).toEqual([302, `${ascii}/api/auth/login`]);
      const returnTo = new URL(login.searchParams.get("returnTo") ?? "", login);
      expect(returnTo.pathname).toBe(`${ascii}/page`);
      const headers = { cookie: app.cookie, "sec-fetch-site": "same-origin" };
      const logout = `${app.origin}${ascii}/api/auth/logout`;
      const { status, headers: answered } = await fetch(logout, { headers, redirect: "manual" });
      const landing = new URL(answered.get("location") ?? "").searchParams.get(
        "post_logout_redirect_uri",
      );
      expect([status, landing]).toEqual([302, `http://localhost:3000${ascii}/%E6%97%A5%E6%9C%AC`]);
    },
  );

  test("becomes a 500 with a line in the log, and the process goes on", async () => {
    // In JavaScript, an app may return what pages() of a package returns.
    const renderProblem = () => ({ html: "", policy: "default-src 日本" }) as never;
    const app = await servedApp((auth) => protect(auth, (_, response) => response.end("alive")), {
      renderProblem,
    });
    const accept = { headers: { accept: "text/html" }, redirect: "manual" } as const;
    const { status } = await fetch(`${app.origin}/api/auth/callback`, accept);
    expect(status).toBe(500);
    expect(app.events).toContainEqual(
      expect.objectContaining({
        event: "refusal",
        reason: "internal",
        error: new TypeError(
          "The header Content-Security-Policy has characters that HTTP cannot send.",
        ),
      }),
    );
    expect(await (await fetch(app.origin)).text()).toBe("alive");
  });
});
