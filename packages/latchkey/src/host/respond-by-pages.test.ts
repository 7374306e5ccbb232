import express from "express";
import { describe, expect, test } from "vitest";

import { pagesPart } from "../../test/pages-part.ts";
import { servedApp } from "../../test/sessions/served-app.ts";
import { startWorld } from "../../test/worlds/world.ts";
import { latchkey } from "../adapters/express.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Options } from "./options.ts";
import type { PagesSite } from "../config/pages.ts";
import type { OpenedPart } from "./part.ts";

/** Pages that show the path, the user and the form of their requests. */
const pagesOf = ({ config, now }: PagesSite): ReturnType<NonNullable<OpenedPart["pages"]>> => ({
  problem: ({ kind }) => `problem ${kind} of ${config.appName}`,
  signedOut: () => `signed out at ${now()}`,
  keptForm: () => "kept form",
  respond: (request) =>
    request.path === "/other"
      ? null
      : (async () => {
          if (request.path === "/file") return { status: 200, headers: [], body: "a file" };
          const { user } = (await request.auth()).require();
          const form = request.method === "POST" ? (await request.form()).get("name") : "";
          return { status: 200, headers: [], body: `${request.path} ${user.sub} ${form}` };
        })(),
});
const pages = pagesPart(pagesOf);
/** The same pages below another root. */
const rooted = (root: string) =>
  pagesPart((site) => ({ ...pagesOf(site), root, files: "/assets" }));

const options = { pages, appName: "Harbour", renderProblem: undefined };

