// @vitest-environment happy-dom
import { fireEvent } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { EndReason } from "../../client/wire.ts";
import { SessionWarning } from "../../index.ts";
import { leaveNothing, show, type View } from "../../support/render.support.tsx";
import { ada, grace } from "../../support/server.support.ts";

afterEach(() => {
  leaveNothing();
  vi.restoreAllMocks();
});

function sentences(view: View): (string | null)[] {
  return [...view.getByRole("dialog").querySelectorAll("p")].map((line) => line.textContent);
}

describe("when the session has ended", () => {
  const endings: [EndReason, string, string[], string][] = [
    [
      "idle",
      "You've been signed out",
      ["You weren't active for 1 day, so we signed you out to protect your account."],
      "Sign in and go back to Letters",
    ],
    [
      "max-age",
      "Time to sign in again",
      ["It's been 7 days since you signed in. Everyone is asked again after that."],
      "Sign in and go back to Letters",
    ],
    [
      "unreadable",
      "Please sign in again",
      ["This app was updated and couldn't keep you signed in."],
      "Sign in and go back to Letters",
    ],
    [
      "elsewhere",
      "You've been signed out",
      [
        "You were signed out from another device, another app, or by an administrator.",
        "If that wasn't you, change your password at your sign-in provider.",
      ],
      "Sign in again",
    ],
  ];

  test.each(endings)(
    "the reason %s has a notice that says what happened and offers what to do",
    async (reason, title, body, act) => {
      document.title = "Letters · this app";
      const { view, browser, pass } = show(<SessionWarning />);
      if (browser.server.session) browser.server.session.ended = reason;
      await pass(61_000);
      expect(view.getByRole("dialog", { name: title })).toBeDefined();
      expect(sentences(view)).toEqual(body);
      const links = view.getAllByRole("link").map((link) => link.textContent);
      expect(links).toEqual([act, "Sign in again in a new tab and keep this page"]);
      expect(document.activeElement?.textContent).toBe(act);
    },
  );

  test("after a sign-out in another tab the notice says so", async () => {
    const { view, browser, pass } = show(<SessionWarning />);
    const other = browser.open(browser.server.initialSession());
    other.client.announceSignOut();
    browser.server.session = null;
    await pass(2_000);
    expect(view.getByRole("dialog", { name: "You're signed out" })).toBeDefined();
    expect(sentences(view)).toEqual(["You're signed out of this app in this browser."]);
    other.close();
  });

  test("the notice stays until the user has signed in again", async () => {
    const { view, browser, pass, run } = show(<SessionWarning />);
    if (browser.server.session) browser.server.session.ended = "elsewhere";
    await pass(61_000);
    const notice = view.getByRole<HTMLDialogElement>("dialog");
    await run(() => notice.dispatchEvent(new Event("cancel", { cancelable: true })));
    await run(() => notice.close());
    expect(notice.open).toBe(true);
    browser.server.signIn(ada);
    const other = browser.open(browser.server.initialSession());
    await pass(2_000);
    expect(view.queryByRole("dialog")).toBeNull();
    other.close();
  });

  test("no notice covers a page rendered for an ended session", () => {
    const { view } = show(<SessionWarning />, { initialSession: { ended: "idle" } });
    expect(view.queryByRole("dialog")).toBeNull();
  });

  test("the notice names no unknown duration", async () => {
    const { view, pass } = show(<SessionWarning />, {
      initialSession: { user: ada },
      before: ({ server }) => server.session && (server.session.ended = "idle"),
    });
    await pass(0);
    expect(sentences(view)[0]).toBe(
      "You weren't active for a while, so we signed you out to protect your account.",
    );
  });

  test("without a network there is no notice", async () => {
    const { view, browser, pass } = show(<SessionWarning />);
    browser.server.override = () => "offline";
    await pass(600_000);
    expect(view.queryByRole("dialog")).toBeNull();
  });
});

test("after a sign-in of another user, the notice names them and offers to continue or to switch", async () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  const { view, browser, pass } = show(<SessionWarning />);
  browser.server.signIn(grace);
  await pass(61_000);
  expect(sentences(view)).toEqual([
    "Someone is now signed in as grace@example.test in this browser.",
  ]);
  fireEvent.click(view.getByRole("button", { name: "Continue as grace@example.test" }));
  expect(reload).toHaveBeenCalledTimes(1);
  const link = view.getByRole("link", { name: "Use a different account" });
  expect(link.getAttribute("href")).toBe("/api/auth/login?prompt=select_account");
});

test("the app's texts replace the English ones, with its names and in its language", async () => {
  const words = {
    lang: "de",
    app: "Ablage",
    idleTitle: "Sie wurden abgemeldet",
    idleBody: "Sie waren {length} nicht aktiv, darum hat {app} Sie abgemeldet.",
  };
  const { view, browser, pass } = show(<SessionWarning />, {
    words,
    before: ({ server }) => (server.rolling = 172_800),
  });
  if (browser.server.session) browser.server.session.ended = "idle";
  await pass(61_000);
  expect(view.getByRole("dialog", { name: "Sie wurden abgemeldet" })).toBeDefined();
  expect(sentences(view)).toEqual([
    "Sie waren 2 Tage nicht aktiv, darum hat Ablage Sie abgemeldet.",
  ]);
});
