import { type Environment, optionsFromEnvironment, type SessionData } from "latchkey";
import { openStore } from "latchkey/node";
import { signedInCookies } from "latchkey/testing";

import { builtForTests } from "../serving/built-files.support.ts";
import { compose } from "./compose.ts";
import { createLogger } from "./log.ts";
import { createHTTPServer, listen, type ServerOptions } from "../serving/http-server.ts";

/** The app on a loopback port, with a provider that does not respond. */
export interface RunningApp {
  /** Its address; its base URL, unless the environment names another. */
  readonly url: string;
  /** The address of its check for proxies; empty unless the environment has one. */
  readonly checkURL: string;
  /** A `Cookie` header of a signed-in person. */
  readonly cookies: string;
  /** A `Cookie` header of another sign-in; the app finds it if its store is a file. */
  signIn(change?: Partial<SessionData>): Promise<string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form as a page of the app does, by default without fields; a text is sent as it is. */
  post(
    path: string,
    headers?: Readonly<Record<string, string>>,
    fields?: Readonly<Record<string, string>> | string,
  ): Promise<Response>;
  close(): Promise<void>;
}

/** Discards all events. */
export const noObservers = {
  logger: createLogger("silent", process.stdout),
  telemetry: [],
};

const settings = {
  // Nothing listens on the discard port.
  LATCHKEY_ISSUER_BASE_URL: "http://localhost:9",
  LATCHKEY_CLIENT_ID: "app",
  LATCHKEY_CLIENT_SECRET: "a client secret",
  LATCHKEY_SECRET: "a-secret-of-more-than-thirty-two-characters",
  LATCHKEY_STORE: "memory:",
};

export async function runApp(more: Environment = {}): Promise<RunningApp> {
  // The base URL names the port, so it listens before there is an app.
  const served: ServerOptions = { fetch: () => new Response(), headers: [] };
  const server = createHTTPServer(served);
  const url = `http://localhost:${await listen(server, 0, "localhost")}`;
  const environment = { LATCHKEY_BASE_URL: url, ...settings, ...more };
  const { close, check, ...serverOptions } = await compose(
    environment,
    builtForTests,
    "memory:",
    noObservers,
  );
  Object.assign(served, serverOptions);
  const checkServer = check && createHTTPServer({ fetch: check, headers: [] });
  const checkURL =
    checkServer === null ? "" : `http://127.0.0.1:${await listen(checkServer, 0, "127.0.0.1")}`;
  const { options } = optionsFromEnvironment(environment);
  const user = { sub: "person-ada", name: "Ada Okafor", email: "ada@example.com" };
  const session = { user, accessToken: "canary-access", refreshToken: "canary-refresh" };
  const store = await openStore(environment.LATCHKEY_STORE);
  const signIn: RunningApp["signIn"] = (change) =>
    signedInCookies({ options: { ...options, store }, session: { ...session, ...change } });
  const ask = (path: string, init: RequestInit, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url + path, {
      redirect: "manual",
      headers: { accept: "text/html", ...headers },
      ...init,
    });
  return {
    url,
    checkURL,
    cookies: await signIn(),
    signIn,
    get: (path, headers) => ask(path, { method: "GET" }, headers),
    post: (path, headers, fields = {}) =>
      ask(
        path,
        { method: "POST", body: typeof fields === "string" ? fields : new URLSearchParams(fields) },
        { "content-type": "application/x-www-form-urlencoded", ...headers },
      ),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      checkServer?.close();
      checkServer?.closeAllConnections();
      await close();
      await store.close();
    },
  };
}
