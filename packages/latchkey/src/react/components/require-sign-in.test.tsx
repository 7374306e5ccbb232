// @vitest-environment happy-dom
import { fireEvent, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  requireSignIn,
  SignInError,
  SignInTestProvider,
  type Claims,
  type SignIn,
} from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";
import { ada, grace } from "../support/server.support.ts";
import { UNKNOWN_TIMES } from "../client/session-times.ts";

const assign = vi.fn<(url: string | URL) => void>();

beforeEach(() => {
  vi.spyOn(location, "assign").mockImplementation(assign);
});

afterEach(() => {
  leaveNothing();
  vi.restoreAllMocks();
  assign.mockReset();
});

function Orders({ user, title }: { user: Claims; title: string }): ReactNode {
  return (
    <label>
      {title} of {user.name}
      <input />
    </label>
  );
}

const Page = requireSignIn(Orders, { waiting: <i>one moment</i> });

function pageIn(value: SignIn, Guarded = Page): HTMLElement {
  return render(
    <SignInTestProvider value={value}>
      <Guarded title="Orders" />
    </SignInTestProvider>,
  ).container;
}

test("gives the person to the page, and is called after it", () => {
  const view = pageIn({ status: "signed-in", user: ada, session: UNKNOWN_TIMES, stale: true });
  expect(view.textContent).toBe("Orders of Ada Lovelace");
  expect(Page.displayName).toBe("requireSignIn(Orders)");
  expect(assign).not.toHaveBeenCalled();
});

test("sends somebody who is certainly signed out to sign in, and back to this very page", () => {
  history.replaceState(null, "", "/orders?page=2#last");
  const view = pageIn({ status: "signed-out", user: null });
  expect(view.textContent).toBe("one moment");
  expect(assign).toHaveBeenCalledExactlyOnceWith(
    "/api/auth/login?returnTo=%2Forders%3Fpage%3D2%23last",
  );
});

test("sends them where they are to come back to instead", () => {
  pageIn({ status: "signed-out", user: null }, requireSignIn(Orders, { returnTo: "/start" }));
  expect(assign).toHaveBeenCalledWith("/api/auth/login?returnTo=%2Fstart");
});

test("waits while nothing is known, on the server too", () => {
  const value: SignIn = { status: "loading", user: null };
  expect(pageIn(value).textContent).toBe("one moment");
  const html = renderToStaticMarkup(
    <SignInTestProvider value={{ status: "signed-out", user: null }}>
      <Page title="x" />
    </SignInTestProvider>,
  );
  expect(html).toBe("<i>one moment</i>");
  expect(assign).not.toHaveBeenCalled();
});

test("a fault sends nobody away, and can be tried again", () => {
  const retry = vi.fn<() => void>();
  const value: SignIn = { status: "error", user: null, error: new SignInError("x", 502), retry };
  const view = pageIn(value);
  expect(view.textContent).toContain("We couldn't check who is signed in.");
  fireEvent.click(view.querySelector("button") ?? view);
  expect(retry).toHaveBeenCalledTimes(1);
  const own = pageIn(
    value,
    requireSignIn(Orders, { onError: ({ status }) => <b>fault {status}</b> }),
  );
  expect(own.textContent).toBe("fault 502");
  expect(assign).not.toHaveBeenCalled();
});

test("says why a session ended instead of starting over without a word", () => {
  const view = pageIn({ status: "ended", user: null, reason: "max-age" });
  expect(view.querySelector("h2")?.textContent).toBe("Time to sign in again");
  expect(view.querySelector("a")?.textContent).toBe("Sign in again");
  expect(assign).not.toHaveBeenCalled();
});

test("keeps what was typed, unreadable, when the session ends, until the person is back", async () => {
  const { world, view, pass } = show(<Page title="Orders" />);
  const input = view.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(input, { target: { value: "half a letter" } });
  if (world.server.session) world.server.session.ended = "elsewhere";
  await pass(61_000);
  expect(view.getByRole("heading", { name: "You've been signed out" })).toBeDefined();
  const veil = input.closest<HTMLElement>(".lk-veiled");
  expect(veil?.inert).toBe(true);
  world.server.signIn(ada);
  const other = world.open(world.server.seed());
  await pass(2_000);
  expect(view.queryByRole("heading")).toBeNull();
  expect(veil?.inert).toBe(false);
  expect(view.getByRole<HTMLInputElement>("textbox").value).toBe("half a letter");
  other.close();
});

test("shows nothing of the page any more after signing out in another tab, and stays", async () => {
  const { world, view, pass } = show(<Page title="Orders" />);
  world.server.session = null;
  await pass(61_000);
  expect(view.queryByRole("textbox")).toBeNull();
  expect(view.getByRole("heading", { name: "You're signed out" })).toBeDefined();
  expect(assign).not.toHaveBeenCalled();
});

test("another person gets a page of their own", async () => {
  const { world, view, pass } = show(<Page title="Orders" />);
  fireEvent.change(view.getByRole("textbox"), { target: { value: "Ada's secret" } });
  world.server.signIn(grace);
  await pass(61_000);
  const input = view.getByLabelText<HTMLInputElement>("Orders of Grace Hopper");
  expect(input.value).toBe("");
});
