// @vitest-environment happy-dom
import { act, render, within } from "@testing-library/react";
import { StrictMode, type ComponentType, type ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  AccountMenu,
  OfflineBanner,
  requireSignIn,
  SessionWarning,
  SignedIn,
  SignedOut,
  RequestError,
  SignInLink,
  SignInProvider,
  SignInTestProvider,
  SignOutButton,
  useSession,
  useSessionTimes,
  useUser,
  type SessionState,
  type SignInProviderProps,
} from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";
import { ada, createServer, type TestServer } from "../support/server.support.ts";
import { createClock, type TestClock } from "../support/clock.support.ts";
import { createSessionClient } from "../client/session-client.ts";
import { resolvePaths } from "../client/paths.ts";
import { createTestBrowser } from "../support/browser.support.ts";
import type { Claims } from "../client/claims.ts";
import type { InitialSession } from "../client/session-state.ts";
import { UNKNOWN_TIMES } from "../client/session-times.ts";

afterEach(leaveNothing);

function Who(): ReactNode {
  const me = useSession();
  return <p>{me.status === "signed-in" ? `${me.user.name} ${me.stale}` : me.status}</p>;
}

function Name(): ReactNode {
  return useUser()?.name;
}

const gate = (
  <>
    <SignedIn>{(user) => `in: ${user.name}`}</SignedIn>
    <SignedOut>out</SignedOut>
  </>
);

const statuses: [string, SessionState, string][] = [
  ["loading", { status: "loading", user: null }, ""],
  [
    "signed-in",
    { status: "signed-in", user: ada, times: UNKNOWN_TIMES, stale: false },
    "in: Ada Lovelace",
  ],
  ["signed-out", { status: "signed-out", user: null }, "out"],
  ["signed-out with a reason", { status: "signed-out", user: null, ended: "idle" }, "out"],
  [
    "loading after an error",
    { status: "loading", user: null, error: new RequestError("x", 0) },
    "",
  ],
];

describe("useSession, SignedIn and SignedOut", () => {
  test.each(statuses)("in status %s show what is certain", (_, value, expected) => {
    const { container } = render(<SignInTestProvider session={value}>{gate}</SignInTestProvider>);
    expect(container.textContent).toBe(expected);
  });

  test.each(statuses)("in status %s render the same on the server", (_, value, expected) => {
    const html = renderToString(<SignInTestProvider session={value}>{gate}</SignInTestProvider>);
    expect(html).toBe(expected);
  });

  test("go from loading to the person with one request for each address", async () => {
    const { view, browser, run } = show(
      <StrictMode>
        <Who />
        <Who />
        {gate}
      </StrictMode>,
      { initialSession: "ask" },
    );
    expect(view.getAllByText("loading")).toHaveLength(2);
    await run(() => undefined);
    expect(view.getAllByText("Ada Lovelace false")).toHaveLength(2);
    expect(browser.server.requests).toEqual(["/api/auth/me", "/_auth/session.json"]);
  });

  test("keep the last known person while the server cannot be reached", async () => {
    const { view, browser, pass } = show(<Who />);
    browser.server.fault = () => "offline";
    await pass(61_000);
    expect(view.getByText("Ada Lovelace true")).toBeDefined();
    browser.server.fault = undefined;
    await pass(61_000);
    expect(view.getByText("Ada Lovelace false")).toBeDefined();
  });

  test("a poll that brings nothing new renders nothing", async () => {
    const rendered = vi.fn<() => void>();
    function Counter(): ReactNode {
      useSession();
      rendered();
      return null;
    }
    const { pass, browser } = show(<Counter />);
    await pass(180_500);
    expect(browser.server.requests).toHaveLength(3);
    expect(rendered).toHaveBeenCalledTimes(1);
  });

  test("an error can be tried again", async () => {
    function Retry(): ReactNode {
      const me = useSession();
      return me.status === "loading" && me.error ? (
        <button onClick={() => void me.refetch()}>{me.error.message}</button>
      ) : (
        <Who />
      );
    }
    const { view, browser, pass, run } = show(<Retry />, {
      initialSession: "ask",
      before: ({ server }) => (server.fault = () => new Response(null, { status: 500 })),
    });
    await pass(1_100);
    browser.server.fault = undefined;
    const button = view.getByText("GET /api/auth/me brought no usable response (status 500).");
    await run(() => button.click());
    expect(view.getByText("Ada Lovelace false")).toBeDefined();
  });
});

