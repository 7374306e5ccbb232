import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { startProvider } from "@latchkey/provider";
import { describe, expect, onTestFinished, test } from "vitest";

import { changingHead } from "../../../../test/cli/doctor-fronts.ts";
import type { Front } from "../../../../test/cli/doctor-world.ts";
import { protect } from "../../../adapters/node.ts";
import { createAuth, type Settings } from "../../../index.ts";
import { readConfig } from "../../../config/config.ts";
import { ask, objectOf, textIn } from "../ask.ts";
import { runChecks } from "../run-checks.ts";
import { addressChecks, appChecks } from "./app-checks.ts";
import { askApp } from "./ask-app.ts";

interface World {
  /** What stands in front of the app, such as a proxy. */
  readonly front?: Front;
  /** Settings of the running app that differ from those read by the doctor. */
  readonly running?: Partial<Settings>;
  /** Settings of both. */
  readonly settings?: Partial<Settings>;
  /** The endpoint of the provider in the settings; by default that of the running app. */
  readonly authorizationEndpoint?: string;
  /** Further instances of the app: each answers in turn. */
  readonly others?: readonly Partial<Settings>[];
  /** The opened address; by default the base URL. */
  readonly opened?: (baseURL: string) => string;
  readonly maxHeaderSize?: number;
}

async function found({
  front,
  running,
  settings: more,
  authorizationEndpoint,
  others = [],
  opened = (url) => url,
  maxHeaderSize = 65_536,
}: World) {
  const server = createServer({ maxHeaderSize });
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  const baseURL = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = await startProvider({ appURL: baseURL });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await provider.close();
  });
  const settings: Settings = {
    secret: "Jq3Ykq9wXm2Zr4LpV7nBT5dF8sH1gC6a",
    baseURL,
    issuerBaseURL: provider.issuer,
    clientID: "latchkey",
    clientSecret: "local-trial-secret-that-everyone-may-know",
    ...more,
  };
  const instances = [{ ...running }, ...others].map((own) => {
    const auth = createAuth({ ...settings, ...own, log: () => undefined });
    return protect(auth, (_request, response) => void response.end("the app"));
  });
  let asked = 0;
  const app: RequestListener = (request, response) =>
    instances[(asked += 1) % instances.length]?.(request, response);
  server.on("request", (request, response) =>
    front === undefined ? app(request, response) : front(request, response, app),
  );
  const config = readConfig(settings, { hasStore: false });
  const answers = await askApp(config, opened(baseURL), fetch);
  const failed = new Set<string>();
  const place = `${provider.issuer}/.well-known/openid-configuration`;
  const metadata = objectOf(await ask(fetch, place));
  const endpoint = authorizationEndpoint ?? textIn(metadata, "authorization_endpoint");
  const ofProvider = { endSessionEndpoint: null, isProviderBusy: false };
  const facts = { ...answers, authorizationEndpoint: endpoint, ...ofProvider };
  const findings = [
    ...runChecks(addressChecks, answers, failed),
    ...runChecks(appChecks, facts, failed),
  ];
  return findings
    .filter(({ verdict }) => verdict === "failure" || verdict === "warning")
    .map(({ id, verdict }) => `${id} ${verdict}`);
}

/** Redirects every route without a final slash. */
function redirecting(to: (path: string, query: string) => string, status = 308): Front {
  return (request, response, app) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.endsWith("/")) {
      // Frameworks route both spellings.
      request.url = pathname.slice(0, -1) + search;
      app(request, response);
    } else {
      response.writeHead(status, { Location: to(pathname, search) }).end();
    }
  };
}

const cookiesOf = (response: ServerResponse): string[] =>
  [response.getHeader("set-cookie") ?? []].flat().map(String);

test("a healthy app has no finding", async () => {
  expect(await found({})).toEqual([]);
});

