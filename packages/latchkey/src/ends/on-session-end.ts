import type { Runtime } from "../config/runtime.ts";
import { callAt } from "../time/deadline.ts";
import type { EndWatch } from "../session/marks/end-watch.ts";
import { activeSession } from "../session/read-session.ts";
import type { Exchange } from "../request/exchange.ts";

/**
 * Calls back when the session of a request has ended since: by its time as the request brought
 * it, or elsewhere, with a store. Without a session it never does.
 *
 * @returns what forgets it
 */
export async function onSessionEnd(
  { clock, ended }: Pick<Runtime, "clock"> & { readonly ended: EndWatch | null },
  exchange: Pick<Exchange, "read">,
  listener: () => void,
): Promise<() => void> {
  const session = activeSession(await exchange.read().catch(() => null));
  if (session === null) return () => undefined;
  const { header } = session;
  const stop = callAt(clock, header.exp, listener);
  const forget = ended?.watch(header, listener);
  return () => {
    stop();
    forget?.();
  };
}
