/** The question of each proxy, and what it understands of an answer. */
export interface ProxyContract {
  /**
   * Where the original request is: in `X-Forwarded-Method`, `-Host` and `-Uri`, or in the method,
   * the `Host` and the path of the question itself.
   */
  readonly original: "forwarded" | "itself";
  /** Whether only 200, 401 and 403 reach the client; then a second question gets the response. */
  readonly knowsStatusesOnly: boolean;
  /** Whether the answer names headers to remove from the request. */
  readonly removesHeaders?: boolean;
}

const forwarded: ProxyContract = { original: "forwarded", knowsStatusesOnly: false };

export const proxies: ReadonlyMap<string, ProxyContract> = new Map([
  ["nginx", { original: "forwarded", knowsStatusesOnly: true }],
  ["traefik", forwarded],
  ["caddy", forwarded],
  ["haproxy", forwarded],
  ["envoy", { original: "itself", knowsStatusesOnly: false, removesHeaders: true }],
]);

export interface Question {
  readonly proxy: ProxyContract;
  /** Requests the response to a refused request, since nginx passes on its status alone. */
  readonly wantsResponse: boolean;
}

/** The address of the check of a proxy, and below it that of the response to a refused request. */
const address = /^\/check\/(?<name>[a-z]+)(?<rest>[/?].*)?$/;

/**
 * Returns the question at an address; `null` for any other address.
 *
 * @param target of the question
 */
export function questionAt(target: string): (Question & { readonly rest: string }) | null {
  const { name = "", rest = "" } = address.exec(target)?.groups ?? {};
  const proxy = proxies.get(name);
  if (proxy === undefined) return null;
  if (proxy.original === "itself") return { proxy, wantsResponse: true, rest };
  // Some proxies add the query of the original request.
  const path = rest.split("?", 1)[0];
  if (path === "") return { proxy, wantsResponse: !proxy.knowsStatusesOnly, rest };
  const isKnown = path === "/response" && proxy.knowsStatusesOnly;
  return isKnown ? { proxy, wantsResponse: true, rest } : null;
}