describe("rendering on the server", () => {
  function appWith(initial: SignInProviderProps["initialSession"]): ReactNode {
    return (
      <SignInProvider initialSession={initial}>
        <Who />
        {gate}
      </SignInProvider>
    );
  }

  test("asks nothing, and shows the person or their absence at once", () => {
    const browser = createTestBrowser();
    browser.server.signIn(ada);
    expect(renderToString(appWith(browser.server.initialSession()))).toContain("Ada Lovelace");
    expect(renderToString(appWith(null))).toContain("signed-out");
    expect(renderToString(appWith({ ended: "idle" }))).toContain("signed-out");
    expect(renderToString(appWith(undefined))).toContain("loading");
  });

  const seeds: [string, (server: TestServer) => InitialSession<Claims> | null][] = [
    ["signed in", (server) => server.initialSession()],
    ["signed out", () => null],
    ["ended", () => ({ ended: "elsewhere" })],
  ];

  test.each(seeds)("agrees with the first render of the browser: %s", async (_, seedFrom) => {
    const clock = createClock();
    const server = createServer(clock);
    server.signIn(ada);
    const seed = seedFrom(server);
    const container = document.body.appendChild(document.createElement("div"));
    container.innerHTML = renderToString(everything({ seed, clock, server }));
    const first = container.textContent;
    clock.jump(2_000);
    const faults: unknown[] = [];
    const changed = vi.fn<() => void>();
    const observer = new MutationObserver(changed);
    observer.observe(container, { childList: true, subtree: true });
    const root = await act(() =>
      hydrateRoot(container, everything({ seed, clock, server }), {
        onRecoverableError: (error) => faults.push(error),
      }),
    );
    expect(faults).toEqual([]);
    expect(changed).not.toHaveBeenCalled();
    // Only what is left of the session has moved on.
    expect(container.textContent?.replace("86398", "86400")).toBe(first);
    observer.disconnect();
    act(() => root.unmount());
    container.remove();
  });
});

interface Everything {
  seed: InitialSession<Claims> | null;
  clock: TestClock;
  server: TestServer;
}

function everything({ seed, clock, server: { fetch } }: Everything): ReactNode {
  const paths = resolvePaths("", undefined);
  return (
    <SignInProvider client={createSessionClient({ paths, initialSession: seed, clock, fetch })}>
      <Who />
      <Remaining />
      {gate}
      <AccountMenu accountHref="/account" />
      <SignInLink />
      <SignOutButton />
      <SessionWarning />
      <OfflineBanner />
    </SignInProvider>
  );
}

function Remaining(): ReactNode {
  return <i>{useSessionTimes().remaining}</i>;
}

describe("outside of the provider", () => {
  const Guarded = requireSignIn(() => null);
  const users: Record<string, ComponentType> = {
    useSession: Who,
    useUser: Name,
    useSessionTimes: Remaining,
    SignedIn,
    SignedOut,
    SignInLink,
    SignOutButton,
    AccountMenu,
    SessionWarning,
    OfflineBanner,
    requireSignIn: Guarded,
  };

  test.each(Object.entries(users))("%s says its name and what to do", (name, User) => {
    expect(() => renderToString(<User />)).toThrow(
      `${name} is used outside of <SignInProvider>. Wrap your app in it once, at the top.`,
    );
  });
});

test("several roots that share one client make one request", async () => {
  const browser = createTestBrowser();
  browser.server.signIn(ada);
  const tab = browser.open();
  const roots = [1, 2, 3].map(() =>
    render(
      <SignInProvider client={tab.client}>
        <Who />
      </SignInProvider>,
    ),
  );
  await act(() => browser.clock.advance(0));
  expect(within(document.body).getAllByText("Ada Lovelace false")).toHaveLength(roots.length);
  expect(browser.server.requests).toHaveLength(2);
  tab.close();
});

test("the provider makes its client of its own props", async () => {
  const asked: string[] = [];
  const ask = (input: unknown): Promise<Response> => {
    asked.push(String(input));
    return Promise.resolve(new Response(null, { status: 204 }));
  };
  const { container } = render(
    <SignInProvider basePath="/app" paths={{ me: "/who" }} fetch={ask}>
      <Who />
      <SignInLink />
    </SignInProvider>,
  );
  await act(() => Promise.resolve());
  expect(asked).toEqual(["/who", "/app/_auth/session.json"]);
  expect(container.querySelector("a")?.getAttribute("href")).toBe("/app/api/auth/login");
});
