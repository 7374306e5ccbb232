/** An app over https that binds sessions to devices, the local provider and a browser with keys. */
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import type { Browser, BrowserContext, Page, Response } from "@playwright/test";
import { createCertificate, startProvider } from "@latchkey/provider";
import type { Certificate } from "@latchkey/provider";
import { createAuth } from "latchkey";
import type { Options } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { protect, type SignedRequest } from "latchkey/node";
import { clientSettings } from "./client-settings.ts";
import { findDeviceBoundBrowser } from "../tools/browser/device-bound.ts";

export interface DeviceApp {
  readonly url: string;
  readonly certificate: Certificate;
  readonly browser: Browser;
  /** Method, path and status of each request, in order; of a WebSocket, whether it is proved. */
  readonly requests: readonly string[];
  /** Moves the clock of the app on. */
  advance(seconds: number): void;
  /** Replaces the app by one with other options. */
  deploy(options: Partial<Options>): void;
  /** Lets something before the app answer these requests; `null` for none. */
  putBefore(front: Front | null): void;
  close(): Promise<void>;
}

/** A proxy, a limit or a maintenance page before the app. */
export interface Front {
  /** Paths that it answers itself. */
  readonly paths: readonly string[];
  answer(response: ServerResponse): void;
}

export interface DeviceAppSettings {
  /** Whether the browser signs six times in nine minutes at most, by its own clock. */
  readonly limitsSignatures?: boolean;
  /** Default: `localhost`. */
  readonly host?: string;
  /** Another app, for the same browser. */
  readonly beside?: DeviceApp;
}

export async function startDeviceApp(
  options: Partial<Options> = {},
  { limitsSignatures = true, host = "localhost", beside }: DeviceAppSettings = {},
): Promise<DeviceApp> {
  const certificate = beside?.certificate ?? (await createCertificate());
  let offset = 0;
  let front: Front | null = null;
  const requests: string[] = [];
  const server = createServer(certificate, (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    response.once("finish", () => {
      requests.push(`${request.method} ${path} ${response.statusCode}`);
    });
    if (front?.paths.includes(path) === true) front.answer(response);
    else listener(request, response);
  });
  server.on("upgrade", ({ url: path, headers }, socket) => {
    const isProved = headers.cookie?.includes("appSession.device=") === true;
    requests.push(`UPGRADE ${path} ${isProved ? "proved" : "unproved"}`);
    socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
  });
  await once(server.listen(0, "localhost"), "listening");
  const url = `https://${host}:${(server.address() as AddressInfo).port}`;
  const provider = await startProvider({ port: 0, appURL: url });
  const store = memoryStore();
  const listenerWith = (changed: Partial<Options>) =>
    protect(
      createAuth({
        ...clientSettings(url, provider),
        store,
        clock: () => Date.now() + offset,
        log: () => undefined,
        session: { stateful: true, deviceBound: "enforce" },
        ...options,
        ...changed,
      }),
      showPage,
    );
  let listener = listenerWith({});
  const browser = beside?.browser ?? (await startBrowser(certificate, limitsSignatures));
  return {
    url,
    certificate,
    browser,
    requests,
    advance: (seconds) => void (offset += seconds * 1000),
    deploy: (changed) => void (listener = listenerWith(changed)),
    putBefore: (next) => void (front = next),
    async close() {
      if (beside === undefined) await browser.close();
      server.closeAllConnections();
      await once(server.close(), "close");
      await provider.close();
    },
  };
}

/** A page with the name of its user, or a stream with it; and a service worker. */
function showPage(request: SignedRequest, response: ServerResponse): void {
  const name = String(request.auth.user?.name);
  if (request.url === "/worker.js") {
    response.setHeader("Content-Type", "text/javascript");
    response.end(serviceWorker);
    return;
  }
  const isStream = request.headers.accept === "text/event-stream";
  response.setHeader("Content-Type", isStream ? "text/event-stream" : "text/html; charset=utf-8");
  response.end(
    isStream ? `data: ${name}\n\n` : `<!doctype html><title>App</title><h1>${name}</h1>`,
  );
}

/** Fetches by itself what pages request. */
const serviceWorker = `
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("fetch", (event) => {
    if (event.request.mode !== "navigate") event.respondWith(fetch(event.request));
  });
`;

/** Both features are needed for keys in software; with an untrusted certificate there are none. */
function startBrowser({ cert }: Certificate, limitsSignatures: boolean): Promise<Browser> {
  const sessions = `DeviceBoundSessions${limitsSignatures ? "" : ":RefreshQuota/false"}`;
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  const pin = createHash("sha256").update(key).digest("base64");
  const executablePath = findDeviceBoundBrowser();
  if (executablePath === undefined) throw new Error("No browser here binds sessions.");
  return chromium.launch({
    executablePath,
    args: [
      "--headless=new",
      "--no-sandbox",
      `--enable-features=${sessions},EnableBoundSessionCredentialsSoftwareKeysForManualTesting`,
      `--ignore-certificate-errors-spki-list=${pin}`,
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * Signs in at the provider, and returns when the app's page is there and the session is bound; with
 * the response of the callback.
 */
export async function signInBound(
  app: DeviceApp,
  given?: BrowserContext,
): Promise<[BrowserContext, Page, Response]> {
  const context = given ?? (await app.browser.newContext({ ignoreHTTPSErrors: true }));
  const page = await context.newPage();
  await page.goto(`${app.url}/page`);
  const [callback] = await Promise.all([
    page.waitForResponse((each) => each.url().includes("/api/auth/callback")),
    page.getByRole("button", { name: "Ada Okafor" }).click(),
  ]);
  await page.getByRole("heading", { name: "Ada Okafor" }).waitFor();
  await proofCookie(app, context);
  // This request carries the proof: it binds the session.
  await page.goto(`${app.url}/page`);
  return [context, page, callback];
}

/** Waits for the cookie of the proof. */
async function proofCookie(app: DeviceApp, context: BrowserContext): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- until it is there
    const cookies = await context.cookies(app.url);
    if (cookies.some(({ name }) => name === "appSession.device")) return;
    // oxlint-disable-next-line no-await-in-loop -- the same
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error("The browser has registered no key.");
}
