/** A single-page app and its server are two ports of `localhost`, as in development. */
import { createServer, type RequestListener } from "node:http";
import path from "node:path";

import { startProvider } from "@latchkey/provider";
import { expect, test } from "../../test-app.ts";
import express from "express";
import { createAuth } from "latchkey";
import { latchkey } from "latchkey/express";
import { memoryStore } from "latchkey/memory";
import { bundleSource } from "../../bundle-source.ts";
import { clientSettings } from "../../client-settings.ts";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";

const react = path.join(import.meta.dirname, "../../../packages/latchkey/src/react/index.ts");

const appOf = (server: string) => `
  import { createElement as element } from "react";
  import { createRoot } from "react-dom/client";
  import { AccountMenu, SignedIn, SignedOut, SignInLink, SignInProvider } from ${JSON.stringify(react)};
  const out = element(SignedOut, { key: "out" }, element(SignInLink));
  const within = element(SignedIn, { key: "in" }, (user) => ["Hello " + user.name, element(AccountMenu, { key: "menu" })]);
  const app = element(SignInProvider, { basePath: ${JSON.stringify(server)} }, [out, within]);
  createRoot(document.querySelector("main")).render(app);
`;

async function listen(port: number, listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(port, "localhost", resolve));
  return () => {
    server.closeAllConnections();
    server.close();
  };
}

/** The server of the recipe for two origins, with the local provider. */
async function startServer(port: number, origin: string) {
  const url = `http://localhost:${port}`;
  const provider = await startProvider({ appURL: url });
  const auth = createAuth({
    ...clientSettings(url, provider),
    store: memoryStore(),
    returnToOrigins: [origin],
    log: () => undefined,
  });
  const app = express();
  app.use((request, response, next) => {
    if (request.headers.origin === origin) {
      response.set("Access-Control-Allow-Origin", origin);
      response.set("Access-Control-Allow-Credentials", "true");
    }
    response.vary("Origin");
    next();
  });
  app.use(latchkey(auth));
  const stop = await listen(port, app);
  return {
    url,
    async close() {
      stop();
      await auth.close();
      await provider.close();
    },
  };
}

test("a single-page app signs in at a server of another port, and returns to its page", async ({
  page,
}) => {
  const origin = `http://localhost:${await freePort()}`;
  const server = await startServer(await freePort(), origin);
  const script = await bundleSource(appOf(server.url));
  const stop = await listen(Number(new URL(origin).port), (_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><title>App</title><main></main><script type="module">${script}</script>`,
    );
  });
  try {
    await page.goto(`${origin}/reports?month=5#total`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: /Ada/ }).click();
    await expect(page).toHaveURL(`${origin}/reports?month=5#total`);
    await expect(page.getByText(/Hello Ada/)).toBeVisible();

    // Another origin leads to the logout, so the server lets the user confirm it.
    await page.locator("summary").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${server.url}/_auth/signed-out`);
    await page.goto(`${origin}/reports`);
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  } finally {
    stop();
    await server.close();
  }
});
