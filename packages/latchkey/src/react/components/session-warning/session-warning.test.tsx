// @vitest-environment happy-dom
import { act, fireEvent } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { SessionWarning } from "../../index.ts";
import {
  leaveNothing,
  setVisible,
  show,
  type Rendered,
  type View,
} from "../../support/render.support.tsx";
import { ada } from "../../support/server.support.ts";
import type { TestBrowser } from "../../support/browser.support.ts";

afterEach(leaveNothing);

/** Half an hour of rest: the warning is due three minutes before. */
function halfAnHour({ server }: TestBrowser): void {
  server.rolling = 1_800;
}

async function untilLeft(rendered: Rendered, seconds: number): Promise<void> {
  await rendered.pass((1_800 - seconds) * 1_000 + 10);
}

/** A page whose person has rested until so many seconds are left. */
async function resting(seconds: number, page = <SessionWarning />): Promise<Rendered> {
  const rendered = show(page, { before: halfAnHour });
  await untilLeft(rendered, seconds);
  return rendered;
}

function dialog(view: View): HTMLDialogElement {
  return view.getByRole<HTMLDialogElement>("dialog");
}

function description(view: View): string {
  const id = dialog(view).getAttribute("aria-describedby") ?? "";
  return document.getElementById(id)?.textContent ?? "";
}

describe("the warning before the rolling end", () => {
  test("it appears a tenth of the duration before the end, and no sooner", async () => {
    const rendered = await resting(181);
    expect(rendered.view.queryByRole("dialog")).toBeNull();
    await rendered.pass(2_000);
    expect(rendered.view.getByRole("dialog", { name: "Still there?" })).toBeDefined();
  });

  test("it says what will happen and when, and its first button has the focus", async () => {
    const { view } = await resting(179);
    expect(description(view)).toBe(
      "You haven't used this app for a while. To keep your account safe we'll sign you out in 3 minutes.",
    );
    expect(view.queryByText("What you've typed stays on this page.")).toBeNull();
    expect(document.activeElement?.textContent).toBe("Stay signed in");
    const form = view.getByRole("button", { name: "Sign out now" }).closest("form");
    expect(form?.getAttribute("action")).toBe("/api/auth/logout");
  });

  test("it says that typed text stays", async () => {
    const page = (
      <>
        <textarea />
        <SessionWarning />
      </>
    );
    const { view, pass } = show(page, { before: halfAnHour });
    fireEvent.change(view.getByRole("textbox"), { target: { value: "half a letter" } });
    await pass(1_685_000);
    expect(view.getByText("What you've typed stays on this page.")).toBeDefined();
  });

  test("it says that unsaved work may be lost, if the app has set `unsaved`", async () => {
    const { view } = await resting(170, <SessionWarning unsaved />);
    expect(view.getByText("Anything you haven't saved on this page may be lost.")).toBeDefined();
  });

  test("it counts seconds in the last minute, and screen readers hear 60, 40 and 20 only", async () => {
    const rendered = await resting(125);
    const { view, browser } = rendered;
    browser.server.override = () => "offline";
    const shown = new Set<string>();
    const spoken = new Set<string>();
    for (let second = 0; second < 124; second++) {
      shown.add(dialog(view).querySelector("strong")?.textContent ?? "");
      spoken.add(description(view).replace(/^.* (?=\d)/, ""));
      // oxlint-disable-next-line no-await-in-loop -- second by second
      await rendered.pass(1_000);
    }
    expect([...spoken]).toEqual(["3 minutes.", "1 minute.", "40 seconds.", "20 seconds."]);
    expect([...shown].slice(0, 4)).toEqual(["3 minutes", "2 minutes", "1 minute", "59 seconds"]);
    expect(shown.has("0 seconds")).toBe(false);
    expect(shown.has("2 seconds")).toBe(true);
  });

  test('"Stay signed in" extends the session, closes the warning and returns the focus', async () => {
    const page = (
      <>
        <input aria-label="letter" />
        <SessionWarning />
      </>
    );
    const rendered = show(page, { before: halfAnHour });
    const { view, browser, run, pass } = rendered;
    view.getByLabelText("letter").focus();
    await untilLeft(rendered, 150);
    await run(() => view.getByRole("button", { name: "Stay signed in" }).click());
    expect(view.queryByRole("dialog")).toBeNull();
    expect(view.getByRole("status").textContent).toBe("You're still signed in.");
    expect(document.activeElement).toBe(view.getByLabelText("letter"));
    expect(browser.server.requests.filter((path) => path === "/api/auth/me")).toHaveLength(1);
    await pass(5_500);
    expect(view.getByRole("status").textContent).toBe("");
  });

  test("Escape extends the session", async () => {
    const rendered = await resting(150);
    const escaped = new Event("cancel", { cancelable: true });
    await rendered.run(() => dialog(rendered.view).dispatchEvent(escaped));
    expect(escaped.defaultPrevented).toBe(true);
    expect(rendered.view.queryByRole("dialog")).toBeNull();
  });

  test("if the browser closes the dialog regardless, it reopens and extends the session", async () => {
    const rendered = await resting(150);
    rendered.browser.server.latencyMs = 500;
    await rendered.run(() => dialog(rendered.view).close());
    expect(dialog(rendered.view).open).toBe(true);
    await rendered.pass(1_500);
    expect(rendered.view.queryByRole("dialog")).toBeNull();
  });

  test("it shows progress and failure, keeps counting, and can be tried again", async () => {
    const { view, browser, run, pass } = await resting(150);
    browser.server.override = () => "offline";
    browser.server.latencyMs = 300;
    await run(() => view.getByRole("button", { name: "Stay signed in" }).click());
    const working = view.getByRole("button", { name: "Keeping you signed in…" });
    expect(working.getAttribute("aria-disabled")).toBe("true");
    await pass(1_000);
    expect(view.getByRole("alert").textContent).toBe(
      "We couldn't reach this app to keep you signed in.",
    );
    await pass(60_000);
    expect(dialog(view).querySelector("strong")?.textContent).toBe("2 minutes");
    browser.server.override = undefined;
    await run(() => view.getByRole("button", { name: "Try again" }).click());
    await pass(1_000);
    expect(view.queryByRole("dialog")).toBeNull();
  });

  test("it does not appear if another request has extended the session unnoticed", async () => {
    const rendered = show(<SessionWarning />, { before: halfAnHour });
    await rendered.pass(1_610_000);
    rendered.browser.server.use();
    for (let second = 0; second < 180; second++) {
      // oxlint-disable-next-line no-await-in-loop -- second by second
      await rendered.pass(1_000);
      expect(rendered.view.queryByRole("dialog")).toBeNull();
    }
  });

  test("it does not appear first when fewer than 20 seconds are left", async () => {
    const rendered = show(<SessionWarning />, { before: halfAnHour });
    await rendered.pass(10_000);
    rendered.browser.clock.jump(1_775_000);
    await rendered.pass(5_500);
    expect(rendered.view.queryByRole("dialog")).toBeNull();
    await rendered.pass(12_000);
    expect(rendered.view.getByRole("dialog", { name: "You've been signed out" })).toBeDefined();
  });
});

