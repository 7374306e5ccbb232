import { Refusal } from "../../../errors/refusal.ts";
import { settledWithin } from "../../../time/deadline.ts";
import { createProviderFetch, type ProviderFetchOptions } from "../provider-fetch.ts";

/** Milliseconds for which a response proves that its server can be reached. */
const reachedForMs = 250;
/** Milliseconds. With a longer wait, the user would take our page for the unresponsive one. */
const timeoutMs = 1000;

/** Whether a browser that is sent to a page of the provider will probably reach it. */
export interface Reachability {
  /** Remembers that the server of an address has responded, with whatever status. */
  responded(address: string): void;
  failed(address: string): void;
  /**
   * Requests the root page of an address, unless its server has just responded, or never. Callers
   * meanwhile share the request.
   *
   * @throws {Refusal} `provider_unreachable`; `provider_timeout` after one second
   */
  check(address: string): Promise<void>;
}

export function createReachability({
  fetch,
  clock,
}: Pick<ProviderFetchOptions, "clock" | "fetch">): Reachability {
  const call = createProviderFetch({ fetch, clock, timeoutMs });
  const respondedAt = new Map<string, number>();
  const responded = (address: string) => void respondedAt.set(new URL(address).origin, clock());
  /** The requests under way, by the root page. */
  const underWay = new Map<string, Promise<void>>();

  async function request(root: string): Promise<void> {
    try {
      await call(root, { endpoint: "page", method: "HEAD", headers: {} });
    } catch (error) {
      if (isSilence(error)) throw error;
    } finally {
      underWay.delete(root);
    }
    responded(root);
  }

  return {
    responded,
    failed(address) {
      const { origin } = new URL(address);
      if (respondedAt.has(origin)) respondedAt.set(origin, Number.NEGATIVE_INFINITY);
    },
    async check(address) {
      const { origin, href } = new URL("/", address);
      const last = respondedAt.get(origin);
      // A server without any response to this process may be one that only browsers can reach.
      if (last === undefined) return;
      const age = clock() - last;
      if (age >= 0 && age < reachedForMs) return;
      const shared = underWay.get(href);
      // A runtime may stop a request with the one that began it: it never ends then.
      if (shared !== undefined && (await settledWithin(timeoutMs, shared))) return shared;
      const requesting = request(href);
      underWay.set(href, requesting);
      await requesting;
    },
  };
}

/** A provider that responds with an error shows the user a page of its own. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Refusal)) return true;
  return error.reason === "provider_unreachable" || error.reason === "provider_timeout";
}
