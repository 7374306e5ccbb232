// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { openBroadcast } from "./channel.ts";
import { browserPage, type PageEvent } from "./page.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, "visibilityState");
});

function transition(name: string, persisted: boolean): Event {
  return Object.assign(new Event(name), { persisted });
}

test("the page tells when somebody comes or goes, and when it is put away or brought back", () => {
  const heard: PageEvent[] = [];
  const stop = browserPage.listen((event) => heard.push(event));
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("online"));
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  window.dispatchEvent(transition("pagehide", false));
  window.dispatchEvent(transition("pagehide", true));
  window.dispatchEvent(transition("pageshow", false));
  window.dispatchEvent(transition("pageshow", true));
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  expect(browserPage.visible()).toBe(false);
  stop();
  window.dispatchEvent(new Event("focus"));
  expect(heard).toEqual(["look", "look", "look", "stored", "restored", "rest"]);
});

test("a veiled page keeps its place and shows nothing", () => {
  browserPage.veil(true);
  expect(document.documentElement.style.visibility).toBe("hidden");
  browserPage.veil(false);
  expect(document.documentElement.getAttribute("style") ?? "").toBe("");
});

test("leaving by post submits an empty form to the path", () => {
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

test("without a channel in the browser nobody hears anything, and nothing fails", () => {
  vi.stubGlobal("BroadcastChannel", undefined);
  const heard = vi.fn<() => void>();
  const line = openBroadcast("tabs", heard);
  line.post({ asking: true });
  line.close();
  expect(heard).not.toHaveBeenCalled();
});
