import { useCallback, useSyncExternalStore } from "react";
import type { SessionClient } from "../client/session-client.ts";

/**
 * Returns the server's clock in whole seconds. It ticks every second from `fineFrom` (epoch
 * seconds) on, every 30 seconds before, and never if `fineFrom` is `null`.
 */
export function useNow(client: SessionClient, fineFrom: number | null): number {
  const subscribe = useCallback(
    (tick: () => void) => {
      if (fineFrom === null) return () => undefined;
      let cancel: () => void;
      const next = (): void => {
        cancel = client.clock.after(delayMs(client.now(), fineFrom), () => {
          tick();
          next();
        });
      };
      next();
      return () => cancel();
    },
    [client, fineFrom],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(client.now()), client.getServerNow);
}

/** Returns milliseconds until just after the next second, or until the next half minute. */
function delayMs(now: number, fineFrom: number): number {
  const coarse = Math.min(30, fineFrom - now);
  return coarse > 1 ? coarse * 1000 : (1 - (now % 1)) * 1000 + 5;
}
