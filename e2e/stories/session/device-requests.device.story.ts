/** What a page requests beside documents, while the proof of its session has expired. */
import { expect, type Page, test } from "@playwright/test";
import { signInBound, startDeviceApp } from "../../device-app.ts";

const proof = "appSession.device";
const renewed = "POST /api/auth/device 200";
const name = "Ada Okafor";

/** Requests of a page, by kind; what each has got. */
const kinds: Readonly<Record<string, (page: Page) => Promise<string>>> = {
  "a stream": (page) =>
    page.evaluate(async () => {
      const { body } = await fetch("/stream", { headers: { accept: "text/event-stream" } });
      const { value } = (await body?.getReader().read()) ?? {};
      return new TextDecoder().decode(value);
    }),
  "an EventSource": (page) =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const source = new EventSource("/events");
          const close = (text: string) => (source.close(), resolve(text));
          source.addEventListener("message", ({ data }) => close(String(data)));
          source.addEventListener("error", () => close("refused"));
        }),
    ),
  "a prefetch": (page) =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const link = Object.assign(document.createElement("link"), { rel: "prefetch" });
          link.href = "/prefetched";
          link.addEventListener("load", () => resolve(fetch(link.href).then((r) => r.text())));
          link.addEventListener("error", () => resolve("refused"));
          document.head.append(link);
        }),
    ),
  "a service worker": (page) =>
    page.evaluate(async () => {
      await navigator.serviceWorker.register("/worker.js");
      await navigator.serviceWorker.ready;
      return fetch("/by-worker").then((response) => response.text());
    }),
};

for (const [kind, request] of Object.entries(kinds)) {
  test(`${kind} waits for a new proof, and is served [DB-016]`, async () => {
    const app = await startDeviceApp();
    try {
      const [owner, page] = await signInBound(app);
      app.advance(61);
      await owner.clearCookies({ name: proof });
      const before = app.requests.length;
      expect(await request(page)).toContain(name);
      const since = app.requests.slice(before);
      expect(since.filter((each) => each === renewed)).toHaveLength(1);
      expect(since.filter((each) => / (?:302|401|503)$/.test(each))).toEqual([]);
    } finally {
      await app.close();
    }
  });
}

test("a WebSocket waits for a new proof, and carries it [DB-016]", async () => {
  const app = await startDeviceApp();
  try {
    const [owner, page] = await signInBound(app);
    await owner.clearCookies({ name: proof });
    const before = app.requests.length;
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const address = location.origin.replace("https", "wss");
          new WebSocket(`${address}/socket`).addEventListener("error", resolve);
        }),
    );
    expect(app.requests.slice(before)).toEqual([renewed, "UPGRADE /socket proved"]);
  } finally {
    await app.close();
  }
});

test("without the key a stream and a script are refused as such, and led nowhere [DB-016]", async () => {
  const app = await startDeviceApp();
  try {
    const [owner] = await signInBound(app);
    const copied = (await owner.cookies(app.url)).filter((each) => each.name.startsWith("app"));
    app.advance(660);
    const thief = await app.browser.newContext({ ignoreHTTPSErrors: true });
    await thief.addCookies(copied);
    for (const accept of ["text/event-stream", "application/json"]) {
      const headers = { accept, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await thief.request.get(`${app.url}/stream`, { headers, maxRedirects: 0 });
      expect([accept, response.status()]).toEqual([accept, 401]);
      // oxlint-disable-next-line no-await-in-loop -- the same
      expect(await response.text()).not.toContain(name);
    }
  } finally {
    await app.close();
  }
});
