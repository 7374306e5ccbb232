/** What stands before an app, and answers while a browser renews the proof of its device. */
import type { ServerResponse } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { type DeviceApp, signInBound, startDeviceApp } from "../../device-app.ts";

const proof = "/api/auth/device";

/** A page of a proxy: a status, and HTML. */
const pageWith =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { "Content-Type": "text/html", ...headers });
    response.end("<!doctype html><title>Not now</title><h1>Not now</h1>");
  };

function redirectOnce(response: ServerResponse): void {
  const isThere = response.req.url === "/maintenance";
  (isThere ? pageWith(200) : pageWith(302, { Location: "/maintenance" }))(response);
}

/** Lets the proof expire, and opens a page: its status, and the sign-ins since. */
async function openLater(app: DeviceApp, page: Page) {
  const from = app.requests.length;
  app.advance(61);
  await page.context().clearCookies({ name: "appSession.device" });
  const response = await page.goto(`${app.url}/page`);
  const since = app.requests.slice(from);
  const signIns = since.filter((each) => each.includes("/api/auth/callback")).length;
  return { status: response?.status(), signIns };
}

test("a maintenance page with 503 for every address ends no device session [DB-005]", async () => {
  const app = await startDeviceApp();
  try {
    const [, page] = await signInBound(app);
    app.putBefore({ paths: ["/page", proof], answer: pageWith(503, { "Retry-After": "5" }) });
    expect(await openLater(app, page)).toEqual({ status: 503, signIns: 0 });
    app.putBefore(null);
    const load = async () => (await page.goto(`${app.url}/page`))?.status();
    await expect.poll(load, { intervals: [1000], timeout: 60_000 }).toBe(200);
    await expect(page.getByRole("heading")).toHaveText("Ada Okafor");
    expect(app.requests.filter((each) => each === `POST ${proof} 200`)).toHaveLength(2);
    expect(app.requests.filter((each) => each.includes("/api/auth/callback"))).toHaveLength(1);
  } finally {
    await app.close();
  }
});

test("a rate limit that answers proofs with 503 leads to no sign-in [DB-005]", async () => {
  const app = await startDeviceApp();
  try {
    const [, page] = await signInBound(app);
    app.putBefore({ paths: [proof], answer: pageWith(503) });
    expect(await openLater(app, page)).toEqual({ status: 503, signIns: 0 });
    app.putBefore(null);
    const load = async () => (await page.goto(`${app.url}/page`))?.status();
    await expect.poll(load, { intervals: [1000], timeout: 60_000 }).toBe(200);
    expect(app.requests.filter((each) => each.includes("/api/auth/callback"))).toHaveLength(1);
  } finally {
    await app.close();
  }
});

const endings: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ["a rate limit with 429", pageWith(429, { "Retry-After": "1" })],
  ["a firewall with 403", pageWith(403)],
  ["a maintenance page with 200", pageWith(200)],
  ["a redirect to a maintenance page", redirectOnce],
];

for (const [what, answer] of endings) {
  test(`after ${what} for proofs a user signs in once, and in no loop [DB-005]`, async () => {
    const app = await startDeviceApp({ clockTolerance: 3600 });
    try {
      const [, page] = await signInBound(app);
      app.putBefore({ paths: [proof, "/maintenance"], answer });
      await openLater(app, page);
      const button = page.getByRole("button", { name: "Ada Okafor" });
      if (await button.isVisible()) await button.click();
      await expect(page.getByRole("heading")).toHaveText("Ada Okafor");
      for (let loads = 0; loads < 3; loads += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one load after the other
        expect(await openLater(app, page)).toEqual({ status: 200, signIns: 0 });
      }
      expect(app.requests.filter((each) => each.includes("/api/auth/callback"))).toHaveLength(2);
    } finally {
      await app.close();
    }
  });
}
