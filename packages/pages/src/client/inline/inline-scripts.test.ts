import { Window } from "happy-dom";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { keepHash, tidyAddress } from "./address.ts";
import { copyOnClick, makeSecretOnClick } from "./copying.ts";
import { retryByItself } from "./auto-retry.ts";
import { goBack, leaveOnce } from "./leaving.ts";
import { localTimes } from "./local-times.ts";
import { confirmInOtherTabs } from "./other-tabs.ts";

let window: Window;

beforeEach(() => {
  vi.useFakeTimers();
  window = new Window({ url: "https://app.example.com/" });
  vi.stubGlobal("Element", window.Element);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await window.happyDOM.close();
});

/** happy-dom's types are its own; its objects are what the scripts expect of a browser. */
function browser() {
  return window as unknown as globalThis.Window & typeof globalThis;
}

function pageWith(body: string): Document {
  const { document } = browser();
  document.body.innerHTML = body;
  return document;
}

function click(page: Document, selector: string): MouseEvent {
  const event = new (browser().MouseEvent)("click", { bubbles: true, cancelable: true });
  page.querySelector(selector)?.dispatchEvent(event);
  return event;
}

describe("the address", () => {
  test("the address of a problem page loses the used code and state only", () => {
    window.happyDOM.setURL("https://app.example.com/cb?code=c&keep=1&state=s#part");
    const page = pageWith("");
    page.documentElement.dataset["passing"] = "code state";
    tidyAddress(page, browser().location, browser().history);
    expect(window.location.href).toBe("https://app.example.com/cb?keep=1#part");
  });

  test("the address of every other page stays as it is", () => {
    window.happyDOM.setURL("https://app.example.com/search?code=c");
    tidyAddress(pageWith(""), browser().location, browser().history);
    expect(window.location.search).toBe("?code=c");
  });

  test("a sign-in link takes the fragment of the address along", () => {
    window.happyDOM.setURL("https://app.example.com/reports?year=2026#march");
    const page = pageWith(
      `<a data-keep-hash href="https://app.example.com/api/auth/login"></a>
       <a data-keep-hash href="https://app.example.com/api/auth/login?returnTo=%2Faccount"></a>
       <a href="https://app.example.com/api/auth/login"></a>`,
    );
    keepHash(page, browser().location);
    const targets = [...page.links].map(({ href }) => new URL(href).searchParams.get("returnTo"));
    expect(targets).toEqual(["/reports?year=2026#march", "/account#march", null]);
  });
});

describe("a copy button", () => {
  test("a copy button copies, announces it to screen readers too, and recovers", async () => {
    const written: string[] = [];
    const clipboard = { writeText: async (text: string) => void written.push(text) };
    const page = pageWith(
      `<button data-copy="7F3K-92QD" data-copied="Copied"><span>Copy</span></button>`,
    );
    vi.stubGlobal("document", page);
    copyOnClick(page, { clipboard } as unknown as Navigator);
    click(page, "span");
    await vi.advanceTimersByTimeAsync(100);
    expect(written).toEqual(["7F3K-92QD"]);
    expect(page.querySelector("button")?.dataset["done"]).toBe("");
    expect(page.querySelector("[role=status]")?.textContent).toBe("Copied");
    await vi.advanceTimersByTimeAsync(2000);
    expect(page.querySelector("button")?.dataset["done"]).toBeUndefined();
  });

  test("a button for a secret makes 32 random bytes in base64url", () => {
    const page = pageWith(`<button data-make-secret="made"></button><p id="made"></p>`);
    makeSecretOnClick(page, crypto);
    click(page, "button");
    const first = page.getElementById("made")?.textContent;
    click(page, "button");
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(page.getElementById("made")?.textContent).not.toBe(first);
  });
});

describe("a link that leaves for the provider", () => {
  const link = `<a href="/login" data-leaves="Opening Example ID...">Sign in</a>`;

  test("a link to the provider starts one sign-in, however often it is clicked", () => {
    const page = pageWith(link);
    leaveOnce(page, browser());
    expect(click(page, "a").defaultPrevented).toBe(false);
    expect(click(page, "a").defaultPrevented).toBe(true);
  });

  test("a link to the provider soon says what it does, and can be used again later", () => {
    const page = pageWith(link);
    leaveOnce(page, {
      ...timers(),
      addEventListener: () => undefined,
    } as unknown as globalThis.Window);
    click(page, "a");
    vi.advanceTimersByTime(199);
    expect(page.body.textContent).toBe("Sign in");
    vi.advanceTimersByTime(1);
    expect(page.body.textContent).toBe("Opening Example ID...");
    expect(page.querySelector("a")?.getAttribute("aria-disabled")).toBe("true");
    vi.advanceTimersByTime(5000);
    expect(page.body.textContent).toBe("Sign in");
    expect(click(page, "a").defaultPrevented).toBe(false);
  });

  function timers() {
    return { setTimeout, clearTimeout };
  }
});

