/** The account menu of the package on an empty page, in each corner. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "../../test-app.ts";
import { bundleSource } from "../../bundle-source.ts";

const sources = path.join(import.meta.dirname, "../../../packages/latchkey/src/react");
const styles = readFileSync(path.join(sources, "styles.css"), "utf8").replace(
  /@import "([^"]+)" layer\((\w+)\);/g,
  (_, part: string, layer: string) =>
    `@layer ${layer} { ${readFileSync(path.join(sources, part), "utf8")} }`,
);

const app = `
  import { createElement } from "react";
  import { createRoot } from "react-dom/client";
  import { AccountMenu, SignInTestProvider } from ${JSON.stringify(path.join(sources, "index.ts"))};
  const user = { sub: "1", name: "Ada Okafor", email: "a.rather.long.address@example.com" };
  const times = { rollingEndsAt: null, absoluteEndsAt: null, endsAt: null };
  const session = { status: "signed-in", user, times, stale: false };
  const menu = createElement(AccountMenu, { accountHref: "/account", devicesHref: "/devices" });
  const place = document.querySelector("main");
  createRoot(place).render(createElement(SignInTestProvider, { session }, menu));
`;

let script: string;

test.beforeAll(async () => {
  script = await bundleSource(app);
});

const corners = ["start start", "start end", "end start", "end end", "center center"];

for (const direction of ["ltr", "rtl"]) {
  for (const width of [320, 1280]) {
    test(`the menu opens inside a window of ${width} px in each corner in ${direction}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 640 });
      for (const corner of corners) {
        await page.setContent(`<!doctype html><html dir="${direction}"><style>${styles}
          body { display: grid; place-items: ${corner}; block-size: 100dvb; margin: 0; }
        </style><main></main><script type="module">${script}</script>`);
        await page.locator("summary").click();
        await expect(page.locator("details > div"), corner).toBeInViewport({ ratio: 1 });
        await expect(page.getByRole("link", { name: "Your account" })).toBeVisible();
      }
    });
  }
}

const light = "rgb(255, 255, 255)";
const dark = "rgb(21, 25, 29)";
const bothSchemes = ":root { color-scheme: light dark }";

for (const { what, system, page: html, color } of [
  { what: "a page without a scheme is light", system: "dark", page: "<main>", color: light },
  {
    what: "a page with both schemes follows the system",
    system: "dark",
    page: `<style>${bothSchemes}</style><main>`,
    color: dark,
  },
  {
    what: "the class dark wins over a page with both schemes",
    system: "light",
    page: `<html class="dark"><style>${bothSchemes}</style><main>`,
    color: dark,
  },
  {
    what: "the class light wins over a page with both schemes",
    system: "dark",
    page: `<html class="light"><style>${bothSchemes}</style><main>`,
    color: light,
  },
  {
    what: "a dark part of a light page is dark",
    system: "light",
    page: `<html class="light"><style>${bothSchemes}</style><main class="dark">`,
    color: dark,
  },
] as const) {
  test(`${what}, and so is the menu`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: system });
    await page.setContent(
      `<!doctype html>${html.replace("<main", `<style>${styles}</style><main`)}</main><script type="module">${script}</script>`,
    );
    await page.locator("summary").click();
    await expect(page.locator(".lk-panel")).toHaveCSS("background-color", color);
  });
}

test("a dark part of a page keeps the variables that the page has set", async ({ page }) => {
  await page.setContent(
    `<!doctype html><style>${styles} :root { --lk-surface: rgb(1, 2, 3) }</style><main class="dark"></main><script type="module">${script}</script>`,
  );
  await page.locator("summary").click();
  await expect(page.locator(".lk-panel")).toHaveCSS("background-color", "rgb(1, 2, 3)");
});
