import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";

import type { WireResponse } from "../../packages/latchkey/test/hosts/world/wire.ts";
import type { HostDescription } from "./host.ts";
import type { World } from "./rows/world.ts";

/** What a browser says of itself when a person opens a page. */
export const navigation = {
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

/** The headers of a browser for a request by a script. */
export const script = { accept: "*/*", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

/** The page came, whatever markup the host puts around its text. */
export function expectPage(page: { readonly status: number; readonly text: string }, text: string) {
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(text)]);
}

/**
 * The session's headers, each once, beside as many cookies of the application's own as there are
 * more.
 */
export function expectSessionHeaders(
  host: HostDescription,
  response: WireResponse,
  cookies: number,
): void {
  const names = response.setCookies.map(nameOf);
  expect(names).toHaveLength(cookies);
  expect(names.filter((name) => /^appSession(?:\.t)?$/.test(name))).toHaveLength(1);
  expectPrivate(host, response);
}

/** No shared cache keeps it. */
export function expectPrivate(host: HostDescription, response: WireResponse): void {
  const cacheControl = response.header("cache-control");
  if (host.pagesHaveHeadersOfTheirOwn === true) {
    expect(cacheControl).toMatch(/^private,.*\bno-store\b/);
  } else {
    expect([cacheControl, response.header("vary")]).toEqual([
      "private, no-store",
      expect.stringMatching(/\bCookie\b/),
    ]);
  }
}

/** Nothing of sign-in, unless the host had to decide before. */
export function expectUntouched(
  host: HostDescription,
  response: WireResponse,
  isSignedIn: boolean,
): void {
  const isOwn = host.pagesHaveHeadersOfTheirOwn === true;
  if (isOwn && isSignedIn) {
    expectSessionHeaders(host, response, 1);
    return;
  }
  expect(response.header("cache-control")).toBe("public, max-age=600, immutable");
  const vary = isOwn ? expect.not.stringMatching(/\bCookie\b/) : "Accept-Encoding";
  expect([response.header("vary"), response.setCookies]).toEqual([vary, []]);
}

export function nameOf(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf("="));
}

export function sessionCookies(setCookies: readonly string[]): readonly string[] {
  return setCookies.filter((line) => /^appSession(?:\.t)?=/.test(line));
}

/**
 * How often the action of `/act` has run. It writes a line, which takes another way than the
 * response.
 */
export async function actionsOf({ log }: Pick<World, "log">): Promise<number> {
  await pause(100);
  return log().match(/ has acted$/gm)?.length ?? 0;
}
