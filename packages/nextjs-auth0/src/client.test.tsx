// @vitest-environment happy-dom
import { act, cleanup, configure, render, waitFor } from "@testing-library/react";
import { type ComponentProps, type ReactNode, useLayoutEffect } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  RequestError,
  UserProvider,
  useUser,
  withPageAuthRequired,
  type UserContext,
  type UserProfile,
} from "./client.tsx";

const ada = { sub: "ada", name: "Ada Lovelace", email: "ada@example.test" };

// A busy machine is slow.
configure({ asyncUtilTimeout: 30_000 });

const assign = vi.fn<(url: string | URL) => void>();
let seen: UserContext;
let responses: Record<string, () => Response>;
let requests: string[];

beforeEach(() => {
  vi.spyOn(location, "assign").mockImplementation(assign);
  requests = [];
  responses = { "/api/auth/session.json": () => Response.json({ state: "signed-out", now: 1 }) };
  vi.stubGlobal("fetch", (path: string) => {
    requests.push(path);
    const respond = responses[path];
    return respond ? Promise.resolve(respond()) : Promise.reject(new TypeError("no network"));
  });
});

afterEach(() => {
  cleanup();
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

type Props = ComponentProps<typeof UserProvider>;

const showBelow = (child: ReactNode, props: Props) =>
  render(<UserProvider {...props}>{child}</UserProvider>);
const showReader = (props: Props = {}) => showBelow(<Reader />, props);
const showPage = (props: Props = {}) => showBelow(<Page />, props);

const signedIn = {
  "/api/auth/me": () => Response.json(ada),
  "/api/auth/session.json": () => Response.json({ state: "signed-in", now: 1, sub: "ada" }),
};

test("without a user the provider loads it with one request", async () => {
  responses = signedIn;
  render(
    <UserProvider>
      <Reader />
      <Reader />
    </UserProvider>,
  );
  expect(seen).toMatchObject({ user: undefined, isLoading: true });
  await waitFor(() => expect(seen).toMatchObject({ user: ada, isLoading: false }));
  expect(requests.filter((path) => path === "/api/auth/me")).toHaveLength(1);
});

test("a response with status 204 means signed out, and is no error", async () => {
  responses["/api/auth/me"] = () => new Response(null, { status: 204 });
  showReader();
  await waitFor(() => expect(seen.isLoading).toBe(false));
  expect(seen).toMatchObject({ user: undefined, error: undefined });
});

test("a response with another status is an error with that status", async () => {
  responses["/api/auth/me"] = () => new Response(null, { status: 503 });
  showReader();
  await waitFor(() => expect(seen.error).toBeInstanceOf(RequestError));
  expect(seen).toMatchObject({ error: { status: 503 }, isLoading: false });
});

test("the first render has the user from the server, or null, without a request", () => {
  const html = (user: UserProfile | null): string =>
    renderToString(
      <UserProvider user={user}>
        <Show />
      </UserProvider>,
    );
  expect(html(ada)).toBe("Ada Lovelace");
  expect(html(null)).toBe("signed out");
  showReader({ user: null });
  expect(seen.isLoading).toBe(false);
  expect(requests).toEqual([]);
});

function Show(): ReactNode {
  const { user, isLoading } = useUser();
  return isLoading ? "loading" : (user?.name ?? "signed out");
}

test("checkSession loads the user again, and keeps the user if the request fails", async () => {
  responses = { ...signedIn };
  showReader({ user: { sub: "ada", name: "Ada" } });
  await act(() => seen.checkSession());
  expect(seen.user).toEqual(ada);
  responses = {};
  await act(() => seen.checkSession());
  expect(seen).toMatchObject({ user: ada, error: { status: 0 } });
  responses = { ...signedIn };
  await act(() => seen.checkSession());
  expect(seen.error).toBeUndefined();
});

test("useUser returns the same object until something changes", async () => {
  responses = signedIn;
  const results: UserContext[] = [];
  const tree = (): ReactNode => (
    <UserProvider user={ada}>
      <Reader onRead={(found) => void results.push(found)} />
    </UserProvider>
  );
  const { rerender } = render(tree());
  await waitFor(() => expect(requests).toHaveLength(1));
  await act(() => Promise.resolve());
  rerender(tree());
  rerender(tree());
  expect(results.length).toBeGreaterThan(2);
  expect(results.at(-1)).toBe(results.at(-2));
  expect(new Set(results).size).toBe(1);
});

class TenantError extends Error {}

test("an error of the app's own fetcher arrives unwrapped, while loading and in checkSession", async () => {
  responses = signedIn;
  const error = new TenantError("The tenant is locked.");
  const fetcher = vi.fn<(url: string) => Promise<UserProfile | undefined>>(() =>
    Promise.reject(error),
  );
  showReader({ fetcher });
  await waitFor(() => expect(seen.error).toBe(error));
  fetcher.mockImplementation(() => Promise.resolve(ada));
  await act(() => seen.checkSession());
  expect(seen).toMatchObject({ user: ada, error: undefined });
  const other = new TenantError("The tenant is locked again.");
  fetcher.mockImplementation(() => Promise.reject(other));
  await act(() => seen.checkSession());
  expect(seen.error).toBe(other);
});

test("the provider uses the profileUrl and the fetcher of the app", async () => {
  const fetcher = vi.fn<(url: string) => Promise<UserProfile | undefined>>(() =>
    Promise.resolve(ada),
  );
  showReader({ profileUrl: "/api/me", fetcher });
  await waitFor(() => expect(fetcher).toHaveBeenCalledExactlyOnceWith("/api/me"));
});

test("useUser outside of the provider throws an error with a remedy", () => {
  expect(() => renderToString(<Show />)).toThrow(
    "useUser is used outside of <UserProvider>. Wrap your app in it once, at the top.",
  );
});

const Page = withPageAuthRequired(({ user }: { user: UserProfile }) => <p>{user.name}</p>, {
  returnTo: "/profile",
  onRedirecting: () => <p>on the way</p>,
  onError: (error) => <p>{error.message}</p>,
});

test("withPageAuthRequired passes the user to the page", () => {
  const html = renderToStaticMarkup(
    <UserProvider user={ada}>
      <Page />
    </UserProvider>,
  );
  expect(html).toContain("<p>Ada Lovelace</p>");
});

test("withPageAuthRequired sends a signed-out user to login", () => {
  const { container } = showPage({ user: null, loginUrl: "/api/login" });
  expect(container.textContent).toBe("on the way");
  expect(assign).toHaveBeenCalledExactlyOnceWith("/api/login?returnTo=%2Fprofile");
});

test("withPageAuthRequired renders an error and stays on the page", async () => {
  responses = {};
  const { container } = showPage();
  await waitFor(() =>
    expect(container.textContent).toBe("GET /api/auth/me brought no usable response (status 0)."),
  );
  expect(assign).not.toHaveBeenCalled();
});
