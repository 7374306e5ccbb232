import { startProvider } from "@latchkey/provider";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";
import { expect, signIn, startTestApp, test } from "../../test-app.ts";

test("a sign-out at the provider ends the session by a frame without cookies [OP-092]", async ({
  page,
}) => {
  const port = String(await freePort());
  const appURL = `http://localhost:${port}`;
  const frontchannelLogoutURI = `${appURL}/api/auth/frontchannel-logout`;
  const provider = await startProvider({
    appURL,
    client: { frontchannelLogoutURI },
  });
  const [client] = provider.clients;
  const testApp = await startTestApp({
    PORT: port,
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: client?.id ?? "",
    LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
    LATCHKEY_BACKCHANNEL_LOGOUT: "false",
    LATCHKEY_FRONTCHANNEL_LOGOUT: "true",
  });
  try {
    await signIn(page, "Ada Okafor", `${testApp.url}/account`);
    await expect(page).toHaveURL(`${testApp.url}/account`);
    const framed = page.waitForResponse((response) =>
      response.url().startsWith(frontchannelLogoutURI),
    );
    await page.goto(`${provider.url}/session/end`);
    expect((await framed).status()).toBe(200);
    await page.goto(`${testApp.url}/account`);
    await expect(page).not.toHaveURL(`${testApp.url}/account`);
  } finally {
    await testApp.close();
    await provider.close();
  }
});
