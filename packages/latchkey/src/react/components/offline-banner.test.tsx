// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OfflineBanner } from "../index.ts";
import { leaveNothing, show } from "../support/render.support.tsx";

function setOnline(online: boolean): void {
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => online });
  window.dispatchEvent(new Event(online ? "online" : "offline"));
}

afterEach(() => {
  leaveNothing();
  Reflect.deleteProperty(navigator, "onLine");
});

test("says when the device is offline, and that it is back for five seconds", async () => {
  const { view, pass } = show(<OfflineBanner />);
  expect(view.getByRole("status").textContent).toBe("");
  act(() => setOnline(false));
  expect(view.getByRole("status").textContent).toBe(
    "You're offline. What you see may be out of date.",
  );
  act(() => setOnline(true));
  await pass(200);
  expect(view.getByRole("status").textContent).toBe("Back online.");
  await pass(5_000);
  expect(view.getByRole("status").textContent).toBe("");
});

test("claims nothing before the server has been heard", async () => {
  const { view, browser, pass } = show(<OfflineBanner />);
  act(() => setOnline(false));
  browser.server.fault = () => "offline";
  act(() => setOnline(true));
  await pass(1_000);
  expect(view.getByRole("status").textContent).toBe("");
});
