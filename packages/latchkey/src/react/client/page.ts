/**
 * What the session client needs of the page it lives in.
 *
 * - `look`: the person came to this tab, or the network is back
 * - `rest`: the tab went out of sight
 * - `stored`: the page may be kept in the browser's memory
 * - `restored`: it came back from there
 */
export type PageEvent = "look" | "rest" | "stored" | "restored";

export interface Page {
  visible(): boolean;
  /** Calls back on each event; the answer ends it. */
  listen(heard: (event: PageEvent) => void): () => void;
  /** Hides everything, or shows it again, without moving anything. */
  veil(hidden: boolean): void;
  reload(): void;
  /** Leaves the page by posting an empty form. */
  post(path: string): void;
}

export const browserPage: Page = {
  visible: () => document.visibilityState === "visible",
  listen(heard) {
    const look = (): void => heard(browserPage.visible() ? "look" : "rest");
    const kept = (event: PageEvent) => (transition: Event) => {
      if ((transition as PageTransitionEvent).persisted) heard(event);
    };
    const listeners = {
      focus: look,
      online: look,
      visibilitychange: look,
      pagehide: kept("stored"),
      pageshow: kept("restored"),
    };
    const entries = Object.entries(listeners);
    for (const [event, listener] of entries) addEventListener(event, listener);
    return () => {
      for (const [event, listener] of entries) removeEventListener(event, listener);
    };
  },
  veil(hidden) {
    document.documentElement.style.visibility = hidden ? "hidden" : "";
  },
  reload: () => location.reload(),
  post(path) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = path;
    document.body.append(form);
    form.submit();
  },
};
