import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type RunningApp, runApp } from "./running-app.support.ts";

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
const own = { "sec-fetch-site": "same-origin" };

let app: RunningApp;
let folder: string;
let here: { cookie: string };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-devices-"));
  app = await runApp({
    LATCHKEY_SESSION_STATEFUL: "true",
    LATCHKEY_STORE: `sqlite:${join(folder, "store.db")}`,
  });
  here = { cookie: app.cookies };
});

afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const fromFirefox = () => app.signIn({ device: { userAgent: firefox } });

/** The cookies of a browser after a response, as it would send them next. */
function cookiesAfter(response: Response): string {
  const said = response.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "");
  return [here.cookie, ...said.filter((each) => each.startsWith("devices_flash"))].join("; ");
}

async function listed(cookie = here.cookie): Promise<string> {
  return (await app.get("/devices", { cookie })).text();
}

/** The addresses of the forms for one device. */
function formsIn(html: string): readonly string[] {
  const actions = html.matchAll(/action="(\/devices\/[\w-]{22})"/g);
  return [...actions].map(([, action = ""]) => action);
}

async function isIn(cookie: string): Promise<boolean> {
  return (await app.get("/api/auth/me", { cookie })).status === 200;
}

describe("the list", () => {
  test("the list shows this device first, and each device with its name and its own button", async () => {
    await fromFirefox();
    const html = await listed();
    const names = [...html.matchAll(/<h2>.*?<\/svg>([^<]+)</g)].map(([, name]) => name?.trim());
    expect(names).toEqual(["Unknown program", "Firefox on Windows PC"]);
    expect(html.match(/This device/g)).toHaveLength(1);
    expect(html).toMatch(/Sign out<span class="unseen">, Firefox on Windows PC, last used now/);
    expect(formsIn(html)).toHaveLength(1);
  });

  test("devices of one name sound different", async () => {
    await fromFirefox();
    await fromFirefox();
    const html = await listed();
    expect(html).toContain('Sign out<span class="unseen">, Firefox on Windows PC, last used');
    expect(html).toContain('Sign out<span class="unseen">, Firefox on Windows PC (2), last used');
  });

  test("the list begins with one line about all of it", async () => {
    await fromFirefox();
    const text = (await listed()).replaceAll(/<[^>]*>/g, "");
    expect(text).toMatch(/Signed-in devicesNothing unusual\. 2 devices, last change \d+ \w+\./);
  });

  test("a list of one device says so, and offers no action for all", async () => {
    const html = await listed();
    expect(html).toMatch(/You&#x27;re only signed in here\..*Don&#x27;t recognize a sign-in\?/s);
    expect(html).not.toContain("/devices/others");
  });

  test("the list shows sign-ins of no other user, and quotes no text of a browser", async () => {
    await app.signIn({ user: { sub: "person-ben" } });
    await app.signIn({ device: { userAgent: "<script>alert(1)</script> Firefox/1" } });
    const html = await listed();
    expect(html.match(/class="device"/g)).toHaveLength(2);
    expect(html).not.toContain("alert(1)");
  });

  test("a list of more than twenty devices has a second page", async () => {
    for (let count = 0; count < 22; count += 1) await app.signIn();
    const [first, last] = [await listed(), await (await app.get("/devices?page=9", here)).text()];
    expect(first.match(/class="device"/g)).toHaveLength(20);
    expect(first).toContain("Page 1 of 2");
    expect(last.match(/class="device"/g)).toHaveLength(3);
  });
});

describe("a long list", () => {
  test("a list of ten sign-ins can be narrowed, by words of the address alone", async () => {
    await fromFirefox();
    expect(await listed()).not.toContain('name="find"');
    for (let count = 0; count < 9; count += 1) await app.signIn();
    expect(await listed()).toContain('name="find"');
    const found = await (await app.get("/devices?find=windows+fire", here)).text();
    expect(found.match(/class="device"/g)).toHaveLength(1);
    expect(found).toContain("Firefox");
  });

  test("a form for a device of a narrowed list leads back to this list", async () => {
    await fromFirefox();
    const place = "/devices?find=windows";
    const html = await (await app.get(place, here)).text();
    const forms = [...html.matchAll(/action="(\/devices\/[^"]+)"/g)].slice(-2);
    expect(forms).toHaveLength(2);
    for (const [, form = ""] of forms) {
      const { headers } = await app.post(form, { ...here, ...own });
      expect(headers.get("location")).toBe(`${app.url}${place}#done`);
    }
  });

  test("a search without a result quotes its words", async () => {
    const html = await (await app.get("/devices?find=%3Cb%3ENetscape%3C/b%3E", here)).text();
    expect(html).toContain("No device matches “&lt;b&gt;Netscape&lt;/b&gt;”.");
    expect(html).toContain("Show all devices");
  });
});

describe("a button of the list", () => {
  test("a button signs out its device at once, and the list says it once, in a focused notice", async () => {
    const other = await fromFirefox();
    const [action = ""] = formsIn(await listed());
    const response = await app.post(action, { ...here, ...own });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${app.url}/devices#done`);
    expect([await isIn(other), await isIn(here.cookie)]).toEqual([false, true]);

    const page = await app.get("/devices", { cookie: cookiesAfter(response) });
    const html = await page.text();
    expect(html).toMatch(/<div id="done" class="notice" role="status" tabindex="-1"><p>/);
    expect(html).toContain("Firefox on Windows PC is signed out.");
    expect(formsIn(html)).toEqual([]);
    expect(page.headers.getSetCookie().join("\n")).toMatch(/^devices_flash=; Max-Age=0/m);
    expect(await listed()).not.toContain('id="done"');
  });

  test("the list calls the ended device by its given name", async () => {
    await fromFirefox();
    const [action = ""] = formsIn(await listed());
    await app.post(`${action}/name`, { ...here, ...own }, { name: "Kitchen" });
    const response = await app.post(action, { ...here, ...own });
    expect(await listed(cookiesAfter(response))).toContain("\u2068Kitchen\u2069 is signed out.");
  });

  test("a second click finds the sign-in already ended", async () => {
    await fromFirefox();
    const [action = ""] = formsIn(await listed());
    await app.post(action, { ...here, ...own });
    const again = await app.post(action, { ...here, ...own });
    expect(await listed(cookiesAfter(again))).toContain("That sign-in had already ended.");
  });

  test("an ended device cannot sign this one out", async () => {
    const other = { cookie: await fromFirefox() };
    const [toOther = ""] = formsIn(await listed());
    const [toHere = ""] = formsIn(await listed(other.cookie));
    await app.post(toOther, { ...here, ...own });
    for (const path of [toHere, "/devices/others", "/devices/all"]) {
      await app.post(path, { ...other, ...own });
    }
    expect(await isIn(here.cookie)).toBe(true);
  });

  test("the list says how long other services may accept the ended sign-in", async () => {
    const soon = Math.floor(Date.now() / 1000) + 1800;
    await app.signIn({ accessTokenExpiresAt: soon });
    const [action = ""] = formsIn(await listed());
    const response = await app.post(action, { ...here, ...own });
    const html = await listed(cookiesAfter(response));
    expect(html).toContain("Apps that were open there may work until");
  });

  test("a button of an outdated list ends nothing, and the list says so", async () => {
    const response = await app.post("/devices/AAAAAAAAAAAAAAAAAAAAAA", { ...here, ...own });
    expect(await listed(cookiesAfter(response))).toContain("That sign-in had already ended.");
  });

  test.each([
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "http://localhost:4000", "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
  ] as Record<string, string>[])("a form of another site ends nothing: %j", async (headers) => {
    const other = await fromFirefox();
    const [action = ""] = formsIn(await listed());
    const others = [`${action}/name`, "/devices/others", "/devices/all"];
    for (const path of [action, ...others]) {
      const response = await app.post(path, { ...here, ...headers }, { name: "Owned" });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toMatch(/\/devices(?:\/all)?$/);
    }
    expect(await listed()).not.toContain("Owned");
    expect([await isIn(other), await isIn(here.cookie)]).toEqual([true, true]);
  });
});

describe("what the list says was done", () => {
  test.each([
    "done=ended&id=%3Cb%3Eyour+bank&count=your+bank&lateUntil=your+bank",
    "done=renamed&id=your+bank",
    "done=name-too-long&id=99999999999999999999",
    "done=bogus",
    "%%%",
  ])("the list uses our own words, whatever the cookie holds: %s", async (value) => {
    const html = await listed(`${here.cookie}; devices_flash=${encodeURIComponent(value)}`);
    expect(html).toContain("<h1>Signed-in devices</h1>");
    expect(html).not.toMatch(/your bank|99999999999/);
  });
});

describe("many sign-ins", () => {
  test("a page confirms the number of devices before all sign-ins end", async () => {
    await fromFirefox();
    await fromFirefox();
    const all = await (await app.get("/devices/all", here)).text();
    expect(all).toContain("be signed out on 3 devices, including this one.");
    expect(all).toMatch(/<form [^>]*data-leaves-here=""/);
  });

  test("the confirmation says that the provider ends its session too, if the browser is led there", async () => {
    const all = await (await app.get("/devices/all", here)).text();
    expect(all).toContain("sign you out of the local test provider in this browser too");
    expect(all).not.toContain("stay signed in");
  });

  test("the confirmation says that the provider keeps its session, if the browser is not led there", async () => {
    const other = await runApp({ LATCHKEY_IDP_LOGOUT: "false" });
    const headers = { cookie: other.cookies };
    const all = await (await other.get("/devices/all", headers)).text();
    await other.close();
    expect(all).toContain("stay signed in to the local test provider.");
  });

  test("the confirmation for a single sign-in has no number", async () => {
    const all = await (await app.get("/devices/all", here)).text();
    expect(all).toContain("be signed out of Latchkey on all your devices, including this one.");
  });

  test("a page confirms the number of devices before all others end", async () => {
    await fromFirefox();
    await fromFirefox();
    expect(await listed()).toContain(`href="/devices/others"`);
    const others = await (await app.get("/devices/others", here)).text();
    expect(others).toContain("be signed out on 2 other devices, and stay signed in here.");
    expect(others).toMatch(/<form (?=[^>]*method="post")[^>]*action="\/devices\/others"/);
  });

  test("without another sign-in there is nothing to confirm", async () => {
    const response = await app.get("/devices/others", here);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `${app.url}/devices`,
    ]);
  });

  test("signing out everywhere else leaves this device signed in", async () => {
    const others = [await fromFirefox(), await fromFirefox()];
    const response = await app.post("/devices/others", { ...here, ...own });
    expect(response.status).toBe(303);
    const html = await listed(cookiesAfter(response));
    expect(html).toContain("You&#x27;re signed out on 2 other devices.");
    expect(await Promise.all([...others, here.cookie].map(isIn))).toEqual([false, false, true]);
  });

  test("signing out everywhere else without another sign-in ends nothing, and says so", async () => {
    const response = await app.post("/devices/others", { ...here, ...own });
    expect(await listed(cookiesAfter(response))).toContain("had already ended");
  });

  test("signing out everywhere ends this sign-in too, and clears its cookie", async () => {
    const other = await fromFirefox();
    const response = await app.post("/devices/all", { ...here, ...own });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${app.url}/api/auth/logout`);
    const cleared = response.headers.getSetCookie().filter((line) => /^\w+=;/.test(line));
    expect(cleared.map((line) => line.split("=", 1)[0])).toEqual(["appSession"]);
    expect([await isIn(other), await isIn(here.cookie)]).toEqual([false, false]);
  });
});

describe("the name of a device", () => {
  async function renamed(name: string): Promise<string> {
    const [action = ""] = formsIn(await listed());
    const response = await app.post(`${action}/name`, { ...here, ...own }, { name });
    expect(response.headers.get("location")).toBe(`${app.url}/devices#done`);
    return listed(cookiesAfter(response));
  }

  test("a name stands in the list, in its buttons and in the message, and is found", async () => {
    await fromFirefox();
    const html = await renamed("  Küche <b>& co ");
    expect(html).toContain("<bdi>Küche &lt;b&gt;&amp; co</bdi>");
    expect(html).toContain("Saved: \u2068Küche &lt;b&gt;&amp; co\u2069.");
    expect(html).toMatch(/Sign out<span class="unseen">, \u2068Küche/);
    const found = await (await app.get("/devices?find=küche", here)).text();
    expect(found.match(/class="device"/g)).toHaveLength(1);
    expect(await renamed("")).toContain("Saved: Firefox on Windows PC.");
  });

  test("a too long name is rejected in plain words, and the former one stays", async () => {
    await fromFirefox();
    await renamed("Kitchen");
    expect(await renamed("x".repeat(61))).toContain("That name is too long. Use 60 characters");
    expect(await listed()).toContain("<bdi>Kitchen</bdi>");
  });

  test("a form without a name, or with too much in it, is no fault of the server", async () => {
    await fromFirefox();
    const [action = ""] = formsIn(await listed());
    for (const body of ["", "%%%", "x".repeat(200_000), "name=%00%FF"]) {
      const response = await app.post(`${action}/name`, { ...here, ...own }, body);
      expect(response.status).toBe(303);
    }
  });
});

