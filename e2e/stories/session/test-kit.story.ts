/** The test kit signs a user in on a page, as the guide for tests shows it. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "../../test-app.ts";
import { startProvider } from "@latchkey/provider";
import { createAuth } from "latchkey";
import { protect } from "latchkey/node";
import { createTestKit } from "latchkey/testing";

test("a page opens signed in after signInAs, and leads to login once the session has expired", async ({
  page,
}) => {
  const provider = await startProvider();
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  try {
    const url = urlOf(server);
    const auth = createAuth({
      baseURL: url,
      issuerBaseURL: provider.issuer,
      clientID: "latchkey",
      clientSecret: "local-trial-secret-that-everyone-may-know",
      secret: "a-secret-of-the-tests-that-is-long",
    });
    server.on(
      "request",
      protect(auth, ({ auth: { user } }, response) => void response.end(`Hello ${user?.name}`)),
    );
    const kit = createTestKit(auth);

    await kit.signInAs(page, { sub: "ada", name: "Ada Okafor" });
    await page.goto(url);
    await expect(page.locator("body")).toHaveText("Hello Ada Okafor");

    await kit.signInAs(page, { sub: "ada" }, { state: "expired" });
    await page.goto(url);
    await expect(page).toHaveURL(new RegExp(`^${provider.issuer}`));
  } finally {
    server.closeAllConnections();
    server.close();
    await provider.close();
  }
});

function urlOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://localhost:${port}`;
}
