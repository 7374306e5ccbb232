/** Device-bound sessions in a browser that holds keys for them. */
import { expect, test } from "@playwright/test";
import { signInBound, startDeviceApp } from "../../device-app.ts";
import { openOtherSite } from "../../other-site.ts";

const proof = "appSession.device";
const renewed = "POST /api/auth/device 200";

for (const responseMode of ["query", "form_post"] as const) {
  test(`a sign-in by ${responseMode} at another site binds the session [DB-002]`, async () => {
    const app = await startDeviceApp({ responseMode });
    try {
      const [context] = await signInBound(app);
      expect(app.requests.filter((each) => each === renewed)).toHaveLength(1);
      const names = (await context.cookies(app.url)).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["appSession", proof]));
    } finally {
      await app.close();
    }
  });
}

test("a copied jar is worth nothing without the key, and its owner goes on [DB-004]", async () => {
  const app = await startDeviceApp();
  try {
    const [owner, page] = await signInBound(app);
    const copied = (await owner.cookies(app.url)).filter(({ name }) =>
      name.startsWith("appSession"),
    );
    app.advance(660);
    const thief = await app.browser.newContext({ ignoreHTTPSErrors: true });
    await thief.addCookies(copied);
    const stolen = await thief.request.get(`${app.url}/api/auth/me`);
    expect(stolen.status()).toBe(204);
    await owner.clearCookies({ name: proof });
    await page.goto(`${app.url}/page`);
    await expect(page.getByRole("heading")).toHaveText("Ada Okafor");
    expect(app.requests.filter((each) => each === renewed)).toHaveLength(2);
  } finally {
    await app.close();
  }
});

test("a link at another site opens the page at once, after the proof has expired [DB-008]", async () => {
  const app = await startDeviceApp();
  const mail = await openOtherSite();
  try {
    const [owner, page] = await signInBound(app);
    app.advance(61);
    await owner.clearCookies({ name: proof });
    mail.show(`<a href="${app.url}/page">Open</a>`);
    await page.goto(mail.url);
    await page.getByRole("link").click();
    await expect(page.getByRole("heading")).toHaveText("Ada Okafor");
    expect(page.url()).toBe(`${app.url}/page`);
  } finally {
    await mail.close();
    await app.close();
  }
});

test("three tabs share one proof [DB-013]", async () => {
  const app = await startDeviceApp();
  try {
    const [owner] = await signInBound(app);
    app.advance(61);
    await owner.clearCookies({ name: proof });
    const before = app.requests.length;
    const tabs = await Promise.all([owner.newPage(), owner.newPage(), owner.newPage()]);
    await Promise.all(tabs.map((tab) => tab.goto(`${app.url}/page`)));
    for (const tab of tabs) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await expect(tab.getByRole("heading")).toHaveText("Ada Okafor");
    }
    const later = app.requests.slice(before).filter((each) => each === renewed);
    expect(later).toHaveLength(1);
  } finally {
    await app.close();
  }
});

test("after a sign-out the browser stops to prove its key [DB-009]", async () => {
  const app = await startDeviceApp();
  try {
    const [, page] = await signInBound(app);
    const before = app.requests.length;
    await page.goto(`${app.url}/api/auth/logout`);
    await page.goto(`${app.url}/page`);
    await expect(page.getByRole("button", { name: "Ada Okafor" })).toBeVisible();
    await page.goto(`${app.url}/page`);
    const proofs = app.requests.slice(before).filter((each) => each.startsWith("POST"));
    expect(proofs).toEqual([renewed]);
  } finally {
    await app.close();
  }
});

test("enforce, observe, off and enforce again: one sign-in, after the browser was sent away [DB-022]", async () => {
  const app = await startDeviceApp({ clockTolerance: 3600 });
  try {
    const [owner, page] = await signInBound(app);
    const signIns = () => app.requests.filter((each) => each.includes("/api/auth/callback")).length;
    /** Opens a page after the proof has expired. */
    const open = async (deviceBound: "off" | "observe" | "enforce") => {
      app.deploy({ session: { stateful: true, deviceBound } });
      app.advance(61);
      await owner.clearCookies({ name: proof });
      await page.goto(`${app.url}/page`);
      await page.goto(`${app.url}/page`);
      return [page.url().slice(app.url.length), signIns()];
    };
    expect(await open("observe")).toEqual(["/page", 1]);
    expect(await open("enforce")).toEqual(["/page", 1]);
    expect(await open("off")).toEqual(["/page", 1]);
    expect(await open("observe")).toEqual(["/page", 1]);
    expect(await open("enforce")).toEqual(["/page", 2]);
    expect(await open("enforce")).toEqual(["/page", 2]);
    expect(app.requests).toContain("POST /api/auth/device 404");
  } finally {
    await app.close();
  }
});
