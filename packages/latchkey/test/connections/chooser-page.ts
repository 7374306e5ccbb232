import type { Answer, Browser } from "../browser/browser.ts";
import { arrive, type TwoProviders } from "./two-providers.ts";

export const page = "/_auth/sign-in";
/** `fetch` of Node sets the mode itself: without a site it counts as a navigation. */
export const inTab = { "sec-fetch-dest": "document" };
export const byScript = { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };

/** The buttons of the page, in their order: the filled one has a star. */
export function buttonsOf({ text }: Answer): readonly string[] {
  return Array.from(
    text.matchAll(/<button name="connection" value="([^"]+)" formnovalidate( class="quiet")?>/g),
    ([, id = "", look]) => (look === undefined ? `${id}*` : id),
  );
}

/** What the form of the page carries along. */
export function fieldsOf({ text }: Answer): Readonly<Record<string, string>> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries(Array.from(fields, ([, name = "", value = ""]) => [name, value]));
}

export function post(
  browser: Browser,
  address: string,
  fields: Record<string, string>,
  headers = {},
) {
  const body = new URLSearchParams(fields);
  return browser.request(address, { method: "POST", body, headers });
}

/** Presses a button of the page, in the way of a browser. */
export function press(browser: Browser, shown: Answer, connection: string, more = {}) {
  return post(browser, page, { ...fieldsOf(shown), ...more, connection });
}

/** The provider to which a browser is sent; neither if it is sent to none. */
export function providerOf({ first, second }: TwoProviders, { location, headers }: Answer) {
  const address = location || (headers.get("refresh")?.replace("0;url=", "") ?? "");
  if (address.startsWith(first.issuer)) return "default";
  return address.startsWith(second.issuer) ? "globex" : "none";
}

export function callsOf({ first, second }: TwoProviders) {
  return [...first.requests, ...second.requests].length;
}

export async function finish(
  world: TwoProviders,
  browser: Browser,
  begun: Answer,
): Promise<Answer> {
  const returned = await world.first.visit(begun.location);
  if (returned === null) throw new Error("no way back");
  return arrive(browser, returned);
}
