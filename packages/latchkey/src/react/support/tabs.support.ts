import { onTestFinished } from "vitest";

import type { Claims } from "../client/claims.ts";
import type { SessionState } from "../client/session-state.ts";
import { createTestBrowser, type Tab, type TestBrowser } from "./browser.support.ts";
import { ada } from "./server.support.ts";

/** A browser in which Ada is signed in; its tabs are closed after the test. */
export function openSignedInBrowser(skewSeconds = 0): TestBrowser {
  const browser = createTestBrowser(skewSeconds);
  browser.server.signIn(ada);
  return { ...browser, open: (...options) => closeAfterTest(browser.open(...options)) };
}

/** The same, and a server-rendered tab. */
export function openSignedInTab(): TestBrowser & { readonly tab: Tab } {
  const browser = openSignedInBrowser();
  return { ...browser, tab: browser.open(browser.server.initialSession()) };
}

function closeAfterTest(tab: Tab): Tab {
  onTestFinished(() => tab.close());
  return tab;
}

export function stateOf(tab: Tab): SessionState<Claims> {
  return tab.client.getSnapshot();
}

/**
 * When the session ends, in epoch milliseconds of the page's clock; `null` if the tab knows of
 * none.
 */
export function endsAt(tab: Tab): number | null {
  const state = stateOf(tab);
  return state.status === "signed-in" ? state.times.endsAt : null;
}
