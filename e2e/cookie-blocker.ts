/**
 * Blocks the cookies of one origin in any Chromium, because headless shells have no setting for it.
 */
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";

/** Runs a story in a browser without cookies of the origin. */
export async function withoutCookiesOf(
  origin: string,
  browser: Browser,
  options: BrowserContextOptions,
  story: (page: Page) => Promise<void>,
): Promise<void> {
  const proxy = await openProxyWithoutCookies(origin);
  const context = await browser.newContext({ ...options, proxy: { server: proxy.url } });
  try {
    await story(await openPageWithoutCookies(context));
  } finally {
    await context.close();
    await proxy.close();
  }
}

/** Opens a page with an empty `document.cookie`, and with `navigator.cookieEnabled` false. */
async function openPageWithoutCookies(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Emulation.setDocumentCookieDisabled", { disabled: true });
  return page;
}

async function openProxyWithoutCookies(origin: string) {
  const server = createServer((request, response) => forward(origin, request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

function forward(origin: string, request: IncomingMessage, response: ServerResponse): void {
  const target = new URL(request.url ?? "");
  const blocked = target.origin === origin;
  const headers = { ...request.headers };
  if (blocked) delete headers.cookie;
  const onward = send(target, { method: request.method, headers }, (incoming) => {
    const kept = { ...incoming.headers };
    if (blocked) delete kept["set-cookie"];
    response.writeHead(incoming.statusCode ?? 502, kept);
    incoming.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}
