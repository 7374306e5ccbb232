import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Certificate, createCertificate, startProvider } from "@latchkey/provider";
import { startHostileProvider } from "@latchkey/provider/hostile";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";
import { openHTTPSFront } from "../../https-front.ts";
import { expect, startTestApp, test } from "../../test-app.ts";

test.use({ ignoreHTTPSErrors: true });

interface Behind {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret?: string | undefined };
  close(): Promise<void>;
}

/** Opens the application over https. The provider posts responses of the given type. */
async function openOverHTTPS(
  responseType: string,
  startBehind: (appURL: string, certificate: Certificate) => Promise<Behind>,
) {
  const certificate = await createCertificate();
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-https-"));
  const trusted = path.join(folder, "certificate.pem");
  writeFileSync(trusted, certificate.cert);
  const port = await freePort();
  const front = await openHTTPSFront(certificate, port);
  const provider = await startBehind(front.url, certificate);
  const testApp = await startTestApp({
    PORT: String(port),
    LATCHKEY_BASE_URL: front.url,
    LATCHKEY_RESPONSE_TYPE: responseType,
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: provider.client.id,
    LATCHKEY_CLIENT_SECRET: provider.client.secret ?? "",
    NODE_EXTRA_CA_CERTS: trusted,
  });
  return {
    url: front.url,
    async close() {
      await testApp.close();
      await front.close();
      await provider.close();
      rmSync(folder, { recursive: true });
    },
  };
}

test("a person signs in with response type code id_token at a provider on another site, and out again", async ({
  page,
  context,
}) => {
  const app = await openOverHTTPS("code id_token", async (appURL) => {
    const provider = await startProvider({ appURL });
    const [client] = provider.clients;
    return { ...provider, client: { id: client?.id ?? "", secret: client?.secret } };
  });
  try {
    await page.goto(`${app.url}/sample?report=march`);
    const [pending] = await context.cookies(app.url);
    expect(pending).toMatchObject({
      name: "auth_verification",
      sameSite: "None",
      secure: true,
      httpOnly: true,
    });
    const posted = page.waitForRequest(`${app.url}/api/auth/callback`);
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await expect(page).toHaveURL(`${app.url}/sample?report=march`);
    await expect(page.locator("summary")).toHaveAccessibleName(/Ada Okafor/);
    expect((await posted).method()).toBe("POST");
    const cookies = await context.cookies(app.url);
    expect(cookies.find(({ name }) => name === "appSession")).toMatchObject({
      sameSite: "Lax",
      secure: true,
      httpOnly: true,
    });
    expect(cookies.filter(({ name }) => name.startsWith("auth_verification"))).toEqual([]);

    await page.reload();
    await expect(page.locator("summary")).toHaveAccessibleName(/Ada Okafor/);
    await page.goto(`${app.url}/devices`);
    await page.getByRole("main").getByRole("button", { name: "Sign out" }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You're signed out");
    expect((await page.request.get(`${app.url}/api/auth/me`)).status()).toBe(204);
  } finally {
    await app.close();
  }
});

test("a person signs in with response type id_token over https, and a response in the address is refused", async ({
  page,
}) => {
  const app = await openOverHTTPS("id_token", (_appURL, tls) => startHostileProvider({ tls }));
  try {
    await page.goto(`${app.url}/account`);
    await expect(page).toHaveURL(`${app.url}/account`);
    await expect(page.getByRole("region", { name: "You", exact: true })).toContainText(
      "Hedwig Falk",
    );
    expect((await page.goto(`${app.url}/api/auth/callback?id_token=x`))?.status()).toBe(405);
  } finally {
    await app.close();
  }
});