test("a link back goes back if the browser has a history", () => {
  const page = pageWith(`<a href="/" data-back></a>`);
  const back = vi.fn<() => void>();
  goBack(page, { length: 2, back } as unknown as History);
  expect(click(page, "a").defaultPrevented).toBe(true);
  expect(back).toHaveBeenCalledOnce();
});

test("moments of the server are shown in the zone of the browser", () => {
  const page = pageWith(
    `<time data-moment="clock" datetime="2026-05-18T14:02:00Z">14:02 UTC</time>`,
  );
  page.body.dataset["locale"] = "en-GB";
  page.body.dataset["now"] = "1779112920";
  page.documentElement.dataset["phrases"] = JSON.stringify({ today: "today at {time}" });
  localTimes(page);
  const local = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
  expect(page.querySelector("time")?.textContent).toBe(local.format(1_779_112_920_000));
});

describe("a problem page that retries", () => {
  const note = (kind: string) =>
    `<p role="status" data-retry="${kind}" data-retry-to="https://app.example.com/login"
        data-retrying="We'll keep trying." data-recovered="It works again."></p>`;

  function retrying(kind: string, responses: (() => Partial<Response>)[]) {
    const page = pageWith(note(kind));
    const fetch = vi.fn<() => Promise<Response>>(async () => {
      const response = responses.shift();
      if (response === undefined) throw new TypeError("fetch failed");
      return response() as Response;
    });
    const replace = vi.fn<(url: string) => void>();
    const view = {
      setTimeout,
      clearTimeout,
      fetch,
      location: { href: "https://app.example.com/here", replace },
      addEventListener: () => undefined,
      sessionStorage: window.sessionStorage,
    };
    retryByItself(page, view as unknown as globalThis.Window);
    return { page, fetch, replace, said: () => page.querySelector("p")?.textContent };
  }

  test("it announces its probes, sends them ever less often, and goes on when a sign-in can begin", async () => {
    const fault = () => ({ status: 500 });
    const begins = () => ({ type: "opaqueredirect" as const, status: 0 });
    const { fetch, replace, said } = retrying("sign-in", [fault, fault, begins]);
    expect(said()).toBe("We'll keep trying.");
    await vi.advanceTimersByTimeAsync(6_000);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(replace).toHaveBeenCalledExactlyOnceWith("https://app.example.com/login");
    expect(said()).toBe("It works again.");
  });

  test("it does not go to a page that would not be shown, and the next page continues the count", async () => {
    const first = retrying("page", []);
    await vi.advanceTimersByTimeAsync(60_000);
    const asked = first.fetch.mock.calls.length;
    expect(asked).toBeGreaterThanOrEqual(3);
    expect(asked).toBeLessThanOrEqual(6);
    expect(first.replace).not.toHaveBeenCalled();
    const second = retrying("page", []);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(second.fetch).not.toHaveBeenCalled();
  });

  test("a page about cookies looks again when the person comes back, and only then", async () => {
    const { page, fetch, replace, said } = retrying("cookies", []);
    expect(said()).toBe("We'll keep trying.");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(replace).not.toHaveBeenCalled();
    page.dispatchEvent(new (browser().Event)("visibilitychange"));
    await vi.advanceTimersByTimeAsync(10);
    expect(replace).toHaveBeenCalledOnce();
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("the line about other tabs", () => {
  /** A signed-out page, and a tab that has the session at this address. */
  function beside(session: string) {
    window.happyDOM.setURL("https://app.example.com/shop/_auth/signed-out");
    const page = pageWith(`<ul><li data-tabs hidden>Other tabs</li></ul>`);
    const tab = new BroadcastChannel(`latchkey:1:${session}`);
    onTestFinished(() => tab.close());
    const heard = new Promise((resolve) => {
      tab.addEventListener("message", ({ data }) => resolve(data));
    });
    confirmInOtherTabs(page, browser().location);
    return { tab, heard, line: page.querySelector("li") };
  }

  test("appears when a tab has confirmed the end, and goes if a user is signed in again", async () => {
    vi.useRealTimers();
    const { tab, heard, line } = beside("/shop/_auth/session.json");
    expect(await heard).toEqual({ knownUser: { sub: null, absoluteEndsAt: null }, ended: true });
    expect(line?.hidden).toBe(true);
    tab.postMessage({ requesting: true });
    tab.postMessage({ response: { peek: { state: "ended" } } });
    await vi.waitFor(() => expect(line?.hidden).toBe(false));
    tab.postMessage({ response: { peek: { state: "signed-in" } } });
    await vi.waitFor(() => expect(line?.hidden).toBe(true));
  });

  test("stays hidden in a browser that blocks channels", () => {
    vi.stubGlobal("BroadcastChannel", undefined);
    const page = pageWith(`<ul><li data-tabs hidden>Other tabs</li></ul>`);
    confirmInOtherTabs(page, browser().location);
    expect(page.querySelector("li")?.hidden).toBe(true);
  });
});
