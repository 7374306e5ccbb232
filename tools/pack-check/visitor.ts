import { CookieJar } from "tough-cookie";

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/** The smallest browser: keeps cookies, follows redirects, submits one form. */
export interface Visitor {
  open(url: string, init?: RequestInit): Promise<Page>;
  /** Posts the fields to the first form of the page. */
  submit(page: Page, fields: Readonly<Record<string, string>>): Promise<Page>;
}

const mostRedirects = 10;

export function newVisitor(): Visitor {
  const jar = new CookieJar();

  async function open(url: string, init: RequestInit = {}, redirects = 0): Promise<Page> {
    const headers = new Headers(init.headers);
    headers.set("cookie", await jar.getCookieString(url));
    headers.set("accept", "text/html");
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) await jar.setCookie(cookie, url);
    const location = response.headers.get("location");
    const { status } = response;
    if (!location) return { url, status, body: await response.text() };
    if (redirects === mostRedirects) throw new Error(`Too many redirects, the last to ${location}`);
    return open(new URL(location, url).href, {}, redirects + 1);
  }

  async function submit(page: Page, fields: Readonly<Record<string, string>>): Promise<Page> {
    const action = /<form\b[^>]*\baction="([^"]*)"/.exec(page.body)?.[1];
    if (action === undefined) throw new Error(`No form at ${page.url}:\n${page.body}`);
    const target = new URL(action.replaceAll("&amp;", "&"), page.url).href;
    const headers = { origin: new URL(page.url).origin };
    return open(target, { method: "POST", headers, body: new URLSearchParams(fields) });
  }

  return { open: (url, init) => open(url, init), submit };
}
