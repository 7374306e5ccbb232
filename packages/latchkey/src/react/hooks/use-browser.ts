import { useSyncExternalStore } from "react";

/** Returns whether the tab is visible. */
export function useVisible(): boolean {
  return useSyncExternalStore(
    onVisibility,
    () => document.visibilityState === "visible",
    () => true,
  );
}

/** Returns whether the device has a network, as far as the browser knows. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    onNetwork,
    () => navigator.onLine,
    () => true,
  );
}

/** Returns whether React has hydrated the page. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}

const onVisibility = listenTo("visibilitychange");
const onNetwork = listenTo("online", "offline");

function listenTo(...events: string[]): (changed: () => void) => () => void {
  return (changed) => {
    for (const event of events) addEventListener(event, changed);
    return () => {
      for (const event of events) removeEventListener(event, changed);
    };
  };
}