describe("an app that binds sessions to devices, at another address than its https one [DB-018]", () => {
  const settings = { baseURL: "https://app.example", session: { deviceBound: "enforce" as const } };
  const answering =
    (answer: (response: ServerResponse) => unknown): Front =>
    (request, response, app) =>
      request.method === "POST" ? void answer(response) : app(request, response);

  test("has no finding of its own if the route answers", async () => {
    expect(await found({ settings })).toEqual(["D29 failure"]);
  });

  test.each([
    [
      "redirects to https",
      (to: ServerResponse) =>
        to.writeHead(301, { Location: "https://app.example/api/auth/device" }).end(),
    ],
    ["limits requests", (to: ServerResponse) => to.writeHead(429).end()],
    ["wants a token", (to: ServerResponse) => to.writeHead(403).end("CSRF")],
    ["does not know the route", (to: ServerResponse) => to.writeHead(404).end()],
    ["answers by a page", (to: ServerResponse) => to.end("<h1>Just a moment</h1>")],
  ])("is warned of a proxy that %s", async (_, answer) => {
    const front = answering(answer);
    expect(await found({ settings, front })).toEqual(["D29 failure", "D44 failure"]);
  });

  test("is found to run without the setting", async () => {
    const running = { session: { deviceBound: "off" as const } };
    expect(await found({ settings, running })).toEqual(["D29 failure", "D44 failure"]);
  });

  test.each([
    ["http", "http://app.example", {}],
    ["a cookie of the domain", "https://app.example", { cookie: { domain: "app.example" } }],
  ])("does not start over %s, and the doctor names the setting", (_, baseURL, cookie) => {
    const session = { deviceBound: "enforce" as const, ...cookie };
    const given = { baseURL, issuerBaseURL: "https://id.example", clientID: "app", session };
    const secret = "Jq3Ykq9wXm2Zr4LpV7nBT5dF8sH1gC6a";
    const read = () => readConfig({ ...given, secret, clientSecret: "c" }, { hasStore: false });
    expect(read).toThrow(/session.deviceBound|LATCHKEY_SESSION_DEVICE_BOUND/);
  });
});

test("an app that does not answer gets one request", async () => {
  let requests = 0;
  const front: Front = (request) => {
    requests += 1;
    request.socket.destroy();
  };
  expect(await found({ front })).toEqual(["D28 failure"]);
  expect(requests).toBe(1);
});

test("nothing is found if a proxy of development changes the host", async () => {
  const front: Front = (request, response, app) => {
    const isFirst = !(request.url ?? "").includes("at=base-url");
    if (isFirst) request.headers.host = "localhost:1";
    app(request, response);
  };
  expect(await found({ front })).toEqual([]);
});

test("nothing is found if a framework adds a slash to every address", async () => {
  expect(await found({ front: redirecting((path, query) => `${path}/${query}`) })).toEqual([]);
});

test("nothing is found if a proxy takes cookies of 8 KB, as nginx does by default", async () => {
  expect(await found({ maxHeaderSize: 9000 })).toEqual([]);
});

test("nothing is found if requests are pushed", async () => {
  expect(await found({ settings: { pushedAuthorizationRequests: true } })).toEqual([]);
});

