import { CookieJar } from "tough-cookie";

/** Where navigation ended: a page of the provider, or the first URL of another origin. */
export interface Stop {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

/** A browser without scripts that stays inside one origin. */
export interface Browser {
  open(url: string): Promise<Stop>;
  /** Presses a button of the form on a page. */
  press(page: Stop, name: string, value: string): Promise<Stop>;
}

export function createBrowser(origin: string): Browser {
  const jar = new CookieJar();

  async function visit(url: string, init: RequestInit): Promise<Stop> {
    if (new URL(url).origin !== origin) {
      return { url: new URL(url), status: 0, html: "", headers: new Headers() };
    }
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { accept: "text/html", cookie: await jar.getCookieString(url) },
    });
    for (const cookie of response.headers.getSetCookie()) await jar.setCookie(cookie, url);
    const location = response.headers.get("location");
    const html = await response.text();
    if (location !== null) return visit(new URL(location, url).href, {});
    return { url: new URL(url), status: response.status, html, headers: response.headers };
  }

  return {
    open: (url) => visit(url, {}),
    press: (page, name, value) => {
      const action = /<form method="post" action="([^"]+)"/u.exec(page.html)?.[1];
      if (action === undefined) throw new Error(`No form on ${page.url.href}`);
      const body = new URLSearchParams({ [name]: value });
      return visit(new URL(action, page.url).href, { method: "POST", body });
    },
  };
}
