/** An app with the pages of `@latchkey/pages`, and the local provider, for a story. */
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { startProvider } from "@latchkey/provider";
import type { RunningProvider } from "@latchkey/provider";
import { pages } from "@latchkey/pages";
import type { PagesSettings } from "@latchkey/pages";
import { languages } from "@latchkey/pages/languages";
import express from "express";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { createAuth } from "latchkey";
import type { Auth, Options } from "latchkey";
import { latchkey as expressSignIn } from "latchkey/express";
import { latchkey as honoSignIn } from "latchkey/hono";
import { memoryStore } from "latchkey/memory";
import { clientSettings } from "./client-settings.ts";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";

export interface PagesApp {
  readonly url: string;
  readonly provider: RunningProvider;
  /** Warnings in the log. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** The hosts of the stories: one on `node:http`, one with Web requests. */
export const pagesHosts = ["express", "hono"] as const;

export type PagesHost = (typeof pagesHosts)[number];

/** Starts an app with one page of its own, the home page. */
export async function startPagesApp(
  host: PagesHost,
  settings: PagesSettings,
  options: Partial<Options> = {},
): Promise<PagesApp> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await startProvider({ appURL: url });
  const warnings: string[] = [];
  const auth = createAuth({
    ...clientSettings(url, provider),
    store: memoryStore(),
    session: { stateful: true },
    activity: true,
    streams: 10,
    publicPaths: ["/"],
    log: (event) => {
      if (event.event === "warning") warnings.push(event.message);
    },
    pages: pages({ languages, ...settings }),
    ...options,
  });
  const server = createServer(listenerOf(host, auth));
  await new Promise<void>((resolve) => {
    server.listen(port, "localhost", resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    provider,
    warnings,
    async close() {
      auth.endStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await auth.close();
      await provider.close();
    },
  };
}

/** The policy of the app's own pages, which neither style nor script of ours fits. */
export const ownPolicy = "default-src 'self'";

const home = `<h1>Home</h1><a href="/_auth/account">Your account</a>`;

function listenerOf(host: PagesHost, auth: Auth): RequestListener {
  if (host === "hono") {
    const policy = secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"] } });
    // In this order: Hono's middleware sets its headers when the response comes back.
    const app = new Hono().use(honoSignIn(auth)).use(policy);
    app.get("/", (context) => context.html(home));
    const listener = getRequestListener(app.fetch);
    return (request, response) => void listener(request, response);
  }
  const app = express();
  app.use((_request, response, next) => {
    response.setHeader("Content-Security-Policy", ownPolicy);
    next();
  });
  app.use(expressSignIn(auth));
  app.get("/", (_request, response) => void response.send(home));
  return app;
}
