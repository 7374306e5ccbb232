import {
  act,
  cleanup,
  render,
  within,
  type BoundFunctions,
  type queries,
} from "@testing-library/react";
import { type ReactElement, type ReactNode, useLayoutEffect } from "react";
import { SignInProvider } from "../components/sign-in-provider.tsx";
import { ada } from "./server.support.ts";
import type { Claims } from "../client/claims.ts";
import type { InitialSession } from "../client/session-state.ts";
import type { Words } from "../text/words.ts";
import { createTestBrowser, type Tab, type TestBrowser } from "./browser.support.ts";

export type View = BoundFunctions<typeof queries>;

export interface Rendered {
  readonly browser: TestBrowser;
  readonly tab: Tab;
  readonly view: View;
  /** Lets time pass, and React follow. */
  readonly pass: (ms: number) => Promise<void>;
  /** Does something, and lets React follow. */
  readonly run: (what: () => unknown) => Promise<void>;
  readonly rerender: (ui: ReactElement) => void;
}

export interface RenderOptions {
  /** Default: what the server knows of Ada. */
  readonly initialSession?: InitialSession<Claims> | null | "ask";
  readonly words?: Partial<Words>;
  /** Set up before the page is opened. */
  readonly before?: (browser: TestBrowser) => unknown;
}

/** Shows something in a tab of a browser in which Ada is signed in. */
export function show(ui: ReactNode, options: RenderOptions = {}): Rendered {
  const browser = createTestBrowser();
  browser.server.signIn(ada);
  options.before?.(browser);
  const { initialSession = browser.server.initialSession() } = options;
  const tab = browser.open(initialSession === "ask" ? undefined : initialSession);
  const wrapped = (inner: ReactNode): ReactElement => (
    <SignInProvider client={tab.client} {...(options.words && { words: options.words })}>
      {inner}
    </SignInProvider>
  );
  const { rerender } = render(wrapped(ui));
  tab.close();
  return {
    browser,
    tab,
    view: within(document.body),
    pass: (ms) => act(() => browser.clock.advance(ms)),
    run: (what) =>
      act(async () => {
        await what();
        await browser.clock.advance(0);
      }),
    rerender: (inner) => rerender(wrapped(inner)),
  };
}

/** The results of a hook, from the first render on. */
export function readerOf<T>(useIt: () => T): { Reader: () => ReactNode; last(): T } {
  const seen: T[] = [];
  function Reader(): ReactNode {
    const current = useIt();
    useLayoutEffect(() => void seen.push(current));
    return null;
  }
  function last(): T {
    if (seen.length === 0) throw new Error("Nothing is shown.");
    return seen.at(-1) as T;
  }
  return { Reader, last };
}

/** Shows or hides the tab, for all code reading the document. */
export function setVisible(visible: boolean): void {
  Object.defineProperty(document, "visibilityState", {
    configurable: true,
    get: () => (visible ? "visible" : "hidden"),
  });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}

export function leaveNothing(): void {
  cleanup();
  Reflect.deleteProperty(document, "visibilityState");
  Reflect.deleteProperty(navigator, "onLine");
  document.title = "";
  history.replaceState(null, "", "/");
}

/** Sets the network state of the browser. */
export function setOnline(online: boolean): void {
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => online });
  window.dispatchEvent(new Event(online ? "online" : "offline"));
}
