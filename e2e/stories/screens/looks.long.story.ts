/** The layout as a designer checks it: lines, edges and overlaps. */
import type { Page } from "@playwright/test";
import { waitForHydration, waitForWatch } from "../../hydration.ts";
import { startHostileTestApp } from "../../hostile-test-app.ts";
import { accountMenu, enter, expect, test } from "../../test-app.ts";

const gallery = "/_auth/gallery";

/** Runs in the page. Returns positions in pixels. */
function measurePositions() {
  const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const middle = (rectangle?: DOMRect) => rectangle && rectangle.top + rectangle.height / 2;
  const inner = (selector: string) => {
    const element = document.querySelector(selector);
    if (!element) return [];
    const { left, right } = element.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
  };
  const tops = [...document.querySelectorAll(".pages a")].map((link) =>
    Math.round(link.getBoundingClientRect().top),
  );
  return {
    logo: middle(box(".head .door-mark")),
    avatar: middle(box(".head .lk-avatar")),
    head: inner(".head"),
    strip: inner(".strip"),
    body: inner(".body"),
    foot: inner(".foot"),
    card: [box(".card")?.left, box(".card")?.right],
    rows: new Set(tops).size,
    title: box("h1")?.top,
  };
}

for (const language of ["en", "de", "ar"]) {
  for (const width of [320, 390, 768, 1280]) {
    test(`header, strip, column and footer keep to one grid in ${language} at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${gallery}/account-usual?lang=${language}`);
      const found = await page.evaluate(measurePositions);
      expect(Math.abs((found.logo ?? 0) - (found.avatar ?? 99))).toBeLessThanOrEqual(0.5);
      for (const edges of [found.strip, found.body, found.foot]) expect(edges).toEqual(found.head);
      const end = language === "ar" ? 0 : 1;
      expect(found.card[end]).toBe(found.head[end]);
      expect(found.rows).toBe(width < 1024 ? 1 : 3);
      if (width === 320) expect(found.title).toBeLessThanOrEqual(140);
    });
  }
}

for (const language of ["en", "de", "fr", "ar"]) {
  test(`"All details" begins within 140 px of a small phone, beside the way back, in ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(`${gallery}/details?lang=${language}`);
    expect((await page.locator("h1").boundingBox())?.y).toBeLessThanOrEqual(140);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
}

test("the lines of a name in the other writing direction align with the text of the page", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${gallery}/account-long?lang=ar`);
  const edges = await page.locator(".person-facts bdi").evaluateAll(([name]) => {
    const range = document.createRange();
    range.selectNodeContents(name ?? document);
    return Array.from(range.getClientRects(), ({ right }) => Math.round(right));
  });
  expect(edges.length).toBeGreaterThan(1);
  expect(new Set(edges).size).toBe(1);
});

/** Runs in the page. Returns the share of each mark on the timeline, as drawn and as listed. */
function measureMarks() {
  const now = Number(document.body.dataset["now"]) * 1000;
  const middle = (mark: Element) => {
    const { left, right } = mark.getBoundingClientRect();
    return (left + right) / 2;
  };
  const place = (kind: string) =>
    [...document.querySelectorAll(`circle[data-mark="${kind}"]`)].map(middle);
  const ends = [...document.querySelectorAll<HTMLTimeElement>(".timeline time")];
  const [start = NaN] = place("now");
  const last = ends.at(-1);
  const length = Date.parse(last?.dateTime ?? "") - now;
  const [end = NaN] = place(last?.dataset["end"] ?? "");
  return {
    isMirrored: end < start,
    drawn: ends.flatMap(({ dataset }) =>
      place(dataset["end"] ?? "").map((at) => (at - start) / (end - start)),
    ),
    listed: ends.map(({ dateTime }) => (Date.parse(dateTime) - now) / length),
  };
}

for (const [state, count] of [
  ["usual", 2],
  ["warning-idle", 2],
  ["one-end", 1],
  ["no-last-end", 1],
] as const) {
  test(`the timeline has the distances of its list in both writing directions: ${state}`, async ({
    page,
  }) => {
    for (const language of ["en", "ar"]) {
      await page.goto(`${gallery}/account-${state}?lang=${language}`);
      const { isMirrored, drawn, listed } = await page.evaluate(measureMarks);
      expect(isMirrored).toBe(language === "ar");
      expect(drawn).toHaveLength(count);
      for (const [place, share] of listed.entries()) expect(drawn[place]).toBeCloseTo(share, 2);
    }
  });
}

