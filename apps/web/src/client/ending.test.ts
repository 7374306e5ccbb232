import { Window } from "happy-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { countDownEnds } from "./ending.ts";

let window: Window;

beforeEach(() => {
  vi.useFakeTimers();
  window = new Window();
});

afterEach(async () => {
  vi.useRealTimers();
  await window.happyDOM.close();
});

/** A list of two groups; the device of the second is signed out in `endsIn` seconds. */
function openList(endsIn: number, locale = "en-GB") {
  // happy-dom's types are its own; its objects are what the script expects of a browser.
  const page = window.document as unknown as Document;
  page.body.dataset["locale"] = locale;
  page.body.innerHTML = `
    <div id="done" tabindex="-1" data-ends-in="${endsIn}" data-ends-at="100">
      <div class="ending">
        <p>Phone will be signed out <span data-left="10">in 10 seconds</span>.</p>
        <form><input type="hidden" name="id" value="a"><button>Undo</button></form>
      </div>
      <p class="unseen" role="status" data-ended="Phone is signed out."></p>
    </div>
    <form data-others="1"></form>
    <section><ul><li class="device">here</li></ul></section>
    <section><ul><li class="device" data-ends-at="100">there</li></ul></section>`;
  countDownEnds(page, { performance, setTimeout } as unknown as globalThis.Window);
  const text = (selector: string) => page.querySelector(selector)?.textContent;
  return { page, left: () => text("[data-left]"), said: () => text("[role=status]") };
}

test("the seconds are counted down, and screen readers hear of them half-way only", async () => {
  const { left, said } = openList(10);
  expect(left()).toBe("in 10 seconds");
  await vi.advanceTimersByTimeAsync(3000);
  expect([left(), said()]).toEqual(["in 7 seconds", ""]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(said()).toBe("Phone will be signed out in 5 seconds.");
  await vi.advanceTimersByTimeAsync(4000);
  expect([left(), said()]).toEqual(["in 1 second", "Phone will be signed out in 5 seconds."]);
});

test("at the end the page says what was done, and the device and what is empty without it are gone", async () => {
  const { page, said } = openList(10);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said()).toBe("Phone is signed out.");
  expect(page.querySelector("[role=status]")?.className).toBe("");
  expect(page.querySelectorAll("section")).toHaveLength(1);
  expect(page.querySelector(".ending")).toBeNull();
  expect(page.querySelector<HTMLElement>("[data-others]")?.hidden).toBe(true);
});

test("the page says that the end has come no earlier than the server", async () => {
  const { left, said } = openList(11);
  expect(left()).toBe("in 10 seconds");
  await vi.advanceTimersByTimeAsync(10_500);
  expect(said()).not.toBe("Phone is signed out.");
  await vi.advanceTimersByTimeAsync(500);
  expect(said()).toBe("Phone is signed out.");
});

test("whoever was about to press Undo goes on at the message", async () => {
  const { page } = openList(10);
  page.querySelector("button")?.focus();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(page.activeElement?.id).toBe("done");
});

test("the seconds are said as the language of the page says them", () => {
  expect(openList(5, "pl").left()).toBe("za 5 sekund");
});
