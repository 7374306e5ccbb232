import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { type RunningApp, runApp } from "./running-app.support.ts";

const own = { "sec-fetch-site": "same-origin" };
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

let app: RunningApp;
let folder: string;
/** The cookies of two browsers of one person. */
let here: Map<string, string>;
let there: Map<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-ends-"));
  app = await runApp({
    LATCHKEY_SESSION_STATEFUL: "true",
    LATCHKEY_STORE: `sqlite:${join(folder, "store.db")}`,
  });
  here = cookiesIn(app.cookies);
  there = cookiesIn(await app.signIn({ device: { userAgent: firefox } }));
});

afterEach(async () => {
  vi.useRealTimers();
  await app.close();
  rmSync(folder, { recursive: true });
});

function cookiesIn(header: string): Map<string, string> {
  return new Map(header.split("; ").map((each) => [each.split("=", 1)[0] ?? "", each]));
}

/** What a browser sees in the end: it keeps cookies, and follows redirects within the app. */
async function seen(cookies: Map<string, string>, response: Response): Promise<string> {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";", 1);
    const [name = ""] = pair.split("=", 1);
    if (line.includes("Max-Age=0")) cookies.delete(name);
    else cookies.set(name, pair);
  }
  const location = response.headers.get("location");
  return location === null ? response.text() : open(cookies, location.replace(app.url, ""));
}

async function open(cookies: Map<string, string>, path: string): Promise<string> {
  return seen(cookies, await app.get(path, { cookie: [...cookies.values()].join("; ") }));
}

async function press(cookies: Map<string, string>, path: string): Promise<string> {
  const headers = { cookie: [...cookies.values()].join("; "), ...own };
  return seen(cookies, await app.post(path, headers));
}

/** The address of the form for the device of these cookies. */
async function formOf(cookies: Map<string, string>): Promise<string> {
  const [action = ""] = /\/devices\/[\w-]{22}/.exec(await open(cookies, "/devices")) ?? [];
  return action;
}

/** The time of the app moves on; timers do not. */
function pass(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(now + seconds * 1000);
}

const day = 86_400;

const ends: readonly [end: string, act: () => Promise<string>, sentence: string][] = [
  [
    "a sign-out that the provider has not confirmed",
    () => press(here, "/api/auth/logout"),
    "The local test provider didn't confirm",
  ],
  [
    "the end of this device in the list",
    async () => press(here, await formOf(here)),
    "You're signed out of Latchkey in this browser.",
  ],
  [
    "the end of another device, on that device",
    async () => {
      await press(here, await formOf(there));
      return open(there, "/");
    },
    "You were signed out from another device, another app, or by an administrator.",
  ],
  [
    "the end of all devices",
    () => press(here, "/devices/all"),
    "The local test provider didn't confirm",
  ],
  [
    "the end of all devices, on another device",
    async () => {
      await press(here, "/devices/all");
      return open(there, "/");
    },
    "You were signed out from another device, another app, or by an administrator.",
  ],
  [
    "a time without use",
    async () => {
      pass(2 * day);
      return open(here, "/");
    },
    "You weren't active for 1 day, so we signed you out",
  ],
  [
    "the longest time of a sign-in",
    async () => {
      for (let count = 0; count < 7; count += 1) {
        pass(0.9 * day);
        await open(here, "/account");
      }
      pass(0.9 * day);
      return open(here, "/");
    },
    "It's been 7 days since you signed in.",
  ],
];

describe("what a person reads", () => {
  test.each(ends)("after %s the page says so", async (_, act, sentence) => {
    expect((await act()).replaceAll("&#x27;", "'")).toContain(sentence);
  });
});

test("a link cannot claim a sign-out of all devices", async () => {
  const page = await open(new Map(), "/_auth/signed-out?provider=still&devices=all");
  expect(page).toContain("in this browser.");
});

test("without a list of devices the page also confirms a sign-out of all devices", async () => {
  const plain = await runApp();
  const response = await plain.post("/devices/all", { cookie: plain.cookies, ...own });
  const remembered = response.headers.getSetCookie().find((line) => line.includes(".all;")) ?? "";
  expect(remembered).toMatch(/^auth_logout=.*; HttpOnly; SameSite=Lax$/);
  const page = await plain.get("/_auth/signed-out", { cookie: remembered.split(";", 1)[0] ?? "" });
  expect(await page.text()).toContain("on all your devices.");
  await plain.close();
});
