import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

import { type RunningApp, runApp } from "./running-app.support.ts";

const rules = {
  "wiki.localhost": {
    "/public": "public",
    "/comments": "optional",
    "/admin": { claim: { groups: "admins" } },
    "/admin/health": "public",
    "/money": { maxAge: 60 },
    "OPTIONS /calls": "public",
    "/calls": "signed-in",
  },
  "open.localhost:8080": "public",
};

const checkEnvironment = {
  LATCHKEY_CHECK_PORT: "0",
  LATCHKEY_CHECK_RULES: JSON.stringify(rules),
  LATCHKEY_SESSION_STATEFUL: "true",
  LATCHKEY_SESSION_COOKIE_DOMAIN: "localhost",
  LATCHKEY_SESSION_RENEW_AFTER: "60",
};

/** A running app with a check, and rules for two hosts. */
export interface CheckedApp extends RunningApp {
  /** Sends the question of a proxy; by default about a page that demands a sign-in. */
  readonly ask: (asked?: Asked) => Promise<Response>;
  /** Headers of the signed-in user. */
  readonly signedIn: (more?: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

export async function runCheckedApp(
  more: Readonly<Record<string, string>> = {},
): Promise<CheckedApp> {
  const app = await runApp({ ...checkEnvironment, ...more });
  return {
    ...app,
    ask: (asked) => ask(app.checkURL, asked),
    signedIn: (headers) => ({ cookie: app.cookies, ...headers }),
  };
}

export interface Asked {
  readonly proxy?: string;
  readonly method?: string;
  readonly host?: string;
  readonly uri?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As proxies do: `fetch` of Node would add headers of browsers. */
async function send(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const [incoming] = (await once(get(url, { headers, agent: false }), "response")) as [
    IncomingMessage,
  ];
  const { rawHeaders, statusCode = 0 } = incoming;
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : [],
  );
  return new Response(await text(incoming), { status: statusCode, headers: pairs });
}

function ask(
  checkURL: string,
  { proxy = "caddy", method = "GET", ...asked }: Asked = {},
): Promise<Response> {
  const { host = "wiki.localhost", uri = "/page?a=1", headers = {} } = asked;
  return send(`${checkURL}/check/${proxy}`, {
    accept: "text/html",
    "x-forwarded-method": method,
    "x-forwarded-host": host,
    "x-forwarded-uri": uri,
    ...headers,
  });
}
