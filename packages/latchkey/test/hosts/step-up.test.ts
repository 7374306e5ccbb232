import express from "express";
import fastify from "fastify";
import { latchkey } from "latchkey/express";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { protect } from "latchkey/node";
import { parse } from "node:querystring";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { type Browser, formOn, linkOn } from "../browser/browser.ts";
import { hosts } from "./world/hosts.ts";
import { listenerOfFastify } from "../listeners.ts";
import { type HostWorld, type HostWorldSettings, worldOfTest } from "./world/host-world.ts";

const accessRules = { "/transfer": { acr: ["mfa", "phr"] }, "/gold": { acr: "gold" } };
const form = { "content-type": "application/x-www-form-urlencoded" };
const body = "amount=5&to=Ada+%26+%22Ben%22&to=Clara&note=%3Cb%3E%0D%0Aline";

const posted = (fields: string[][] = []) => ({ method: "POST", body: new URLSearchParams(fields) });

/** What a person sees who posts a form, signs in again and comes back. */
async function postAndProve(world: HostWorld, browser: Browser) {
  const init = { method: "POST", headers: form, body };
  const answer = await browser.open("/transfer?from=1", init);
  expect(answer.url.origin).toBe(world.provider.issuer);
  return browser.signIn(answer.url.href);
}

describe.each(hosts)("a form on $name whose path needs a better sign-in", (host) => {
  test("waits for it, is offered again with every field, and arrives when the person sends it [GW-049]", async () => {
    const called: string[] = [];
    const page = (target: string) => {
      called.push(target);
      return `the page ${target}`;
    };
    const world = await worldOfTest({
      app: (auth) => host.catchAll([auth], page),
      options: { accessRules },
    });
    const browser = await world.signedIn();
    called.length = 0;
    const offer = await postAndProve(world, browser);
    expect([offer.url.pathname, offer.status, called]).toEqual(["/_auth/form", 200, []]);
    expect(offer.headers.get("cache-control")).toBe("private, no-store");
    const { action = "", fields } = formOn(offer.text) ?? {};
    expect([action, new URLSearchParams(fields).toString()]).toEqual([
      `${world.baseURL}/transfer?from=1`,
      new URLSearchParams(body).toString(),
    ]);
    const sent = await browser.request(action, posted(fields));
    expect([sent.status, sent.text]).toEqual([200, "the page /transfer?from=1"]);
  });
});

test("an app renders the page with the kept form itself, from all data of the form [GW-049]", async () => {
  const world = await worldOfTest({
    app: (auth) => protect(auth, (_req, res) => void res.end("sent")),
    options: {
      accessRules,
      renderKeptForm: (waiting, { headers }) =>
        JSON.stringify({ ...waiting, language: headers.get("accept-language") }),
    },
  });
  const browser = await world.signedIn();
  await postAndProve(world, browser);
  const offer = await browser.request("/_auth/form", { headers: { "accept-language": "pl" } });
  expect([offer.status, offer.headers.get("content-type"), JSON.parse(offer.text)]).toEqual([
    200,
    "text/html; charset=utf-8",
    {
      action: `${world.baseURL}/transfer?from=1`,
      fields: [...new URLSearchParams(body)],
      homeURL: `${world.baseURL}/`,
      language: "pl",
    },
  ]);
});

const echo: HostWorldSettings["app"] = (auth) =>
  protect(auth, async (req, res) => {
    res.end(req.method === "POST" ? await text(req) : "the page");
  });

const parsing: Readonly<Record<string, HostWorldSettings["app"]>> = {
  Express: (auth) => {
    const app = express().use(latchkey(auth), express.urlencoded({ extended: false }));
    app.get("/private", (_req, res) => void res.end());
    return app.post("/transfer", (req, res) => {
      req.auth.require({ acr: "mfa" });
      res.json(req.body);
    });
  },
  "Express without a parser": (auth) => {
    const app = express().set("env", "test").use(latchkey(auth));
    app.get("/private", (_req, res) => void res.end());
    return app.post("/transfer", async (req, res) => {
      req.auth.require({ acr: "mfa" });
      res.json(parse(await text(req)));
    });
  },
  Fastify: (auth) => {
    const app = fastify();
    app.register(fastifyPlugin(auth));
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, sent, done) => done(null, parse(String(sent))),
    );
    app.get("/private", () => "");
    app.post("/transfer", (request) => {
      request.auth.require({ acr: "mfa" });
      return request.body;
    });
    return listenerOfFastify(app);
  },
};