describe("pages of a package", () => {
  test("get the requests below their prefix, with session and form", async () => {
    const world = await startWorld({ options });
    const browser = await world.signedIn();
    expect((await browser.request("/_auth/account?a=b")).text).toMatch(/^\/account person-ada $/);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", headers, body: "name=Kitchen" };
    expect((await browser.request("/_auth/devices/x/name", init)).text).toContain("Kitchen");
  });

  test("lead a visitor without a session to login, and back", async () => {
    const world = await startWorld({ options });
    const { headers } = await world.browser().request("/_auth/account", {
      headers: { accept: "text/html" },
    });
    expect(headers.get("location")).toContain("returnTo=%2F_auth%2Faccount");
  });

  test("leave other paths below their prefix to the app and its guard", async () => {
    const world = await startWorld({ options, app: () => new Response("of the app") });
    const browser = await world.signedIn();
    expect((await browser.request("/_auth/other")).text).toBe("of the app");
    expect((await browser.request("/account")).text).toBe("of the app");
  });

  test("below their prefix obey no rule for the whole app", async () => {
    const none = { claim: { role: "none" } };
    const accessRules = { "/": none, "/_auth/devices": none };
    const world = await startWorld({ options: { ...options, accessRules } });
    const browser = await world.signedIn();
    const html = { headers: { accept: "text/html" } };
    expect((await browser.request("/_auth/account", html)).status).toBe(200);
    expect((await browser.request("/_auth/devices", html)).status).toBe(403);
  });

  test("get the requests of the whole app if they have its root", async () => {
    const whole = rooted("");
    const world = await startWorld({
      options: { ...options, pages: whole, publicPaths: [] },
      app: () => new Response("of the app"),
    });
    const browser = await world.signedIn();
    expect((await browser.request("/account?a=b")).text).toMatch(/^\/account person-ada $/);
    expect((await browser.request("/_auth/why")).text).toMatch(/^\/_auth\/why person-ada $/);
    expect((await browser.request("/other")).text).toBe("of the app");
    const { headers } = await world.browser().request("/account", {
      headers: { accept: "text/html" },
    });
    expect(headers.get("location")).toContain("returnTo=%2Faccount");
  });

  test("at the root of the app obey its rules, apart from public paths", async () => {
    const accessRules = { "/": { acr: "mfa" }, "/devices": { claim: { role: "none" } } };
    const world = await startWorld({
      options: { ...options, pages: rooted(""), publicPaths: ["/account"], accessRules },
    });
    const browser = await world.signedIn();
    const html = { headers: { accept: "text/html" } };
    expect((await browser.request("/account", html)).status).toBe(200);
    expect((await browser.request("/reports", html)).headers.get("location")).toContain("stepUp=");
    expect((await browser.request("/devices", html)).status).toBe(403);
  });

  test.each(["/_auth", "/_auth/devices", "/assets"])(
    "at the root of the app refuse a rule for %s, which guards no page",
    async (path) => {
      const accessRules = { [path]: { maxAge: 300 } };
      const { auth } = await startWorld({
        options: { ...options, pages: rooted(""), accessRules },
      });
      await expect(auth.ready()).rejects.toThrow("covers routes of sign-in");
    },
  );

  test("read no session and set no cookie for a file", async () => {
    const world = await startWorld({ options });
    const { headers, text } = await (await world.signedIn()).request("/_auth/file");
    expect(text).toBe("a file");
    expect(headers.getSetCookie()).toEqual([]);
  });

  test("render the problems of the app, with its name", async () => {
    const world = await startWorld({ options });
    const { text, status } = await world.browser().request("/api/auth/nothing", {
      headers: { accept: "text/html" },
    });
    expect([status, text]).toEqual([404, "problem not-found of Harbour"]);
  });

  test.each([
    ["not_found", 404, "not-found", "ERR_NOT_FOUND"],
    ["internal", 500, "server-error", "ERR_INTERNAL"],
  ] as const)(
    "render the refusal %s of a handler with status %i, and scripts get its code",
    async (reason, status, kind, code) => {
      const cause = new Error("broken");
      const app = () => {
        throw new Refusal(reason, { cause });
      };
      const world = await startWorld({ options, app });
      const browser = await world.signedIn();
      const page = await browser.request("/reports", { headers: { accept: "text/html" } });
      expect(page).toMatchObject({ status, text: `problem ${kind} of Harbour` });
      const script = await browser.request("/reports", { headers: { accept: "*/*" } });
      expect([script.status, JSON.parse(script.text)]).toMatchObject([status, { error: code }]);
      const error = status === 500 ? cause : undefined;
      expect(world.events).toContainEqual(expect.objectContaining({ reason, status, error }));
    },
  );

  test("have their own policy, and pages of the app keep the app's", async () => {
    const page = () => ({ html: "a page", policy: "default-src 'none'" });
    const create = () => ({ problem: page, signedOut: page, keptForm: page });
    const own = "default-src 'self'";
    const { send, cookie } = await servedApp(
      (auth) => {
        const app = express().set("env", "test");
        app.use((_req, res, next) => {
          res.set("Content-Security-Policy", own);
          next();
        });
        app.use(latchkey(auth));
        app.get("/private", (req, res) => void res.send(req.auth.require({ scope: "none" }).user));
        return app.get("/", (_req, res) => void res.send("home"));
      },
      { pages: pagesPart(create) },
    );
    const policyOf = async (target: string) => {
      const response = await send({ target, headers: { cookie, accept: "text/html" } });
      return [response.body, response.header("content-security-policy")];
    };
    expect(await policyOf("/")).toEqual(["home", own]);
    for (const target of ["/api/auth/nothing", "/private"]) {
      expect(await policyOf(target)).toEqual(["a page", "default-src 'none'"]);
    }
    const signedOut = await send({ target: "/_auth/signed-out" });
    expect(signedOut.header("content-security-policy")).toBe("default-src 'none'");
  });

  test("that fail unexpectedly give a problem page with status 500", async () => {
    const failing = pagesPart((site) => ({
      ...pagesOf(site),
      respond: () => Promise.reject(new Error("broken")),
    }));
    const world = await startWorld({ options: { ...options, pages: failing } });
    const { status, text } = await world.browser().request("/_auth/account", {
      headers: { accept: "text/html" },
    });
    expect([status, text]).toEqual([500, "problem server-error of Harbour"]);
    expect(world.events).toContainEqual(expect.objectContaining({ reason: "internal" }));
  });

  test("are a fault of the settings if they are no pages", async () => {
    const wrong = { pages: { name: "Harbour" } } as unknown as Partial<Options>;
    const { auth } = await startWorld({ options: wrong });
    await expect(auth.ready()).rejects.toThrow("pages: must be made by pages() of @latchkey/pages");
  });

  test("explain wrong settings in development, and not in production", async () => {
    const policy = "default-src 'none'";
    const setup = async () => ({ html: "which settings are wrong", policy });
    const answer = async (production: boolean) => {
      const broken = { ...options, pages: { ...pages, setup }, scope: "email", production };
      const { browser } = await startWorld({ options: broken });
      return browser().request("/", { headers: { accept: "text/html" } });
    };
    const { status, text, headers } = await answer(false);
    expect([status, text]).toEqual([500, "which settings are wrong"]);
    expect(headers.get("content-security-policy")).toBe(policy);
    expect((await answer(true)).text).not.toContain("which settings");
  });
});