describe("recent activity", () => {
  test("what happens stands in the list with its device, without a reference, and not before", async () => {
    expect(await listed()).toContain("Nothing yet.");
    await fromFirefox();
    const [action = ""] = formsIn(await listed());
    await app.post(`${action}/name`, { ...here, ...own }, { name: "<i>Kitchen" });
    await app.post(action, { ...here, ...own });
    const html = await listed();
    expect(html.replaceAll(/<[^>]*>/g, "")).toContain(
      "\u2068&lt;i&gt;Kitchen\u2069, signed out by you here",
    );
    expect(html).not.toContain("Reference");
  });

  test("it stands beside the whole list only", async () => {
    for (let count = 0; count < 22; count += 1) await app.signIn();
    for (const path of ["/devices?page=2", "/devices?find=firefox"]) {
      expect(await (await app.get(path, here)).text()).not.toContain("Recent activity");
    }
  });
});

describe("a visitor", () => {
  test("a visitor is led to sign in, and ends nothing", async () => {
    for (const path of ["/devices/all", "/devices/others", "/devices/x/name"]) {
      const response = await app.post(path);
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toContain("/api/auth/login?returnTo=");
    }
    expect(await isIn(here.cookie)).toBe(true);
  });

  test("a visitor comes back to the list after sign-in", async () => {
    const response = await app.get("/devices/AAAAAAAAAAAAAAAAAAAAAA", here);
    expect(response.headers.get("location")).toBe(`${app.url}/devices`);
  });
});

describe("without a store", () => {
  let plain: RunningApp;
  beforeEach(async () => {
    plain = await runApp();
    return () => plain.close();
  });

  test("without a store there is no list, and the page says so", async () => {
    const html = await (await plain.get("/devices", { cookie: plain.cookies })).text();
    expect(html).toContain("keeps your sign-in only inside this browser");
    expect(html).not.toContain("/devices/others");
  });

  test("without a store all sign-ins can be ended together, from the account page too", async () => {
    const cookie = plain.cookies;
    const account = await (await plain.get("/account", { cookie })).text();
    expect(account).toMatch(/<a [^>]*href="\/devices\/all">Sign out on all devices</);
    const asked = await (await plain.get("/devices/all", { cookie })).text();
    expect(asked).toContain("be signed out of Latchkey on all your devices");
    const response = await plain.post("/devices/all", { cookie, ...own });
    expect(response.headers.get("location")).toContain("/api/auth/logout");
    expect((await plain.get("/api/auth/me", { cookie })).status).toBe(204);
  });
});