describe("a form kept for a better sign-in", () => {
  const startWorld = () => worldOfTest({ app: echo, options: { accessRules } });

  test("is shown only to the user who posted it [GW-049]", async () => {
    const world = await startWorld();
    const ada = await world.signedIn();
    const answer = await ada.open("/transfer", { method: "POST", headers: form, body });
    const landed = await ada.signIn(answer.url.href, "person-ben");
    expect([landed.url.pathname, landed.status]).toEqual(["/_auth/form", 404]);
    expect(landed.text).not.toContain("amount");
  });

  test("is not kept if another site has posted it, and a page says it was not sent [GW-049]", async () => {
    const world = await worldOfTest({ app: echo, options: { accessRules } });
    const cookie = await (await world.signedIn()).cookies();
    for (const from of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const headers = { ...form, cookie, accept: "text/html", ...from };
      const target = "/transfer";
      const response = await world.send({ method: "POST", target, headers, body });
      expect([response.status, response.setCookies.join()]).toEqual([
        403,
        expect.not.stringContaining("auth_form"),
      ]);
      expect(response.body).toContain("Your form has not been sent");
    }
  });

  test.each([
    ["is too large to be kept", form, `a=${"x".repeat(9000)}`],
    ["is larger than any form", form, `a=${"x".repeat(70_000)}`],
    ["holds files", { "content-type": "multipart/form-data; boundary=x" }, "--x--\r\n"],
    ["is empty", form, ""],
  ])("is not lost without a word if it %s [GW-049]", async (_, type, sent) => {
    const world = await startWorld();
    const browser = await world.signedIn();
    const headers = { ...type, cookie: await browser.cookies(), accept: "text/html" };
    const target = "/transfer";
    const response = await world.send({ method: "POST", target, headers, body: sent });
    expect(response.status).toBe(403);
    expect(response.body).toContain("Your form has not been sent");
    await browser.signIn(linkOn(response.body, "stepUp="));
    const again = await browser.request("/transfer", { method: "POST", headers: form, body });
    expect([again.status, again.text]).toEqual([200, body]);
  });

  test.each(Object.entries(parsing))(
    "reaches a handler of %s which requires this sign-in itself [GW-049]",
    async (_, app) => {
      const world = await worldOfTest({ app });
      const browser = await world.signedIn();
      const page = await postAndProve(world, browser);
      const { action = "", fields } = formOn(page.text) ?? {};
      const sent = await browser.request(action, posted(fields));
      expect(JSON.parse(sent.text)).toEqual({
        amount: "5",
        to: ['Ada & "Ben"', "Clara"],
        note: "<b>\r\nline",
      });
    },
  );
});

describe("a better sign-in", () => {
  test("is requested from the provider, whatever else the address of login says [GW-049]", async () => {
    const world = await worldOfTest({ app: echo, options: { accessRules, maxAge: 900 } });
    const browser = await world.signedIn();
    const { location } = await browser.request("/transfer");
    const parameters = new URL((await browser.request(location)).location).searchParams;
    expect([parameters.get("acr_values"), parameters.get("max_age")]).toEqual(["mfa phr", "900"]);
    const login = new URL(location);
    login.searchParams.set("stepUp", `${login.searchParams.get("stepUp")}x`);
    login.searchParams.set("acr_values", "pwd");
    const forged = new URL((await browser.request(login.href)).location).searchParams;
    expect([forged.get("acr_values"), forged.get("max_age")]).toEqual([null, "900"]);
  });

  test("is refused in words if the provider does not deliver it, and the user keeps the session [GW-049]", async () => {
    const world = await worldOfTest({ app: echo, options: { accessRules } });
    const browser = await world.signedIn();
    const page = await browser.signIn("/gold");
    expect([page.status, page.url.pathname]).toEqual([403, "/api/auth/callback"]);
    expect(page.text).toContain("It needs a sign-in by gold.");
    expect((await browser.request("/private")).text).toBe("the page");
  });

  test("is required when the last one is too old, and lasts for a while [GW-049]", async () => {
    const world = await worldOfTest({
      app: echo,
      options: { accessRules: { "/recent": { maxAge: 5 } }, clockTolerance: 0 },
    });
    const browser = await world.signedIn();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6100 });
    onTestFinished(() => void vi.useRealTimers());
    const answer = await browser.open("/recent");
    expect(answer.url.origin).toBe(world.provider.issuer);
    const page = await browser.signIn(answer.url.href);
    expect([page.url.pathname, page.text]).toEqual(["/recent", "the page"]);
  });
});
