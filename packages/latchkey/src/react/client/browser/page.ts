/**
 * What happens to the page:
 *
 * - `active`: the user came to this tab, or the network is back
 * - `hidden`: the tab is no longer visible
 * - `cached`: the page goes into the back/forward cache
 * - `restored`: the page came back out of the back/forward cache
 */
export type PageEvent = "active" | "hidden" | "cached" | "restored";

/** The page of a session client. */
export interface Page {
  isVisible(): boolean;
  /** Calls back on each event, until the returned function is called. */
  subscribe(onEvent: (event: PageEvent) => void): () => void;
  /** Hides all content, or shows it again, without changing the layout. */
  hidePage(hidden: boolean): void;
  reload(): void;
  /** Leaves the page for another address. */
  assign(url: string): void;
  /** Leaves the page by posting an empty form. */
  post(path: string): void;
}

export const browserPage: Page = {
  isVisible: () => document.visibilityState === "visible",
  subscribe(onEvent) {
    const onVisibility = (): void => onEvent(browserPage.isVisible() ? "active" : "hidden");
    const ifPersisted = (event: PageEvent) => (transition: Event) => {
      if ((transition as PageTransitionEvent).persisted) onEvent(event);
    };
    const listeners = {
      focus: onVisibility,
      online: onVisibility,
      visibilitychange: onVisibility,
      pagehide: ifPersisted("cached"),
      pageshow: ifPersisted("restored"),
    };
    const subscription = new AbortController();
    for (const [event, listener] of Object.entries(listeners))
      addEventListener(event, listener, subscription);
    return () => subscription.abort();
  },
  hidePage(hidden) {
    document.documentElement.style.visibility = hidden ? "hidden" : "";
  },
  reload: () => location.reload(),
  assign: (url) => location.assign(url),
  post(path) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = path;
    document.body.append(form);
    form.submit();
  },
};
