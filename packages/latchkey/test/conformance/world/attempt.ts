import type { BrowserRequest, Endpoint, SeenRequest } from "@latchkey/provider/hostile";

import type { LogEvent } from "../../../src/index.ts";
import type { Answer, Browser } from "../../browser/browser.ts";
import { type Jar, jarOf } from "../../browser/cookie-jar.ts";
import type { World } from "./hostile-world.ts";

/** One attempt to sign in, with everything visible from outside. */
export interface Attempt {
  readonly browser: Browser;
  readonly login: Answer;
  /** The request to which the provider sent the browser, or `null` without one. */
  readonly returned: BrowserRequest | null;
  readonly callback: Callback | null;
}

export interface Callback {
  readonly answer: Answer;
  /** The app's cookies before and after. */
  readonly before: Jar;
  readonly after: Jar;
  /** Calls to the provider during the attempt. */
  readonly calls: readonly SeenRequest[];
  readonly events: readonly LogEvent[];
}

export interface AttemptOptions {
  readonly browser?: Browser;
  readonly returnTo?: string;
  /** Changes what the provider makes the browser send. */
  readonly tamper?: (returned: BrowserRequest) => BrowserRequest;
}

/** From the login route by way of the provider to the callback's answer. */
export async function signIn(world: World, options: AttemptOptions = {}): Promise<Attempt> {
  const { browser = world.browser(), returnTo = "/private" } = options;
  const login = await startLogin(world, browser, returnTo);
  if (login.location === "") return { browser, login, returned: null, callback: null };
  const sent = await world.provider.visit(login.location);
  const returned = sent === null || options.tamper === undefined ? sent : options.tamper(sent);
  if (returned === null) return { browser, login, returned, callback: null };
  return { browser, login, returned, callback: await sendCallback(world, browser, returned) };
}

export async function startLogin(
  world: World,
  browser: Browser,
  returnTo?: string,
): Promise<Answer> {
  const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
  const login = await browser.request(`/api/auth/login${query}`);
  if (login.location !== "") world.canaries.addParameters(new URL(login.location).searchParams);
  noteCookies(world, jarOf(await browser.cookies()));
  return login;
}

/** What a browser does with the provider's answer: a top-level navigation from another site. */
export async function sendCallback(
  world: World,
  browser: Browser,
  { method, url, form }: BrowserRequest,
): Promise<Callback> {
  const { provider, events, canaries } = world;
  canaries.addParameters(new URL(url).searchParams);
  canaries.addParameters(form);
  const before = jarOf(await browser.cookies());
  const context = { sameSiteContext: method === "GET" ? "lax" : "none" } as const;
  const cookie = await browser.jar.getCookieString(url, context);
  const seen = { calls: provider.requests.length, events: events.length };
  const answer = await browser.request(url, {
    method,
    headers: { cookie },
    ...(method === "POST" ? { body: form } : {}),
  });
  const after = jarOf(await browser.cookies());
  noteCookies(world, after);
  for (const request of provider.requests) canaries.addRequest(request);
  return {
    answer,
    before,
    after,
    calls: provider.requests.slice(seen.calls),
    events: events.slice(seen.events),
  };
}

/** Returns the request to which the provider sends a browser after login. */
export async function returnFrom(
  { provider }: World,
  { location }: Pick<Answer, "location">,
): Promise<BrowserRequest> {
  const returned = await provider.visit(location);
  if (returned === null) throw new Error("The provider sent no browser back.");
  return returned;
}

/** The same response with another value of one parameter of its query, or without it. */
export function withParameter(name: string, value: string | undefined) {
  return (returned: BrowserRequest): BrowserRequest => {
    const url = new URL(returned.url);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return { ...returned, url: url.href };
  };
}

function noteCookies({ canaries }: World, jar: Jar): void {
  for (const [name, value] of Object.entries(jar)) canaries.add(`cookie ${name}`, value);
}

export function endpointsOf(calls: readonly SeenRequest[]): readonly (Endpoint | undefined)[] {
  return calls.map(({ endpoint }) => endpoint);
}
