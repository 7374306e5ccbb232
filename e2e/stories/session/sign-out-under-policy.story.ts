/** Apps with the policy of helmet: a form leads to the provider all the same. */
import { createServer } from "node:http";

import { startProvider } from "@latchkey/provider";
import { expect, test } from "../../test-app.ts";
import express from "express";
import { createAuth } from "latchkey";
import { latchkey } from "latchkey/express";
import { memoryStore } from "latchkey/memory";
import { clientSettings } from "../../client-settings.ts";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";

/** The defaults of helmet 8. */
const policy = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' https: 'unsafe-inline'",
  "upgrade-insecure-requests",
].join(";");

async function startApp() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await startProvider({ appURL: url });
  const auth = createAuth({
    ...clientSettings(url, provider),
    store: memoryStore(),
    publicPaths: ["/"],
    log: () => undefined,
  });
  const app = express();
  app.use((_request, response, next) => {
    response.set("Content-Security-Policy", policy);
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Referrer-Policy", "no-referrer");
    next();
  });
  app.use(latchkey(auth), express.urlencoded());
  app.get("/", (_request, response) => {
    const logout = `<form method="post" action="/api/auth/logout"><button>Sign out</button></form>`;
    const note = `<form method="post" action="/notes"><input name="text"><button>Save</button></form>`;
    response.send(`<title>Home</title>${logout}${note}<a href="/api/auth/login">Sign in</a>`);
  });
  app.post("/notes", (request, response) => void response.send(`Saved: ${request.body.text}`));
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(port, "localhost", resolve));
  return {
    url,
    provider,
    async close() {
      server.closeAllConnections();
      server.close();
      await auth.close();
      await provider.close();
    },
  };
}

test("the policy form-action 'self' of an app stops no sign-out", async ({ page }) => {
  const app = await startApp();
  try {
    await page.goto(app.url);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: /Ada/ }).click();
    await expect(page).toHaveURL(`${app.url}/`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${app.url}/_auth/signed-out`);
    await expect(page.getByText(/signed out/i).first()).toBeVisible();
    // The provider has ended its session, too: it lets the user choose again.
    await page.goto(`${app.url}/api/auth/login`);
    await expect(page.getByRole("button", { name: /Ada/ })).toBeVisible();
  } finally {
    await app.close();
  }
});

test("a form of a signed-out user leads to the provider", async ({ page }) => {
  const app = await startApp();
  try {
    await page.goto(app.url);
    await page.getByRole("textbox").fill("milk");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: /Ada/ })).toBeVisible();
    // The page in between is not in the history.
    await page.goBack();
    await expect(page).toHaveTitle("Home");
  } finally {
    await app.close();
  }
});
