import type { Runtime } from "../config/runtime.ts";
import type { Ends } from "../context.ts";
import { callAt } from "../time/deadline.ts";
import { activeSession } from "../session/read-session.ts";
import type { Exchange } from "../request/exchange.ts";

/**
 * Calls back when the session of a request has ended since: by its time as the request brought
 * it, or elsewhere, with a store. Without a session it never does.
 *
 * @returns what forgets it
 */
export async function onSessionEnd(
  { clock, ends }: Pick<Runtime, "clock"> & { readonly ends: Pick<Ends, "watch"> },
  exchange: Pick<Exchange, "read">,
  listener: () => void,
): Promise<() => void> {
  const session = activeSession(await exchange.read().catch(() => null));
  if (session === null) return () => undefined;
  const { header } = session;
  const stop = callAt(clock, header.exp, listener);
  const forget = ends.watch?.watch(header, listener);
  return () => {
    stop();
    forget?.();
  };
}
