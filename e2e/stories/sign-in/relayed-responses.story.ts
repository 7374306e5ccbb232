/** A preview and production are two sites, and the provider is a third one. */
import { createCertificate, startProvider } from "@latchkey/provider";
import { expect, test } from "../../test-app.ts";
import { longTests } from "../../../packages/latchkey/test/long-tests.ts";
import { startRelayApp } from "../../../packages/latchkey/test/relay/start-relay-app.ts";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";
import { openHTTPSFront } from "../../https-front.ts";

test.use({ ignoreHTTPSErrors: true });

const secret = "a-relay-secret-of-the-stories-0123456789";

/** The address of a front by another name of this machine, which is a site of its own. */
function atName(url: string, name: string): string {
  return url.replace("localhost", `${name}.localhost`);
}

async function startShop(responseMode: "form_post" | "query") {
  const certificate = await createCertificate();
  const [port, previewPort] = [await freePort(), await freePort()];
  const fronts = [
    await openHTTPSFront(certificate, port),
    await openHTTPSFront(certificate, previewPort),
  ] as const;
  const production = atName(fronts[0].url, "shop");
  const preview = atName(fronts[1].url, "pr-7--shop");
  const provider = await startProvider({ appURL: production });
  const [client] = provider.clients;
  const options = {
    issuerBaseURL: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
    responseMode,
  };
  const apps = await Promise.all([
    startRelayApp({
      port,
      baseURL: production,
      options: { ...options, secret: "the-secret-of-production-0123456789" },
      relay: { secret, origins: [preview] },
    }),
    startRelayApp({
      port: previewPort,
      baseURL: preview,
      options: { ...options, secret: "the-secret-of-the-preview-0123456789" },
      relay: { secret, url: production },
    }),
  ]);
  return {
    production,
    preview,
    close: () => Promise.all([...apps, ...fronts, provider].map((each) => each.close())),
  };
}

// A redirect with a query needs less of a browser than a form, so it is a long story.
for (const [responseMode, status, method] of [
  ["form_post", 307, "POST"] as const,
  ...(longTests ? [["query", 303, "GET"] as const] : []),
]) {
  test(`MX-084: a person signs in at a preview by the redirect URI of production, ${responseMode}`, async ({
    page,
    context,
  }) => {
    const shop = await startShop(responseMode);
    try {
      await page.goto(`${shop.preview}/orders`);
      const relayed = page.waitForResponse((response) =>
        response.url().startsWith(`${shop.production}/api/auth/callback`),
      );
      const received = page.waitForRequest((request) =>
        request.url().startsWith(`${shop.preview}/api/auth/callback`),
      );
      await page.getByRole("button", { name: "Ada Okafor" }).click();
      await expect(page).toHaveURL(`${shop.preview}/orders`);
      await expect(page.getByText("a page of the app")).toBeVisible();
      expect([(await relayed).status(), (await received).method()]).toEqual([status, method]);
      expect(await context.cookies(shop.production)).toEqual([]);
      const names = (await context.cookies(shop.preview)).map(({ name }) => name);
      expect(names).toContain("appSession");
      expect(names.filter((name) => name.startsWith("auth_verification"))).toEqual([]);
    } finally {
      await shop.close();
    }
  });
}
