// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OfflineBanner } from "../index.ts";
import { leaveNothing, setOnline, show } from "../support/render.support.tsx";

afterEach(leaveNothing);

test("the banner reports an offline device, and its return for five seconds", async () => {
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

test("the banner reports the return only after the server has responded", async () => {
  const { view, browser, pass } = show(<OfflineBanner />);
  act(() => setOnline(false));
  browser.server.override = () => "offline";
  act(() => setOnline(true));
  await pass(1_000);
  expect(view.getByRole("status").textContent).toBe("");
});
