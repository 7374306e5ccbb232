import { CookieJar } from "tough-cookie";

/** A browser as far as sign-in needs one: cookies, redirects, forms, and pages that send their form by themselves. */
export interface Browser {
  readonly jar: CookieJar;
  /** One request; redirects are returned, not followed. */
  request(address: string, init?: RequestInit): Promise<Answer>;
  /** Follows redirects, and forms that send themselves, to the page at their end. */
  open(address: string, init?: RequestInit): Promise<Answer>;
  /** From an address of the app through the provider's form and back. */
  signIn(address?: string, person?: string): Promise<Answer>;
  /**
   * From an address of the app through the provider's form, and stops where the browser would go back to the
   * app: what it would ask there.
   */
  untilCallback(address?: string, person?: string): Promise<NextRequest>;
  /** The same, and one step on: what the callback answers. */
  callback(address?: string, person?: string): Promise<Answer>;
  /** The `Cookie` header that the app would get. */
  cookies(): Promise<string>;
}

/** Whether an app at the root of its origin knows the person. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.request("/api/auth/me")).status === 200;
}

export interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads, absolute. */
  readonly location: string;
}

/** What a browser is about to ask. */
export interface NextRequest {
  readonly address: string;
  readonly init: RequestInit;
}

const stepsAtMost = 12;

/** Sends a request, and follows no redirect. */
type Send = (url: URL, init: RequestInit) => Promise<Response>;

/** @param send by default through the network */
export function createBrowser(baseURL: string, send: Send = fetch): Browser {
  const jar = new CookieJar();

  const request = (address: string, init: RequestInit = {}) =>
    requestWith(jar, send, new URL(address, baseURL), init);

  async function follow(start: NextRequest, isEnd: (next: NextRequest) => boolean) {
    let answer: Answer | null = null;
    let next: NextRequest | null = start;
    for (let count = 0; next !== null && count < stepsAtMost; count += 1) {
      if (answer !== null && isEnd(next)) break;
      answer = await request(next.address, next.init);
      next = nextAfter(answer);
    }
    return { answer: answer ?? (await request(start.address, start.init)), next };
  }

  async function open(address: string, init: RequestInit = {}): Promise<Answer> {
    return (await follow({ address, init }, () => false)).answer;
  }

  async function untilCallback(address = "/api/auth/login", person = "person-ada") {
    const isBack = (next: NextRequest) =>
      new URL(next.address, baseURL).pathname.endsWith("/callback");
    const asked = await follow({ address, init: {} }, isBack);
    if (asked.next !== null) return asked.next;
    const choice = choiceOn(asked.answer, person);
    const { next } = choice === null ? asked : await follow(choice, isBack);
    if (next === null) throw new Error(`no way back to the app from ${asked.answer.url.href}`);
    return next;
  }

  return {
    jar,
    request,
    open,
    untilCallback,
    async callback(address, person) {
      const next = await untilCallback(address, person);
      return request(next.address, next.init);
    },
    async signIn(address = "/private", person = "person-ada") {
      const page = await open(address);
      const choice = choiceOn(page, person);
      return choice === null ? page : open(choice.address, choice.init);
    },
    cookies: () => jar.getCookieString(baseURL),
  };
}

async function requestWith(
  jar: CookieJar,
  send: Send,
  url: URL,
  init: RequestInit,
): Promise<Answer> {
  const headers = new Headers(init.headers);
  const cookie = await jar.getCookieString(url.href);
  if (cookie !== "" && !headers.has("cookie")) headers.set("cookie", cookie);
  if (!headers.has("accept")) headers.set("accept", "text/html");
  const response = await send(url, { ...init, headers, redirect: "manual" });
  for (const line of response.headers.getSetCookie()) {
    await jar.setCookie(line, url.href, { ignoreError: true });
  }
  const location = response.headers.get("location");
  return {
    url,
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: location === null ? "" : new URL(location, url).href,
  };
}

/** Chooses a person on the provider's page, or leaves by its cancel button. */
function choiceOn(page: Answer, person: string): NextRequest | null {
  const action = /<form method="post" action="([^"]+)"/u.exec(page.text)?.[1];
  if (action === undefined) return null;
  const body = new URLSearchParams(person === "cancel" ? { cancel: "" } : { person });
  return { address: new URL(action, page.url).href, init: { method: "POST", body } };
}

/** What a browser does by itself after a response: goes where a redirect leads, sends a form that a script sends. */
function nextAfter({ location, text, url }: Answer): NextRequest | null {
  if (location !== "") return { address: location, init: {} };
  const form = text.includes("document.forms[0].submit()") ? formOn(text) : null;
  if (form === null) return null;
  const body = new URLSearchParams(form.fields);
  const headers = { origin: url.origin };
  return { address: form.action, init: { method: "POST", body, headers } };
}

/** The first form of a page that is posted, with its hidden fields; `null` where there is none. */
export function formOn(page: string) {
  const action = /<form method="post" action="([^"]*)"/u.exec(page)?.[1];
  if (action === undefined) return null;
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/gu);
  const fields = Array.from(inputs, ([, name = "", value = ""]): [string, string] => [
    unescaped(name),
    unescaped(value),
  ]);
  return { action: unescaped(action), fields };
}

/** Text of an HTML attribute as it is. */
export function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