test.each<[string, World, string]>([
  [
    "a single-page app answers every path",
    {
      front: (_request, response) =>
        void response.setHeader("Content-Type", "text/html").end("<!doctype html>"),
    },
    "D28 failure",
  ],
  [
    "the auth routes are not mounted",
    { front: (_, response) => void response.writeHead(404).end() },
    "D28 failure",
  ],
  [
    "a proxy forwards only the auth prefix",
    {
      front: (request, response, app) => {
        if (request.url?.startsWith("/api") === true) app(request, response);
        else response.writeHead(404).end();
      },
    },
    "D28 failure",
  ],
  [
    "the app is opened at 127.0.0.1",
    { opened: (url) => url.replace("localhost", "127.0.0.1") },
    "D29 failure",
  ],
  ["the app runs with another client", { running: { clientID: "other" } }, "D30 failure"],
  [
    "the app runs with another base URL",
    { running: { baseURL: "http://localhost:1" } },
    "D30 failure",
  ],
  [
    "a proxy removes cookies",
    {
      front: changingHead((response) => {
        response.removeHeader("set-cookie");
      }),
    },
    "D31 failure",
  ],
  [
    "a proxy changes the flags of cookies",
    {
      front: changingHead((response) => {
        const lines = cookiesOf(response).map((line) => line.replace(/; HttpOnly/i, ""));
        if (lines.length > 0) response.setHeader("set-cookie", lines);
      }),
    },
    "D31 failure",
  ],
  [
    "the app runs with another provider",
    { authorizationEndpoint: "https://id.example/authorize" },
    "D30 failure",
  ],
  ["the server accepts hardly any cookie", { maxHeaderSize: 4000 }, "D32 failure"],
  ["the server accepts few cookies", { maxHeaderSize: 6000 }, "D32 failure"],
  [
    "the callback does not reach the app",
    {
      front: (request, response, app) => {
        if (request.url?.includes("/callback") === true) response.writeHead(404).end();
        else app(request, response);
      },
    },
    "D35 failure",
  ],
  [
    "a cache answers",
    { front: changingHead((response) => void response.setHeader("Age", "60")) },
    "D36 failure",
  ],
  [
    "the callback is redirected to itself without its query",
    { front: redirecting((path) => `${path}/`) },
    "D37 failure",
  ],
  [
    "the callback is redirected to another host",
    { front: redirecting((path, query) => `http://127.0.0.1:1${path}/${query}`) },
    "D37 failure",
  ],
  [
    "a redirect loses the form of the provider",
    {
      settings: { responseType: "code id_token" },
      front: redirecting((path, query) => `${path}/${query}`, 301),
    },
    "D37 failure",
  ],
  [
    "a proxy drops the query",
    {
      front: (request, response, app) => {
        request.url = request.url?.split("?", 1)[0] ?? "/";
        app(request, response);
      },
    },
    "D35 failure",
  ],
  [
    "a proxy drops the cookies of requests",
    {
      front: (request, response, app) => {
        delete request.headers.cookie;
        app(request, response);
      },
    },
    "D31 failure",
  ],
  [
    "a proxy sets a domain in cookies",
    {
      front: changingHead((response) => {
        const lines = cookiesOf(response).map((line) => `${line}; Domain=localhost`);
        if (lines.length > 0) response.setHeader("set-cookie", lines);
      }),
    },
    "D31 failure",
  ],
  [
    "a proxy takes no more than 4 KB of headers from the app",
    {
      front: changingHead((response) => {
        const size =
          cookiesOf(response).join().length + String(response.getHeader("location")).length;
        if (size < 3500) return undefined;
        response.removeHeader("set-cookie");
        return 502;
      }),
    },
    "D33 failure",
  ],
  [
    "an instance has another secret",
    { others: [{ secret: "another-Ykq9wXm2Zr4LpV7nBT5dF8sH1" }] },
    "D39 failure",
  ],
  [
    "a development server has a page of its own for /_auth",
    {
      front: (request, response, app) => {
        if (request.url?.startsWith("/api") === true) app(request, response);
        else response.setHeader("Content-Type", "text/html").end("<!doctype html>");
      },
    },
    "D28 failure",
  ],
  [
    "a proxy changes the path of the callback",
    {
      front: (request, response, app) => {
        request.url = request.url?.replace("/api/auth/callback", "/callback") ?? "/";
        app(request, response);
      },
    },
    "D35 failure",
  ],
  ["the app does not run", { front: (request) => void request.socket.destroy() }, "D28 failure"],
])("the first finding is the cause if %s", async (_what, world, expected) => {
  expect((await found(world))[0]).toBe(expected);
});
