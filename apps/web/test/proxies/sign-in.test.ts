import { startProvider } from "@latchkey/provider";
import { expect, test } from "vitest";

import { createBrowser } from "../../../../packages/latchkey/test/browser/browser.ts";
import { freePort } from "../../../../packages/latchkey/test/servers/free-port.ts";
import { findProxy, startProxy } from "./example-proxy.ts";
import { startProxiedApp } from "./proxied-app.ts";

test.skipIf(findProxy("nginx") === null)(
  "a visitor behind nginx signs in at the provider, and comes back to the whole address",
  async () => {
    const own = await freePort();
    const url = `http://localhost:${own}`;
    const provider = await startProvider({
      port: 0,
      clients: [
        {
          id: "app",
          secret: "a client secret",
          redirectURIs: [`${url}/signin/api/auth/callback`],
        },
      ],
    });
    const world = await startProxiedApp(
      (ports) => startProxy("nginx", ports),
      {
        LATCHKEY_ISSUER_BASE_URL: provider.issuer,
      },
      own,
    );
    const browser = createBrowser(url);
    const page = await browser.signIn(`${url}/page?a=1&b=%20c`);
    expect([page.status, page.text]).toEqual([200, "the application"]);
    expect(world.received.map((each) => each.url)).toEqual(["/page?a=1&b=%20c"]);
    expect(world.received[0]?.headers["latchkey-sub"]).toMatch(/./);
    await world.close();
    await provider.close();
  },
);
