import { type ComponentChildren, hydrate, render } from "preact";
import { useEffect, useState } from "preact/hooks";

/* What the islands use of React. `preact/compat` has far more, for a sixth of their size. */
export { createContext } from "preact";
export { useContext } from "preact/hooks";
export * from "./preact-hooks.ts";

export function useSyncExternalStore<Value>(
  subscribe: (changed: () => void) => () => void,
  snapshot: () => Value,
): Value {
  const value = snapshot();
  const [, show] = useState(value);
  useEffect(() => {
    const update = () => show(snapshot);
    update();
    return subscribe(update);
  }, [subscribe, snapshot]);
  return value;
}

export function hydrateRoot(place: HTMLElement, content: ComponentChildren): void {
  hydrate(content, place);
}

export function createRoot(place: HTMLElement) {
  return { render: (content: ComponentChildren): void => render(content, place) };
}
