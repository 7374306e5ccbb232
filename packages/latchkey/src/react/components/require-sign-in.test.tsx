// @vitest-environment happy-dom
import { fireEvent, render, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import {
  requireSignIn,
  RequestError,
  SignInTestProvider,
  type Claims,
  type SessionActions,
  type SessionState,
} from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";
import { ada, grace } from "../support/server.support.ts";
import { UNKNOWN_TIMES } from "../client/session-times.ts";

afterEach(leaveNothing);

function Orders({ user, title }: { user: Claims; title: string }): ReactNode {
  return (
    <label>
      {title} of {user.name}
      <input />
    </label>
  );
}

const Page = requireSignIn(Orders, { waiting: <i>one moment</i> });

function pageIn(session: SessionState, Guarded = Page, actions: Partial<SessionActions> = {}) {
  const signIn = vi.fn<SessionActions["signIn"]>();
  const { container } = render(
    <SignInTestProvider session={session} actions={{ signIn, ...actions }}>
      <Guarded title="Orders" />
    </SignInTestProvider>,
  );
  return { page: container, signIn };
}

test("a page receives the user as a prop and lends its name to the guarded component", () => {
  const { page, signIn } = pageIn({
    status: "signed-in",
    user: ada,
    times: UNKNOWN_TIMES,
    stale: true,
  });
  expect(page.textContent).toBe("Orders of Ada Lovelace");
  expect(Page.displayName).toBe("requireSignIn(Orders)");
  expect(signIn).not.toHaveBeenCalled();
});

test("a signed-out user goes to sign-in and back to the same page, fragment included", () => {
  history.replaceState(null, "", "/orders?page=2#last");
  const { tab, view } = show(<Page title="Orders" />, { initialSession: null });
  expect(view.getByText("one moment")).toBeDefined();
  expect(tab.page.assigned).toEqual(["/api/auth/login?returnTo=%2Forders%3Fpage%3D2%23last"]);
});

test("the option returnTo sets another page to come back to", () => {
  const Start = requireSignIn(Orders, { returnTo: "/start#top" });
  const { tab } = show(<Start title="Orders" />, { initialSession: null });
  expect(tab.page.assigned).toEqual(["/api/auth/login?returnTo=%2Fstart%23top"]);
});

test("a page shows the waiting content while the status is loading", () => {
  const { page, signIn } = pageIn({ status: "loading", user: null });
  expect(page.textContent).toBe("one moment");
  expect(signIn).not.toHaveBeenCalled();
});

test("the server renders the waiting content for a signed-out user", () => {
  const html = renderToStaticMarkup(
    <SignInTestProvider session={{ status: "signed-out", user: null }}>
      <Page title="x" />
    </SignInTestProvider>,
  );
  expect(html).toBe("<i>one moment</i>");
});

const failed: SessionState = {
  status: "loading",
  user: null,
  error: new RequestError("The server is down.", 502),
};

test("after a failed request the page offers to try again without a redirect", () => {
  const refetch = vi.fn<SessionActions["refetch"]>(() => Promise.resolve(true));
  const { page, signIn } = pageIn(failed, Page, { refetch });
  expect(page.textContent).toContain("We couldn't check who is signed in.");
  fireEvent.click(within(page).getByRole("button", { name: "Try again" }));
  expect(refetch).toHaveBeenCalledTimes(1);
  expect(signIn).not.toHaveBeenCalled();
});

test("the option onError renders a failed request and can try again", () => {
  const Own = requireSignIn(Orders, {
    onError: ({ status }, retry) => <button onClick={retry}>Status {status}</button>,
  });
  const refetch = vi.fn<SessionActions["refetch"]>(() => Promise.resolve(true));
  const { page } = pageIn(failed, Own, { refetch });
  fireEvent.click(within(page).getByRole("button", { name: "Status 502" }));
  expect(refetch).toHaveBeenCalledTimes(1);
});

test("a session that ended before the page opened is explained without a redirect", () => {
  const { page, signIn } = pageIn({ status: "signed-out", user: null, ended: "max-age" });
  expect(within(page).getByRole("heading", { name: "Time to sign in again" })).toBeDefined();
  expect(within(page).getByRole("link", { name: "Sign in again" })).toBeDefined();
  expect(signIn).not.toHaveBeenCalled();
});

test("after the session ends, typed text stays unreadable until the same user has signed in again", async () => {
  const { browser, view, pass } = show(<Page title="Orders" />);
  const input = view.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(input, { target: { value: "half a letter" } });
  if (browser.server.session) browser.server.session.ended = "elsewhere";
  await pass(61_000);
  expect(view.getByRole("heading", { name: "You've been signed out" })).toBeDefined();
  const blurred = input.closest<HTMLElement>(".lk-blurred");
  expect(blurred?.inert).toBe(true);
  browser.server.signIn(ada);
  const other = browser.open(browser.server.initialSession());
  await pass(2_000);
  expect(view.queryByRole("heading")).toBeNull();
  expect(blurred?.inert).toBe(false);
  expect(view.getByRole<HTMLInputElement>("textbox").value).toBe("half a letter");
  other.close();
});

test("after a sign-out in another tab the content is gone, without a redirect", async () => {
  const { browser, tab, view, pass } = show(<Page title="Orders" />);
  browser.server.session = null;
  await pass(61_000);
  expect(view.queryByRole("textbox")).toBeNull();
  expect(view.getByRole("heading", { name: "You're signed out" })).toBeDefined();
  expect(tab.page.assigned).toEqual([]);
});

test("another user gets a fresh page", async () => {
  const { browser, view, pass } = show(<Page title="Orders" />);
  fireEvent.change(view.getByRole("textbox"), { target: { value: "Ada's secret" } });
  browser.server.signIn(grace);
  await pass(61_000);
  const input = view.getByLabelText<HTMLInputElement>("Orders of Grace Hopper");
  expect(input.value).toBe("");
});
