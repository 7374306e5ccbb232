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
    const stored = (event: PageTransitionEvent): void => {
      if (event.persisted) heard("stored");
    };
    const restored = (event: PageTransitionEvent): void => {
      if (event.persisted) heard("restored");
    };
    const over = new AbortController();
    const { signal } = over;
    document.addEventListener("visibilitychange", look, { signal });
    addEventListener("focus", look, { signal });
    addEventListener("online", look, { signal });
    addEventListener("pagehide", stored, { signal });
    addEventListener("pageshow", restored, { signal });
    return () => over.abort();
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
