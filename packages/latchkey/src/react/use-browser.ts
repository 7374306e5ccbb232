import { useSyncExternalStore } from "react";

/** Whether the tab is in front. */
export function useVisible(): boolean {
  return useSyncExternalStore(
    (changed) => listen(document, ["visibilitychange"], changed),
    () => document.visibilityState === "visible",
    () => true,
  );
}

/** Whether the device has a network, as far as the browser knows. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => listen(window, ["online", "offline"], changed),
    () => navigator.onLine,
    () => true,
  );
}

function listen(target: EventTarget, events: readonly string[], changed: () => void): () => void {
  for (const event of events) target.addEventListener(event, changed);
  return () => {
    for (const event of events) target.removeEventListener(event, changed);
  };
}
