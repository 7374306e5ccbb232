// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { openBroadcastChannel } from "./channel.ts";
import { browserPage, type PageEvent } from "./page.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, "visibilityState");
});

function transition(name: string, persisted: boolean): Event {
  return Object.assign(new Event(name), { persisted });
}

test("the page reports focus, network, visibility and the back/forward cache", () => {
  const events: PageEvent[] = [];
  const stop = browserPage.subscribe((event) => events.push(event));
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("online"));
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  window.dispatchEvent(transition("pagehide", false));
  window.dispatchEvent(transition("pagehide", true));
  window.dispatchEvent(transition("pageshow", false));
  window.dispatchEvent(transition("pageshow", true));
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  expect(browserPage.isVisible()).toBe(false);
  stop();
  window.dispatchEvent(new Event("focus"));
  expect(events).toEqual(["active", "active", "active", "cached", "restored", "hidden"]);
});

test("a hidden page keeps its layout", () => {
  browserPage.hidePage(true);
  expect(document.documentElement.style.visibility).toBe("hidden");
  browserPage.hidePage(false);
  expect(document.documentElement.getAttribute("style") ?? "").toBe("");
});

test("post() submits an empty form to the path", () => {
  const submitted: string[] = [];
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function submit(
    this: HTMLFormElement,
  ) {
    submitted.push(`${this.method} ${this.getAttribute("action")} ${this.elements.length}`);
    this.remove();
  });
  browserPage.post("/api/auth/logout");
  expect(submitted).toEqual(["post /api/auth/logout 0"]);
});

function RefusedChannel(): never {
  throw new DOMException("The operation is insecure.", "SecurityError");
}

test.each([
  ["without BroadcastChannel", undefined],
  ["blocking it together with storage", RefusedChannel],
])("in a browser %s no message arrives, and nothing fails", (_, channelClass) => {
  vi.stubGlobal("BroadcastChannel", channelClass);
  const onMessage = vi.fn<() => void>();
  const channel = openBroadcastChannel("tabs", onMessage);
  channel.post({ requesting: true });
  channel.close();
  expect(onMessage).not.toHaveBeenCalled();
});