test("the initials appear if a picture does not load or is not allowed", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  for (const [state, pictures] of [
    ["broken-picture", 2],
    ["forbidden-picture", 0],
  ] as const) {
    await page.goto(`${gallery}/account-${state}`);
    await waitForHydration(page);
    await expect(page.locator(".lk-avatar img")).toHaveCount(pictures);
    await expect(page.locator(".lk-avatar img:visible")).toHaveCount(0);
    await expect(page.locator(".person .lk-avatar")).toContainText("AO");
  }
  expect(complaints.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  for (const [name, width, height] of [
    ["a wide", 400, 100],
    ["a high", 100, 400],
    ["a small", 16, 16],
  ] as const) {
    test(`no initials shine through ${name} transparent picture`, async ({ page }) => {
      const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
      await page.route("**/favicon.svg", (route) =>
        route.fulfill({ contentType: "image/svg+xml", body }),
      );
      await page.goto(`${gallery}/account-picture`);
      const avatar = page.locator(".person .lk-avatar");
      const shown = await avatar.screenshot();
      await avatar.evaluate((circle) => circle.firstChild?.remove());
      expect(shown.equals(await avatar.screenshot())).toBe(true);
    });
  }
});

for (const [width, mostLines] of [
  [390, 5.5],
  [1280, 3],
] as const) {
  test(`thirty devices take two pages with at most ${mostLines} lines for a device at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const [state, count] of [
      ["many", 20],
      ["many-rest", 10],
    ] as const) {
      await page.goto(`${gallery}/devices-${state}`);
      const devices = page.locator("li.device");
      await expect(devices).toHaveCount(count);
      const heights = await devices.evaluateAll((rows) => {
        const lineHeight = Number.parseFloat(getComputedStyle(document.body).lineHeight);
        return rows.map((row) => row.getBoundingClientRect().height / lineHeight);
      });
      expect(Math.max(...heights)).toBeLessThanOrEqual(mostLines);
    }
  });
}

test("the offline message does not cover the focused element", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto(`${gallery}/account-offline`);
  await expect(page.locator(".lk-toast")).toContainText("You're offline.");
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press("Tab");
    const covered = await page.evaluate(() => {
      const line = document.querySelector(".lk-toast")?.getBoundingClientRect();
      const focus = document.activeElement;
      if (!line || !focus || focus === document.body) return "";
      const { top, bottom } = focus.getBoundingClientRect();
      return bottom > line.top && top < line.bottom ? focus.outerHTML.slice(0, 80) : "";
    });
    expect(covered).toBe("");
  }
});

/** Runs in the page. Returns facts with a dot at the edge of a line, or with a cut character. */
function findSpoiledFacts(): string[] {
  const range = document.createRange();
  const placesIn = (text: Text) =>
    [...text.data.matchAll(/[^\s\p{Cf}]/gu)].map(({ 0: character, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + character.length);
      return { isDot: character === "·", box: range.getBoundingClientRect() };
    });
  return [...document.querySelectorAll(".device > p, .activity p")].flatMap((facts) => {
    const edge = facts.getBoundingClientRect();
    const texts = document.createTreeWalker(facts, NodeFilter.SHOW_TEXT);
    const places: ReturnType<typeof placesIn> = [];
    while (texts.nextNode()) places.push(...placesIn(texts.currentNode as Text));
    const isSpoiled = places.some(({ isDot, box }) => {
      if (!isDot) return box.left < edge.left - 1 || box.right > edge.right + 1;
      if (box.right <= edge.left || box.left >= edge.right) return false;
      const line = places.filter(
        (other) => other.box.top < box.bottom && other.box.bottom > box.top,
      );
      return (
        line.every((other) => other.box.left <= box.left) ||
        line.every((other) => other.box.left >= box.left)
      );
    });
    return isSpoiled ? [facts.textContent] : [];
  });
}

for (const language of ["de", "ar"]) {
  for (const state of ["several", "activity"]) {
    test(`no line of facts begins or ends with a dot in ${language}: ${state}`, async ({
      page,
    }) => {
      for (const width of [320, 390, 414]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${gallery}/devices-${state}?lang=${language}`);
        expect(await page.evaluate(findSpoiledFacts)).toEqual([]);
      }
    });
  }
}

for (const language of ["en", "ar"]) {
  test(`the full stop after a command stays beside it in ${language}`, async ({ page }) => {
    await page.goto(`${gallery}/setup?lang=${language}`);
    const fallen = await page.getByText("npm start", { exact: true }).evaluate((command) => {
      const section = command.closest("section");
      const stop = document.createRange();
      stop.setStart(command.nextSibling ?? command, 0);
      stop.setEnd(command.nextSibling ?? command, 1);
      return Array.from({ length: 200 }, (_, less) => 500 - less).filter((width) => {
        if (section) section.style.width = `${width}px`;
        return stop.getBoundingClientRect().top >= command.getBoundingClientRect().bottom;
      });
    });
    expect(fallen).toEqual([]);
  });
}

test("at 400 % a warning shows its title first, and a message comes before any picture", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(`${gallery}/account-warning-idle`);
  await expect(page.getByRole("heading", { name: "Still there?" })).toBeInViewport({ ratio: 1 });
  await page.goto(`${gallery}/problem-not-found`);
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
});

test("at 400 % the form for the name of a device is within reach", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(`${gallery}/devices-several?lang=de`);
  await page.locator(".open-rename").first().click();
  const form = page.locator(".rename[open]");
  const { top, bottom } = await form.evaluate((box) => box.getBoundingClientRect().toJSON());
  expect([top >= 0, bottom <= 256]).toEqual([true, true]);
  await form.getByRole("button", { name: "Abbrechen" }).click();
  await expect(form).toBeHidden();
});

