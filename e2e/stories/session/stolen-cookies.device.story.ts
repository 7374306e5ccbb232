/** What docs/recipes/stolen-cookies.md says of a thief: a jar of a browser, copied to curl. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { type BrowserContext, expect, test } from "@playwright/test";
import { type DeviceApp, signInBound, startDeviceApp } from "../../device-app.ts";

const page = ["-H", "Sec-Fetch-Dest: document", "-H", "Sec-Fetch-Mode: navigate"];
const name = "Ada Okafor";

/** The cookies of the app, as an infostealer takes them. */
async function copyJar(app: DeviceApp, owner: BrowserContext): Promise<string> {
  const cookies = (await owner.cookies(app.url)).filter((each) => each.name.startsWith("app"));
  return cookies.map((each) => `${each.name}=${each.value}`).join("; ");
}

/** What curl is answered with these cookies: status, and whether it reads the name. */
async function curl(url: string, cookie: string, words: readonly string[] = page) {
  const marks = ["-w", "\n%{http_code}", "-k", "-s", "-b", cookie, ...words, url];
  const client = spawn("curl", marks, { stdio: ["ignore", "pipe", "ignore"] });
  const [out] = await Promise.all([text(client.stdout), once(client, "close")]);
  return { status: Number(out.slice(-3)), readsName: out.includes(name) };
}

const read = { status: 200, readsName: true };
const signIn = { status: 302, readsName: false };

test("a copied jar reads for ten minutes, and nothing renews it [DB-021]", async () => {
  const app = await startDeviceApp();
  try {
    const [owner, tab] = await signInBound(app);
    const jar = await copyJar(app, owner);
    app.advance(540);
    expect(await curl(`${app.url}/page`, jar)).toEqual(read);
    const refresh = ["-X", "POST", "-H", "Sec-Secure-Session-Id: x", ...page];
    expect((await curl(`${app.url}/api/auth/device`, jar, refresh)).status).toBe(400);
    app.advance(60);
    expect(await curl(`${app.url}/page`, jar)).toEqual(signIn);
    for (const skipped of ["unreachable", "server_error", "quota_exceeded", "x"]) {
      const words = [...page, "-H", `Secure-Session-Skipped: ${skipped}`];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await curl(`${app.url}/page`, jar, words)).readsName).toBe(false);
    }
    const script = ["-H", "Accept: application/json", "-H", "Sec-Fetch-Mode: cors"];
    expect(await curl(`${app.url}/data`, jar, script)).toEqual({ status: 401, readsName: false });
    await owner.clearCookies({ name: "appSession.device" });
    await tab.goto(`${app.url}/page`);
    await expect(tab.getByRole("heading")).toHaveText(name);
  } finally {
    await app.close();
  }
});

test("a page that seals a copied session again offers it no key [DB-021]", async () => {
  const times = { rollingDuration: 1000, renewAfter: 60 };
  const session = { stateful: false, deviceBound: "enforce", ...times } as const;
  const app = await startDeviceApp({ session });
  try {
    const [owner] = await signInBound(app);
    const jar = await copyJar(app, owner);
    app.advance(540);
    const words = ["-D", "-", "-k", "-s", "-b", jar, ...page];
    const client = spawn("curl", [...words, `${app.url}/page`]);
    const [out] = await Promise.all([text(client.stdout), once(client, "close")]);
    expect(out).toContain(name);
    expect(out).toMatch(/^set-cookie: appSession=/im);
    expect(out.toLowerCase()).not.toContain("secure-session-registration");
  } finally {
    await app.close();
  }
});

test("a copy of the first second ends with the binding in a store, and not in a cookie [DB-021]", async () => {
  for (const stateful of [true, false]) {
    // oxlint-disable-next-line no-await-in-loop -- one app after the other
    const app = await startDeviceApp({ session: { stateful, deviceBound: "enforce" } });
    try {
      // oxlint-disable-next-line no-await-in-loop -- the same
      const [owner, , callback] = await signInBound(app);
      // oxlint-disable-next-line no-await-in-loop -- the same
      const headers = await callback.headersArray();
      const first = headers.find(({ value }) => value.startsWith("appSession="))?.value ?? "";
      const [session = ""] = first.split(";", 1);
      app.advance(61);
      // oxlint-disable-next-line no-await-in-loop -- the same
      expect([stateful, await curl(`${app.url}/page`, session)]).toEqual([
        stateful,
        stateful ? signIn : read,
      ]);
      // oxlint-disable-next-line no-await-in-loop -- the same
      expect(await curl(`${app.url}/page`, await copyJar(app, owner))).toEqual(read);
    } finally {
      // oxlint-disable-next-line no-await-in-loop -- the same
      await app.close();
    }
  }
});

test("a sign-out in a store ends a copy with its proof at once [DB-021]", async () => {
  const app = await startDeviceApp();
  try {
    const [owner, tab] = await signInBound(app);
    const jar = await copyJar(app, owner);
    expect(await curl(`${app.url}/page`, jar)).toEqual(read);
    await tab.goto(`${app.url}/api/auth/logout`);
    expect(await curl(`${app.url}/page`, jar)).toEqual(signIn);
  } finally {
    await app.close();
  }
});

test("a browser without keys keeps a session that curl can read, as before [DB-021]", async () => {
  const app = await startDeviceApp({ session: { stateful: true, deviceBound: "enforce" } });
  try {
    app.putBefore({
      paths: ["/api/auth/device"],
      answer: (response) => void response.writeHead(400).end(),
    });
    const owner = await app.browser.newContext({ ignoreHTTPSErrors: true });
    const tab = await owner.newPage();
    await tab.goto(`${app.url}/page`);
    await tab.getByRole("button", { name }).click();
    await tab.getByRole("heading", { name }).waitFor();
    const jar = await copyJar(app, owner);
    app.advance(3000);
    expect(await curl(`${app.url}/page`, jar)).toEqual(read);
    await tab.goto(`${app.url}/page`);
    await expect(tab.getByRole("heading")).toHaveText(name);
  } finally {
    await app.close();
  }
});
