import { connectionIDForm } from "./constants.ts";
import type { Config } from "./config.ts";
import { isUnder } from "../http/request-target.ts";

/** A path as the app knows it: a reverse proxy may or may not have removed the base path. */
export function appPath({ basePath }: Pick<Config, "basePath">, path: string): string {
  if (!isUnder(basePath, path)) return path;
  return path.slice(basePath.length) || "/";
}

/** The absolute address of a path of the app. */
export function absolute({ baseURL }: Config, path: string): string {
  return baseURL + path;
}

export interface LoginParameters {
  /** The id in the path; see `Connection.named`. */
  readonly connection?: string | undefined;
  /** The destination afterwards. */
  readonly returnTo?: string | undefined;
  /** Asks the provider to let the person choose an account. */
  readonly prompt?: "select_account" | undefined;
  /**
   * Marks a login started by us after a failure, so there is no second one. `if-needed`: none
   * either if the user is signed in by then.
   */
  readonly restart?: "1" | "if-needed" | undefined;
  /** Starts a sign-in for a shared computer. */
  readonly shared?: "1" | undefined;
  /** Sealed: what this sign-in must prove. */
  readonly stepUp?: string | undefined;
  /** Sealed: parameters for the provider, set by a handler. */
  readonly params?: string | undefined;
}

/** The address of login: on the base URL, never on the host of the request. */
export function loginURL(
  config: Config,
  { connection, ...parameters }: LoginParameters = {},
): string {
  const login = absolute(config, config.routes.login);
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return withQuery(connection === undefined ? login : `${login}/${connection}`, fields);
}

/** The page on which users choose a connection, below the base path. */
export function chooserPath({ pagesPrefix }: Pick<Config, "pagesPrefix">): string {
  return `${pagesPrefix}/sign-in`;
}

/** The address of that page, with what it is to carry on. */
export function chooserURL(config: Config, fields: Fields = []): string {
  return withQuery(absolute(config, chooserPath(config)), fields);
}

/** The page of a kept form, below the base path. */
export function keptFormPath({ pagesPrefix }: Pick<Config, "pagesPrefix">): string {
  return `${pagesPrefix}/form`;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** An address with these parameters. */
export function withQuery(address: string, fields: Fields): string {
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return query === "" ? address : `${address}?${query}`;
}

/** Whether a path of the app is login, with or without the id of a connection. */
export function isLogin({ routes }: Pick<Config, "routes">, path: string): boolean {
  return path === routes.login || isOfConnection(routes.login, path);
}

/** Whether a path is a route with what may be the id of a connection behind it. */
export function isOfConnection(route: string, path: string): boolean {
  return isUnder(route, path) && connectionIDForm.test(path.slice(route.length + 1));
}

/** The page after logout. */
export function landingURL(config: Config): string {
  const { postLogoutRedirect } = config.routes;
  return /^https?:\/\//i.test(postLogoutRedirect)
    ? postLogoutRedirect
    : absolute(config, postLogoutRedirect);
}

/** The home page of the app. */
export function homeURL(config: Config): string {
  return `${config.baseURL}/`;
}

/** What a path must not lead to after sign-in, for `safeReturnTo`. */
export function returnToRules({ baseURL, basePath, routes, returnToOrigins }: Config) {
  return { baseURL, authPath: basePath + routes.prefix, otherOrigins: returnToOrigins };
}
