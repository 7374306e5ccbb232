import express, { type Express } from "express";
import { AccessTokenError, type Auth } from "latchkey";
import { latchkey } from "latchkey/express";
import { expect, test } from "vitest";

import { worldOfTest } from "./world/host-world.ts";

const apps: Readonly<Record<string, (auth: Auth) => Express>> = {
  "does not catch the error of its access token": (auth) =>
    express()
      .set("env", "test")
      .use(latchkey(auth))
      .get("/reports", async (req, res) => void res.send(await req.auth.accessToken())),
  "leads to login itself": (auth) =>
    express()
      .use(latchkey(auth))
      .get("/reports", async (req, res) => {
        try {
          res.send(await req.auth.require().accessToken());
        } catch (error) {
          if (!(error instanceof AccessTokenError)) throw error;
          res.redirect("/api/auth/login?returnTo=/reports");
        }
      }),
};

test.each(Object.entries(apps))(
  "an app that %s, with tokens expired on arrival, ends on a page with the reason",
  async (_, app) => {
    const world = await worldOfTest({
      app,
      options: {
        hooks: {
          afterCallback: ({ refreshToken: _refused, ...session }) => ({
            ...session,
            accessTokenExpiresAt: 1,
          }),
        },
      },
    });
    const browser = world.browser();
    await browser.signIn("/reports");
    const headers = { "sec-fetch-dest": "document" };
    let page = await browser.request("/reports", { headers });
    for (let redirects = 1; page.location !== "" && redirects < 20; redirects += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one redirect leads to the next
      page = await browser.request(page.location, { headers });
    }
    expect([page.status, page.url.pathname]).toEqual([400, "/api/auth/login"]);
    expect(page.text).toContain("<h1>This app isn't set up correctly");
    expect(world.log()).toContain("sign_in_repeated");
  },
);
