import { CookieJar } from "tough-cookie";

/** A browser without scripts: cookies, redirects when asked to follow, forms when asked to press. */
export interface Browser {
  readonly jar: CookieJar;
  /** One request; redirects are returned, not followed. */
  request(address: string, init?: RequestInit): Promise<Answer>;
  /** Follows redirects to the page at their end. */
  open(address: string, init?: RequestInit): Promise<Answer>;
  /** From an address of the app through the provider's form and back. */
  signIn(address?: string, person?: string): Promise<Answer>;
  /** The `Cookie` header that the app would get. */
  cookies(): Promise<string>;
}

export interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads, absolute. */
  readonly location: string;
}

const redirectsAtMost = 12;

export function createBrowser(baseURL: string): Browser {
  const jar = new CookieJar();

  async function request(address: string, init: RequestInit = {}): Promise<Answer> {
    const url = new URL(address, baseURL);
    const headers = new Headers(init.headers);
    const cookie = await jar.getCookieString(url.href);
    if (cookie !== "" && !headers.has("cookie")) headers.set("cookie", cookie);
    if (!headers.has("accept")) headers.set("accept", "text/html");
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
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

  async function open(address: string, init?: RequestInit): Promise<Answer> {
    let answer = await request(address, init);
    for (let count = 0; answer.location !== "" && count < redirectsAtMost; count += 1) {
      answer = await request(answer.location);
    }
    return answer;
  }

  return {
    jar,
    request,
    open,
    async signIn(address = "/private", person = "person-ada") {
      const page = await open(address);
      const action = /<form method="post" action="([^"]+)"/u.exec(page.text)?.[1];
      if (action === undefined) return page;
      return open(new URL(action, page.url).href, {
        method: "POST",
        body: new URLSearchParams({ person }),
      });
    },
    cookies: () => jar.getCookieString(baseURL),
  };
}
