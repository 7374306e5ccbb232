import { locationHeader, pageHeader } from "./client-headers.ts";

/**
 * A plugin of Nuxt for the browser. If data needs a sign-in, or a better one, the user goes to
 * login and comes back to the page. The caller waits for the data until the page is left.
 *
 * It wraps `fetch`, which `useFetch` and `$fetch` use, for addresses of the app itself.
 */
export function followSignIn(): void {
  const { fetch, location } = globalThis;
  globalThis.fetch = async (input, options) => {
    const sent = input instanceof Request ? input : new Request(input);
    if (new URL(sent.url).origin !== location.origin) return fetch(input, options);
    const headers = new Headers(options?.headers ?? sent.headers);
    headers.set(pageHeader, location.pathname + location.search);
    const response = await fetch(input, { ...options, headers });
    const elsewhere = response.headers.get(locationHeader);
    if (elsewhere === null) return response;
    location.assign(elsewhere);
    return new Promise<Response>(() => {});
  };
}