describe("in a hidden tab", () => {
  test("title and icon of the tab warn, and are restored when the user comes back", async () => {
    document.title = "Letters";
    const icon = document.head.appendChild(document.createElement("link"));
    Object.assign(icon, { rel: "icon", href: "/icon.svg" });
    const rendered = show(<SessionWarning endingIcon="/amber.svg" />, { before: halfAnHour });
    const { view, tab, pass } = rendered;
    act(() => setVisible(false));
    await act(() => tab.hide());
    await untilLeft(rendered, 120);
    expect(document.title).toBe("(2:00) Signing out soon · this app");
    expect(icon.getAttribute("href")).toBe("/amber.svg");
    expect(view.queryByRole("dialog")).toBeNull();
    await pass(15_000);
    expect(document.title).toBe("(1:45) Signing out soon · this app");
    act(() => setVisible(true));
    await act(() => tab.show());
    expect(document.title).toBe("Letters");
    expect(icon.getAttribute("href")).toBe("/icon.svg");
    expect(dialog(view)).toBeDefined();
    icon.remove();
  });

  test("a title set by the app meanwhile stays", async () => {
    const rendered = show(<SessionWarning />, { before: halfAnHour });
    act(() => setVisible(false));
    await untilLeft(rendered, 100);
    document.title = "New mail";
    act(() => setVisible(true));
    expect(document.title).toBe("New mail");
  });
});

describe("the warning before the absolute end", () => {
  function tenHours({ server }: TestBrowser): void {
    Object.assign(server, { rolling: 86_400, absolute: 36_000 });
  }

  test("it appears ten and two minutes before the end, and can be closed each time", async () => {
    const { view, pass, run } = show(<SessionWarning />, { before: tenHours });
    await pass(35_399_000);
    expect(view.queryByRole("dialog")).toBeNull();
    await pass(2_000);
    expect(view.getByRole("dialog", { name: "You'll need to sign in again soon" })).toBeDefined();
    expect(description(view)).toMatch(
      /^For safety, this app asks everyone to sign in again after 10 hours\. That's in 10 minutes, at \d+:\d\d/,
    );
    await run(() => view.getByRole("button", { name: "Remind me 2 minutes before" }).click());
    expect(view.queryByRole("dialog")).toBeNull();
    await pass(478_000);
    expect(view.queryByRole("dialog")).toBeNull();
    await pass(3_000);
    await run(() => dialog(view).dispatchEvent(new Event("cancel", { cancelable: true })));
    expect(view.queryByRole("dialog")).toBeNull();
    await pass(60_000);
    expect(view.queryByRole("dialog")).toBeNull();
  });

  test("after a sign-in in a new tab, this tab says how long it lasts", async () => {
    history.replaceState(null, "", "/letters?n=2#end");
    const { view, browser, pass } = show(<SessionWarning />, { before: tenHours });
    await pass(35_401_000);
    const link = view.getByRole<HTMLAnchorElement>("link", {
      name: "Sign in again in a new tab and keep this page",
    });
    expect(link.target).toBe("_blank");
    expect(new URL(link.href, "http://localhost").searchParams.get("returnTo")).toBe(
      "/letters?n=2#lk-signed-in",
    );
    expect(document.activeElement).toBe(link);
    act(() => setVisible(false));
    browser.server.signIn(ada);
    const other = browser.open(browser.server.initialSession());
    await pass(2_000);
    expect(view.queryByRole("dialog")).toBeNull();
    await pass(60_000);
    const status = view.getByRole("status");
    expect(status.textContent).toMatch(/^You're signed in until \w+.* at \d+:/);
    act(() => setVisible(true));
    await pass(4_000);
    expect(status.textContent).not.toBe("");
    await pass(2_000);
    expect(status.textContent).toBe("");
    other.close();
  });

  test("the new tab says that it can be closed, and removes the fragment from its address", async () => {
    history.replaceState(null, "", "/letters?n=2#lk-signed-in");
    const { view, pass } = show(<SessionWarning />);
    await pass(30_000);
    expect(view.getByRole("status").textContent).toBe(
      "You're signed in. Close this tab and carry on where you were.",
    );
    expect(location.href).toMatch(/\/letters\?n=2$/);
  });
});
