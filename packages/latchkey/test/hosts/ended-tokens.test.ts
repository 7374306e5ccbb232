import express, { type Express } from "express";
import { AccessTokenError, type Auth } from "latchkey";
import { latchkey } from "latchkey/express";
import { expect, test } from "vitest";

import { worldOfTest } from "./world/host-world.ts";

/** As the guide shows it. */
function reports(auth: Auth): Express {
  const app = express().use(latchkey(auth));
  return app.get("/reports", async (req, res) => {
    try {
      res.send(await req.auth.require().accessToken());
    } catch (error) {
      if (!(error instanceof AccessTokenError)) throw error;
      res.redirect("/api/auth/login?returnTo=/reports");
    }
  });
}

test("an app which leads to login again and again, with tokens expired on arrival, ends on a page with the reason", async () => {
  const world = await worldOfTest({
    app: reports,
    options: { hooks: { afterCallback: ({ refreshToken: _refused, ...session }) => session } },
    provider: { lifetimes: { accessToken: 30 } },
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
});
