import { Agent, request } from "undici";

/** The parts of a browser for a sign-in: cookies by origin, redirects, the provider's form. */
export interface Browser {
  /**
   * Opens an address and follows every redirect, also through the form of the provider.
   *
   * @param lastPath - the redirect of this path is not followed
   */
  open(address: string, lastPath?: string): Promise<void>;
  /** What the `Cookie` header of a request to this origin would be. */
  cookiesFor(origin: string): string;
  /** Forgets the cookies of this origin. */
  forget(origin: string): void;
}

export interface BrowserOptions {
  /** The user who signs in at the provider. */
  readonly sub: string;
  /** The certificate of the provider, in PEM. */
  readonly ca: string | undefined;
}

const mostRedirects = 15;

export function createBrowser({ sub, ca }: BrowserOptions): Browser {
  const agent = new Agent({ keepAliveTimeout: 10_000, connect: { ca } });
  const jars = new Map<string, Map<string, string>>();

  function cookiesFor(origin: string): string {
    return [...(jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async function send(url: URL, form?: string) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: form === undefined ? "GET" : "POST",
      headers: {
        accept: "text/html",
        cookie: cookiesFor(url.origin),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form === undefined ? {} : { body: form }),
    });
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    for (const line of [headers["set-cookie"] ?? []].flat()) keep(jar, line);
    const text = await body.text();
    const to = [headers.location ?? []].flat()[0];
    if (statusCode >= 400) {
      throw new Error(
        `${url.origin}${url.pathname} responded ${statusCode}: ${text.slice(0, 200)}`,
      );
    }
    return { text, next: to === undefined ? undefined : new URL(to, url) };
  }

  async function follow(start: URL, lastPath?: string, form?: string) {
    let url = start;
    let response = await send(url, form);
    for (let count = 0; response.next !== undefined && url.pathname !== lastPath; count += 1) {
      if (count > mostRedirects) throw new Error(`${start.href} redirects without end`);
      url = response.next;
      response = await send(url);
    }
    return { url, text: response.text };
  }

  return {
    cookiesFor,
    forget: (origin) => void jars.delete(origin),
    async open(address, lastPath) {
      const { url, text } = await follow(new URL(address), lastPath);
      const action = /<form method="post" action="(\/interaction\/[^"]+)"/u.exec(text)?.[1];
      if (action === undefined) return;
      const form = new URLSearchParams({ person: sub }).toString();
      await follow(new URL(action, url), lastPath, form);
    },
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const name = pair.slice(0, pair.indexOf("="));
  const value = pair.slice(pair.indexOf("=") + 1);
  const expires = attributes.find((each) => /^\s*expires=/iu.test(each))?.split("=")[1];
  const isOver = expires !== undefined && Date.parse(expires) < Date.now();
  const isGone = isOver || attributes.some((each) => /^\s*max-age=0$/iu.test(each));
  if (value === "" || isGone) jar.delete(name);
  else jar.set(name, value);
}
