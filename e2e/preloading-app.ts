/** An app whose service worker has each page fetched twice, for a story. */
import { createServer } from "node:http";
import { startProvider } from "@latchkey/provider";
import type { RunningProvider } from "@latchkey/provider";
import express from "express";
import { createAuth } from "latchkey";
import { latchkey } from "latchkey/express";
import { memoryStore } from "latchkey/memory";
import { clientSettings } from "./client-settings.ts";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";

export interface PreloadingApp {
  readonly url: string;
  readonly provider: RunningProvider;
  callbacks(): number;
  close(): Promise<void>;
}

export interface PreloadingSettings {
  /** Requests go to one after the other. */
  readonly instances: number;
  readonly shareStore: boolean;
}

/** It fetches what the browser has preloaded, as many workers do. */
const worker = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) =>
  event.waitUntil(registration.navigationPreload.enable().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const later = new Promise((resolve) => setTimeout(resolve, 50));
  event.respondWith(later.then(() => fetch(event.request)));
});`;

const home = `<!doctype html><h1></h1><script type="module">
navigator.serviceWorker.addEventListener("controllerchange", () => {
  document.querySelector("h1").textContent = "Service worker ready";
});
await navigator.serviceWorker.register("/worker.js");
</script>`;

export async function startPreloadingApp(settings: PreloadingSettings): Promise<PreloadingApp> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await startProvider({ appURL: url });
  const options = {
    ...clientSettings(url, provider),
    publicPaths: ["/", "/worker.js"],
    log: () => undefined,
    ...(settings.shareStore ? { store: memoryStore() } : {}),
  };
  const auths = Array.from({ length: settings.instances }, () => createAuth(options));
  const signIns = auths.map((auth) => latchkey(auth));
  let requests = 0;
  let callbacks = 0;
  const app = express();
  app.use((request, response, next) => {
    if (request.path === "/api/auth/callback") callbacks += 1;
    requests += 1;
    signIns[requests % signIns.length]?.(request, response, next);
  });
  app.get("/", (_request, response) => void response.send(home));
  app.get("/worker.js", (_request, response) => void response.type("js").send(worker));
  app.get("/private", (request, response) => {
    response.send(`<h1>Hello ${String(request.auth.require().user.name)}</h1>`);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(port, "localhost", resolve));
  return {
    url,
    provider,
    callbacks: () => callbacks,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(auths.map((auth) => auth.close()));
      await provider.close();
    },
  };
}
