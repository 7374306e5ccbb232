// @vitest-environment happy-dom
import { act, render, waitFor } from "@testing-library/react";
import { useLayoutEffect, type ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  RequestError,
  UserProvider,
  useUser,
  withPageAuthRequired,
  type UserContext,
  type UserProfile,
} from "./compat.tsx";
import { leaveNothing } from "./support/render.support.tsx";
import { ada } from "./support/server.support.ts";

const assign = vi.fn<(url: string | URL) => void>();
let seen: UserContext;
let answers: Record<string, () => Response>;
let asked: string[];

beforeEach(() => {
  vi.spyOn(location, "assign").mockImplementation(assign);
  asked = [];
  answers = { "/_auth/session.json": () => Response.json({ state: "signed-out", now: 1 }) };
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const answer = answers[path];
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError("no network"));
  });
});

afterEach(() => {
  leaveNothing();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  assign.mockReset();
});

function Reader({ onRead = read }: { onRead?: (found: UserContext) => void }): ReactNode {
  const found = useUser();
  useLayoutEffect(() => onRead(found));
  return null;
}

function read(found: UserContext): void {
  seen = found;
}

const signedIn = {
  "/api/auth/me": () => Response.json(ada),
  "/_auth/session.json": () => Response.json({ state: "signed-in", now: 1, sub: "ada" }),
};

test("without a user it loads, asks me once, and has the user", async () => {
  answers = signedIn;
  render(
    <UserProvider>
      <Reader />
      <Reader />
    </UserProvider>,
  );
  expect(seen).toMatchObject({ user: undefined, isLoading: true });
  await waitFor(() => expect(seen).toMatchObject({ user: ada, isLoading: false }));
  expect(asked.filter((path) => path === "/api/auth/me")).toHaveLength(1);
});

test("a 204 is nobody, and no error", async () => {
  answers["/api/auth/me"] = () => new Response(null, { status: 204 });
  render(
    <UserProvider>
      <Reader />
    </UserProvider>,
  );
  await waitFor(() => expect(seen.isLoading).toBe(false));
  expect(seen).toMatchObject({ user: undefined, error: undefined });
});

test("another status is an error with that status", async () => {
  answers["/api/auth/me"] = () => new Response(null, { status: 503 });
  render(
    <UserProvider>
      <Reader />
    </UserProvider>,
  );
  await waitFor(() => expect(seen.error).toBeInstanceOf(RequestError), { timeout: 3_000 });
  expect(seen).toMatchObject({ error: { status: 503 }, isLoading: false });
});

test("a user given by the server is there at once; null is known to be nobody and asks nothing", () => {
  const html = (user: UserProfile | null): string =>
    renderToString(
      <UserProvider user={user}>
        <Show />
      </UserProvider>,
    );
  expect(html(ada)).toBe("Ada Lovelace");
  expect(html(null)).toBe("nobody");
  render(
    <UserProvider user={null}>
      <Reader />
    </UserProvider>,
  );
  expect(seen.isLoading).toBe(false);
  expect(asked).toEqual([]);
});

function Show(): ReactNode {
  const { user, isLoading } = useUser();
  return isLoading ? "loading" : (user?.name ?? "nobody");
}

test("checkSession asks again; when that fails the user stays and the error is told", async () => {
  answers = { ...signedIn };
  render(
    <UserProvider user={{ sub: "ada", name: "Ada" }}>
      <Reader />
    </UserProvider>,
  );
  await act(() => seen.checkSession());
  expect(seen.user).toEqual(ada);
  answers = {};
  await act(() => seen.checkSession());
  expect(seen).toMatchObject({ user: ada, error: { status: 0 } });
  answers = { ...signedIn };
  await act(() => seen.checkSession());
  expect(seen.error).toBeUndefined();
});

test("useUser returns the same object until something changes", async () => {
  answers = signedIn;
  const results: UserContext[] = [];
  const tree = (): ReactNode => (
    <UserProvider user={ada}>
      <Reader onRead={(found) => void results.push(found)} />
    </UserProvider>
  );
  const { rerender } = render(tree());
  await waitFor(() => expect(asked).toHaveLength(1));
  await act(() => Promise.resolve());
  rerender(tree());
  rerender(tree());
  expect(results.length).toBeGreaterThan(2);
  expect(results.at(-1)).toBe(results.at(-2));
  expect(new Set(results).size).toBe(1);
});

class TenantError extends Error {}

test("what the app's own fetcher throws arrives as it is, on arrival and in checkSession", async () => {
  answers = signedIn;
  const error = new TenantError("The tenant is locked.");
  const fetcher = vi.fn<(url: string) => Promise<UserProfile | undefined>>(() =>
    Promise.reject(error),
  );
  render(
    <UserProvider fetcher={fetcher}>
      <Reader />
    </UserProvider>,
  );
  await waitFor(() => expect(seen.error).toBe(error), { timeout: 3_000 });
  fetcher.mockImplementation(() => Promise.resolve(ada));
  await act(() => seen.checkSession());
  expect(seen).toMatchObject({ user: ada, error: undefined });
  const other = new TenantError("The tenant is locked again.");
  fetcher.mockImplementation(() => Promise.reject(other));
  await act(() => seen.checkSession());
  expect(seen.error).toBe(other);
});

test("withPageAuthRequired hands what the app's own fetcher throws to onError", async () => {
  const error = new TenantError("The tenant is locked.");
  const { container } = render(
    <UserProvider fetcher={() => Promise.reject(error)}>
      <Page />
    </UserProvider>,
  );
  await waitFor(() => expect(container.textContent).toBe(error.message), { timeout: 3_000 });
});

test("asks where it is told to, by the fetcher it is given", async () => {
  const fetcher = vi.fn<(url: string) => Promise<UserProfile | undefined>>(() =>
    Promise.resolve(ada),
  );
  render(
    <UserProvider profileUrl="/api/me" fetcher={fetcher}>
      <Reader />
    </UserProvider>,
  );
  await waitFor(() => expect(fetcher).toHaveBeenCalledExactlyOnceWith("/api/me"));
});

test("useUser outside of the provider says what to do", () => {
  expect(() => renderToString(<Show />)).toThrow(
    "useUser is used outside of <UserProvider>. Wrap your app in it once, at the top.",
  );
});

const Page = withPageAuthRequired(({ user }: { user: UserProfile }) => <p>{user.name}</p>, {
  returnTo: "/profile",
  onRedirecting: () => <p>on the way</p>,
  onError: (error) => <p>{error.message}</p>,
});

test("withPageAuthRequired gives the user to the page", () => {
  const html = renderToStaticMarkup(
    <UserProvider user={ada}>
      <Page />
    </UserProvider>,
  );
  expect(html).toContain("<p>Ada Lovelace</p>");
});

test("withPageAuthRequired sends those who are signed out to sign in", () => {
  const { container } = render(
    <UserProvider user={null} loginUrl="/api/login">
      <Page />
    </UserProvider>,
  );
  expect(container.textContent).toBe("on the way");
  expect(assign).toHaveBeenCalledExactlyOnceWith("/api/login?returnTo=%2Fprofile");
});

test("withPageAuthRequired shows an error, and sends nobody away for it", async () => {
  answers = {};
  const { container } = render(
    <UserProvider>
      <Page />
    </UserProvider>,
  );
  await waitFor(
    () =>
      expect(container.textContent).toBe("GET /api/auth/me brought no usable response (status 0)."),
    {
      timeout: 3_000,
    },
  );
  expect(assign).not.toHaveBeenCalled();
});
