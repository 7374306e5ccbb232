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
} from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";
import { ada, createServer, type TestServer } from "../support/server.support.ts";
import { createClock, type TestClock } from "../support/clock.support.ts";
import { createSessionClient } from "../client/session-client.ts";
import { createTestBrowser } from "../support/browser.support.ts";
import type { Claims } from "../client/claims.ts";
import type { InitialSession } from "../client/session-state.ts";
import { UNKNOWN_TIMES } from "../client/session-times.ts";

afterEach(leaveNothing);

function Who(): ReactNode {
  const session = useSession();
  return (
    <p>
      {session.status === "signed-in" ? `${session.user.name} ${session.stale}` : session.status}
    </p>
  );
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
  test.each(statuses)("they show only what is certain while %s", (_, value, expected) => {
    const { container } = render(<SignInTestProvider session={value}>{gate}</SignInTestProvider>);
    expect(container.textContent).toBe(expected);
  });

  test.each(statuses)("they render the same on the server while %s", (_, value, expected) => {
    const html = renderToString(<SignInTestProvider session={value}>{gate}</SignInTestProvider>);
    expect(html).toBe(expected);
  });

  test("any number of them load the user with one request to each address", async () => {
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

  test("after a failed request the app can refetch", async () => {
    function Retry(): ReactNode {
      const session = useSession();
      return session.status === "loading" && session.error ? (
        <button onClick={() => void session.refetch()}>{session.error.message}</button>
      ) : (
        <Who />
      );
    }
    const { view, browser, pass, run } = show(<Retry />, {
      initialSession: "ask",
      before: ({ server }) => (server.override = () => new Response(null, { status: 500 })),
    });
    await pass(1_100);
    browser.server.override = undefined;
    const button = view.getByText("GET /api/auth/me brought no usable response (status 500).");
    await run(() => button.click());
    expect(view.getByText("Ada Lovelace false")).toBeDefined();
  });
});

describe("rendering on the server", () => {
  function appWith(initial: InitialSession | null | undefined): ReactNode {
    return (
      <SignInProvider initialSession={initial}>
        <Who />
        {gate}
      </SignInProvider>
    );
  }

  test("the server sends no request and renders the given state", () => {
    const browser = createTestBrowser();
    browser.server.signIn(ada);
    expect(renderToString(appWith(browser.server.initialSession()))).toContain("Ada Lovelace");
    expect(renderToString(appWith(null))).toContain("signed-out");
    expect(renderToString(appWith({ ended: "idle" }))).toContain("signed-out");
    expect(renderToString(appWith(undefined))).toContain("loading");
  });

  const initialSessions: [string, (server: TestServer) => InitialSession<Claims> | null][] = [
    ["signed in", (server) => server.initialSession()],
    ["signed out", () => null],
    ["ended", () => ({ ended: "elsewhere" })],
  ];

  test.each(initialSessions)(
    "the first render of the browser is the same as that of the server: %s",
    async (_, initialFrom) => {
      const clock = createClock();
      const server = createServer(clock);
      server.signIn(ada);
      const initialSession = initialFrom(server);
      const container = document.body.appendChild(document.createElement("div"));
      container.innerHTML = renderToString(everything({ initialSession, clock, server }));
      const first = container.textContent;
      clock.jump(2_000);
      const errors: unknown[] = [];
      const changed = vi.fn<() => void>();
      const observer = new MutationObserver(changed);
      observer.observe(container, { childList: true, subtree: true });
      const root = await act(() =>
        hydrateRoot(container, everything({ initialSession, clock, server }), {
          onRecoverableError: (error) => errors.push(error),
        }),
      );
      expect(errors).toEqual([]);
      expect(changed).not.toHaveBeenCalled();
      // Only the remaining time differs.
      expect(container.textContent?.replace("86398", "86400")).toBe(first);
      observer.disconnect();
      act(() => root.unmount());
      container.remove();
    },
  );
});

interface Everything {
  initialSession: InitialSession<Claims> | null;
  clock: TestClock;
  server: TestServer;
}

function everything({ initialSession, clock, server: { fetch } }: Everything): ReactNode {
  return (
    <SignInProvider client={createSessionClient({ initialSession, clock, fetch })}>
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

  test.each(Object.entries(users))(
    "%s throws an error that names it and says what to do",
    (name, User) => {
      expect(() => renderToString(<User />)).toThrow(
        `${name} is used outside of <SignInProvider>. Wrap your app in it once, at the top.`,
      );
    },
  );
});

test("several roots with one client send one request", async () => {
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

test("the provider uses the given base path, paths and fetch", async () => {
  const requests: string[] = [];
  const ownFetch = (input: unknown): Promise<Response> => {
    requests.push(String(input));
    return Promise.resolve(new Response(null, { status: 204 }));
  };
  const { container } = render(
    <SignInProvider basePath="/app" paths={{ me: "/who" }} fetch={ownFetch}>
      <Who />
      <SignInLink />
    </SignInProvider>,
  );
  await act(() => Promise.resolve());
  expect(requests).toEqual(["/who", "/app/_auth/session.json"]);
  expect(container.querySelector("a")?.getAttribute("href")).toBe("/app/api/auth/login");
});
