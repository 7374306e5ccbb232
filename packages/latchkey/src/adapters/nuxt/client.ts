import { locationHeader, pageHeader } from "./client-headers.ts";

/**
 * A plugin of Nuxt for the browser. Where data need a sign-in, or a better one, the person goes to login and comes back
 * to the page; whoever has asked for the data waits for them until the page is left.
 *
 * It wraps `fetch`, which `useFetch` and `$fetch` use, for addresses of the app itself.
 */
export function followSignIn(): void {
  const { fetch, location } = globalThis;
  globalThis.fetch = async (asked, options) => {
    const sent = asked instanceof Request ? asked : new Request(asked);
    if (new URL(sent.url).origin !== location.origin) return fetch(asked, options);
    const headers = new Headers(options?.headers ?? sent.headers);
    headers.set(pageHeader, location.pathname + location.search);
    const response = await fetch(asked, { ...options, headers });
    const elsewhere = response.headers.get(locationHeader);
    if (elsewhere === null) return response;
    location.assign(elsewhere);
    return new Promise<Response>(() => {});
  };
}
