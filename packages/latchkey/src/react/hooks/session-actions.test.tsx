// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SignInTestProvider, useSession } from "../index.ts";
import { leaveNothing, readerOf, show } from "../support/render.support.tsx";

afterEach(leaveNothing);

const { Reader, last } = readerOf(useSession);

test("signIn() leaves for the login route and comes back to the page, fragment included", () => {
  const { tab } = show(<Reader />, { initialSession: null });
  history.replaceState(null, "", "/orders?page=2#last");
  last().signIn();
  last().signIn({ returnTo: "/start", chooseAccount: true });
  last().signIn({ returnTo: "/start", connection: "acme" });
  last().signIn({ returnTo: "/start", params: { screen_hint: "signup" } });
  expect(tab.page.assigned).toEqual([
    "/api/auth/login?returnTo=%2Forders%3Fpage%3D2%23last",
    "/api/auth/login?returnTo=%2Fstart&prompt=select_account",
    "/api/auth/login/acme?returnTo=%2Fstart",
    "/api/auth/login?screen_hint=signup&returnTo=%2Fstart",
  ]);
});

test("signOut() posts to the logout route and informs the other tabs", async () => {
  const { tab, browser, pass } = show(<Reader />);
  const other = browser.open(browser.server.initialSession());
  last().signOut();
  browser.server.session = null;
  expect(tab.page.posted).toEqual(["/api/auth/logout"]);
  await pass(2_000);
  expect(other.client.getSnapshot().status).toBe("signed-out");
  other.close();
});

test("in a component test the given actions are called, and the others do nothing", async () => {
  const signOut = vi.fn<() => void>();
  render(
    <SignInTestProvider session={{ status: "signed-out", user: null }} actions={{ signOut }}>
      <Reader />
    </SignInTestProvider>,
  );
  last().signOut();
  last().signIn();
  expect(signOut).toHaveBeenCalledTimes(1);
  expect(await last().extend()).toBe(true);
  expect(await last().refetch()).toBe(true);
});
