import type { Certificate } from "@latchkey/provider";
import { startHostileProvider } from "@latchkey/provider/hostile";
import express from "express";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { latchkey } from "../../../src/adapters/express.ts";
import { authFromEnvironment } from "../../../src/adapters/node.ts";
import type { Auth, LogEvent } from "../../../src/index.ts";
import { atEnd } from "../../at-end.ts";
import { createBrowser } from "../../browser/browser.ts";
import { createCanaries } from "../world/canaries.ts";
import type { World } from "../world/hostile-world.ts";
import { brokenDuties } from "./duties.ts";
import { fields, type Plan, variables } from "./plans.ts";

/** The app of the README over https, and a provider of another site. They end by themselves. */
export interface PlanWorld extends World {
  /** The address for a field of the client in the suite's form. */
  address(field: string): string;
  /** Starts a new app at the same address, and empties the log of the provider. */
  begin(): Promise<void>;
  /** Moves the clock of the app on. */
  advance(seconds: number): void;
  /** The broken duties since `begin`, and the complaints of the provider. */
  judge(): readonly string[];
}

/** @param certificate trusted by this process */
export async function startPlanWorld(plan: Plan, certificate: Certificate): Promise<PlanWorld> {
  const server = await startSecureServer(certificate);
  const address = addressesOf(plan, server.origin);
  const provider = await startHostileProvider({
    tls: certificate,
    claimsIn: "userinfo",
    client: {
      redirectURIs: [address("redirect_uri")],
      postLogoutRedirectURIs: [address("post_logout_redirect_uri")],
    },
  });
  const { client, issuer } = provider;
  const events: LogEvent[] = [];
  let offsetMs = 0;
  let auth: Auth | undefined;

  async function begin(): Promise<void> {
    await auth?.close();
    auth = authFromEnvironment(
      {
        NODE_ENV: "production",
        LATCHKEY_BASE_URL: server.origin,
        LATCHKEY_ISSUER_BASE_URL: issuer,
        LATCHKEY_CLIENT_ID: client.id,
        LATCHKEY_CLIENT_SECRET: client.secret,
        LATCHKEY_SECRET: "a-secret-of-the-plans-0123456789abcdef",
        ...variables,
        ...plan.variables,
      },
      { clock: () => Date.now() + offsetMs, log: (event) => events.push(event) },
    );
    await auth.ready();
    server.serve(createApp(auth));
    provider.resetLog();
  }

  atEnd(async () => {
    await auth?.close();
    await server.close();
    await provider.close();
  });
  return {
    baseURL: server.origin,
    provider,
    events,
    canaries: createCanaries(),
    browser: () => createBrowser(server.origin),
    address,
    begin,
    advance: (seconds) => void (offsetMs += seconds * 1000),
    judge: () => [
      ...brokenDuties({
        requests: provider.requests,
        client,
        redirectURI: address("redirect_uri"),
      }),
      ...provider.complaints.map(({ says }) => says),
    ],
  };
}

/** The app of the README, with one more page, which refreshes. */
function createApp(auth: Auth): RequestListener {
  const app = express();
  app.use(latchkey(auth));
  app.get("/hello", (req, res) => {
    const { user } = req.auth.require();
    res.type("text").send(`Hello ${user.name ?? user.sub}`);
  });
  app.get("/refresh", async (req, res) => {
    res.type("text").send(await req.auth.accessToken({ refresh: true }));
  });
  return app;
}

function addressesOf(plan: Plan, origin: string) {
  const paths: Readonly<Record<string, string>> = { ...fields, ...plan.fields };
  return (field: string) => `${origin}${paths[field] ?? "/not-registered"}`;
}

/** A server on another site than that of the provider, which is `localhost`. */
async function startSecureServer(certificate: Certificate) {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const options = { ...certificate, keepAliveTimeout: 75_000 };
  const server = createServer(options, (request, response) => listener(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    serve: (next: RequestListener) => void (listener = next),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