test("a page selects the text and names the keys if the browser refuses to copy", async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await page.goto(`${gallery}/details`);
  await page.getByRole("button", { name: "Copy User ID" }).click();
  await expect(page.locator("#said")).toHaveText("Press Ctrl+C");
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("person-ada");
});

test("main, destructive and quiet buttons differ in forced colors", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${gallery}/account-usual`);
  const edgeOf = (name: string) =>
    page
      .getByRole("main")
      .getByText(name, { exact: true })
      .evaluate((button) => Number.parseInt(getComputedStyle(button).borderWidth, 10));
  const [quiet, destructive] = [await edgeOf("Sign out"), await edgeOf("Sign out on all devices")];
  await page.goto(`${gallery}/problem-not-confirmed`);
  const main = await edgeOf("Try again");
  expect([quiet, destructive, main]).toEqual([1, 2, 3]);
});

test("parameters for one visit leave the address", async ({ page, testApp }) => {
  await page.goto("/?notice=cancelled");
  await expect(page.getByRole("status")).toContainText("Nothing has changed.");
  await expect(page).toHaveURL(`${testApp.url}/`);
  await page.goto("/_auth/signed-out?state=guessed&provider=still");
  await expect(page).toHaveURL(`${testApp.url}/_auth/signed-out`);
});

test("a missing page keeps the menu, strip and navigation of a signed-in person", async ({
  page,
  context,
  testApp,
}) => {
  await enter(context, testApp, "Ada Okafor");
  const response = await page.goto("/nowhere");
  expect(response?.status()).toBe(404);
  await waitForWatch(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(accountMenu(page)).toBeVisible();
  await expect(page.getByRole("complementary")).toContainText("ada@example.com");
  await expect(page.getByRole("navigation").getByRole("link")).toHaveCount(3);
});

test("a printed page has all text and no controls", async ({ page }) => {
  await page.goto(`${gallery}/details`);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("code").first()).toHaveText("person-ada");
  for (const state of ["account-usual", "devices-many", "setup"]) {
    await page.goto(`${gallery}/${state}`);
    await expect(page.locator("h1")).toBeVisible();
    await expect(
      page.locator("button:visible, input:visible, nav:visible, .skip:visible"),
    ).toHaveCount(0);
  }
  await page.goto(`${gallery}/details-many`);
  await expect(page.getByText("department-200", { exact: true })).toBeVisible();
  await expect(page.locator(".claims dl > div").filter({ visible: false })).toHaveCount(0);
  await expect(page.locator("summary:visible")).toHaveCount(0);
});

test("a group of claims shows five, and the others on demand", async ({ page }) => {
  await page.goto(`${gallery}/details-many`);
  const group = page.getByRole("region", { name: "Who you are" });
  await expect(group.locator("dl > div:visible")).toHaveCount(5);
  await group.getByText("4 more").click();
  await expect(group.locator("dl > div:visible")).toHaveCount(9);
});

test("a claim with two hundred values shows five, and the others on demand", async ({ page }) => {
  await page.goto(`${gallery}/details-many`);
  await expect(page.getByText("department-5", { exact: true })).toBeVisible();
  await expect(page.getByText("department-6", { exact: true })).toBeHidden();
  await page.getByText("195 more").click();
  await expect(page.getByText("department-200", { exact: true })).toBeVisible();
  await expect(page.locator("pre")).toContainText('"locality": "Lisbon"');
});

test("a long claim shows its beginning, and the full text on demand", async ({ page }) => {
  await page.goto(`${gallery}/details-many`);
  const beginning = page.getByText(/^A harbour is a place where one arrives\b.*\w…$/);
  await expect(beginning).toBeVisible();
  await beginning.locator("..").getByText("Show all of it").click();
  await expect(beginning).toBeHidden();
  const [copy, whole] = await Promise.all(
    [".copy", ".whole"].map((name) => beginning.locator("..").locator(name).boundingBox()),
  );
  expect(whole?.y).toBeGreaterThanOrEqual((copy?.y ?? NaN) + (copy?.height ?? NaN));
});

test.describe("a page that retries", () => {
  test("a sign-in broken off by the provider continues by itself when the provider works again", async ({
    page,
  }) => {
    const hostile = await startHostileTestApp();
    hostile.provider.behave("REL-F12/reset/token");
    await page.goto(`${hostile.url}/api/auth/login?returnTo=%2Fsample`);
    await expect(page.getByText("We'll keep trying")).toBeVisible();
    await expectHops(page, "Example ID: not answering");
    hostile.provider.behave("well");
    await expect(page).toHaveURL(`${hostile.url}/sample`);
    await hostile.close();
  });
});

async function expectHops(page: Page, said: string): Promise<void> {
  await expect(page.getByRole("main").getByRole("list").first()).toContainText(said);
}
