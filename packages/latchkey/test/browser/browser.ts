import { parse } from "node-html-parser";
import { CookieJar } from "tough-cookie";

/** A browser with cookies, redirects, forms, and pages whose script submits their form. */
export interface Browser {
  readonly jar: CookieJar;
  /** Sends one request and returns its response, also if it is a redirect. */
  request(address: string, init?: RequestInit): Promise<Answer>;
  /** Follows redirects, and forms submitted by a script, to the last page. */
  open(address: string, init?: RequestInit): Promise<Answer>;
  /** Submits the form of a page by one of its buttons, and follows as `open` does. */
  press(page: Answer, name: string, value: string): Promise<Answer>;
  /** Opens an address of the app, signs in at the provider and returns the page after it. */
  signIn(address?: string, person?: string): Promise<Answer>;
  /** The same, but returns the request to the callback instead of sending it. */
  untilCallback(address?: string, person?: string): Promise<NextRequest>;
  /** The same, but returns the response of the callback. */
  callback(address?: string, person?: string): Promise<Answer>;
  /** The `Cookie` header for the app. */
  cookies(): Promise<string>;
}

/** Whether an app at the root of its origin has a session of this browser. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.request("/api/auth/me")).status === 200;
}

export interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The absolute target of a redirect, or "". */
  readonly location: string;
}

/** A request that the browser has not sent yet. */
export interface NextRequest {
  readonly address: string;
  readonly init: RequestInit;
}

const maxSteps = 12;

/** Sends a request, and follows no redirect. */
type Send = (url: URL, init: RequestInit) => Promise<Response>;

/** @param send Default: the network. */
export function createBrowser(baseURL: string, send: Send = fetch): Browser {
  const jar = new CookieJar();

  const request = (address: string, init: RequestInit = {}) =>
    requestWith(jar, send, new URL(address, baseURL), init);

  async function follow(start: NextRequest, isEnd: (next: NextRequest) => boolean) {
    let answer: Answer | null = null;
    let next: NextRequest | null = start;
    for (let count = 0; next !== null && count < maxSteps; count += 1) {
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
      /\/callback(?:\/[\w-]+)?$/.test(new URL(next.address, baseURL).pathname);
    const first = await follow({ address, init: {} }, isBack);
    if (first.next !== null) return first.next;
    const choice = choiceOn(first.answer, person);
    const { next } = choice === null ? first : await follow(choice, isBack);
    if (next === null) throw new Error(`no way back to the app from ${first.answer.url.href}`);
    return next;
  }

  return {
    jar,
    request,
    open,
    async press(page, name, value) {
      const next = submission(page, { [name]: value });
      if (next === null) throw new Error(`no form on ${page.url.href}`);
      return open(next.address, next.init);
    },
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

/** Chooses a person on the provider's page, or cancels. */
function choiceOn(page: Answer, person: string): NextRequest | null {
  return submission(page, person === "cancel" ? { cancel: "" } : { person });
}

/** Returns the browser's next automatic request: a redirect, or a form submitted by a script. */
function nextAfter(answer: Answer): NextRequest | null {
  if (answer.location !== "") return { address: answer.location, init: {} };
  return answer.text.includes("document.forms[0].submit()") ? submission(answer, {}) : null;
}

/** Submits the first posted form of a page, with the value of the button. */
function submission({ text, url }: Answer, button: Record<string, string>): NextRequest | null {
  const form = formOn(text);
  if (form === null) return null;
  const body = new URLSearchParams([...form.fields, ...Object.entries(button)]);
  const headers = { origin: url.origin };
  return { address: new URL(form.action, url).href, init: { method: "POST", body, headers } };
}

/** The first posted form of a page, with its hidden fields. */
export function formOn(page: string) {
  const form = parse(page).querySelector("form[method=post]");
  if (form === null) return null;
  const fields = form
    .querySelectorAll("input[type=hidden]")
    .map(({ attributes: { name = "", value = "" } }): [string, string] => [name, value]);
  return { action: form.getAttribute("action") ?? "", fields };
}

/** The address of the first link of a page that contains a text. */
export function linkOn(page: string, part: string): string {
  return parse(page).querySelector(`a[href*="${part}"]`)?.getAttribute("href") ?? "";
}
