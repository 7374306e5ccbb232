import { ConfigError, createAuth } from "latchkey";
import { expect, test } from "vitest";

import { pages } from "./pages.ts";
import type { PagesSettings } from "./settings.ts";

/** The faults that stop the start of an app with these pages. */
async function faultsOf(settings: unknown) {
  const auth = createAuth({
    secret: "a secret of more than 32 characters, for tests",
    baseURL: "https://app.example",
    issuerBaseURL: "https://op.example",
    clientID: "app",
    clientSecret: "secret-of-the-app",
    log: () => undefined,
    fetch: () => Promise.reject(new Error("no network")),
    pages: pages(settings as PagesSettings),
  });
  const error: unknown = await auth.ready().catch((reason: unknown) => reason);
  await auth.close();
  return error instanceof ConfigError ? error.faults : [];
}

test.each([
  ["a name without a letter", { name: " " }, "pages.name"],
  ["a name of 61 characters", { name: "x".repeat(61) }, "pages.name"],
  ["a logo that is a script", { logo: "javascript:alert(1)" }, "pages.logo"],
  ["a logo that is a page", { logo: "data:text/html,<b>" }, "pages.logo"],
  ["a logo of another host without https", { logo: "//evil.example/logo.svg" }, "pages.logo"],
  [
    "a logo of more than 16 kB",
    { logo: `data:image/png;base64,${"A".repeat(22_001)}` },
    "pages.logo",
  ],
  ["an accent that is no color", { accent: "purple" }, "pages.accent"],
  ["an accent that ends the style", { accent: "#aa0000}</style>" }, "pages.accent"],
  ["a second logo that is a script", { logo: ["/a.svg", "javascript:alert(1)"] }, "pages.logo"],
  ["a color that ends the style", { colors: { text: "#aa0000}</style>" } }, "pages.colors.text"],
  [
    "one color of a pair that is none",
    { colors: { muted: ["#aa0000", "x"] } },
    "pages.colors.muted",
  ],
  ["a font that ends the declaration", { font: "Georgia;}body{display:none" }, "pages.font"],
  ["a font with an open quote", { font: `"Georgia` }, "pages.font"],
  ["a font that loads a file", { font: "url(https://evil.example)" }, "pages.font"],
  ["a scheme that there is not", { scheme: "dim" as "dark" }, "pages.scheme"],
  ["a script to request access", { requestAccess: "javascript:alert(1)" }, "pages.requestAccess"],
  [
    "a source of pictures that is a path",
    { pictureSources: ["/pictures"] },
    "pages.pictureSources",
  ],
  ["one without a scheme", { pictureSources: ["pictures.example"] }, "pages.pictureSources"],
  [
    "one that extends the policy",
    { pictureSources: ["https://a.example; script-src *"] },
    "pages.pictureSources",
  ],
  ["one for all hosts", { pictureSources: ["https://*"] }, "pages.pictureSources"],
  ["one with a path", { pictureSources: ["https://a.example/pictures/"] }, "pages.pictureSources"],
  ["a radius below 0", { radius: -1 }, "pages.radius"],
  ["a radius that is no number", { radius: Number.NaN }, "pages.radius"],
  [
    "a link that is a script",
    { links: [{ href: "javascript:alert(1)", label: "x" }] },
    "pages.links[0].href",
  ],
  [
    "a help desk that is a script",
    { support: { name: "x", url: "data:text/html,x" } },
    "pages.support.url",
  ],
] as [string, PagesSettings, string][])(
  "%s is a fault of the settings",
  async (_what, settings, option) => {
    expect((await faultsOf(settings)).map((fault) => fault.option)).toEqual([option]);
  },
);

test("good settings have no fault", async () => {
  const settings: PagesSettings = {
    name: "Harbour",
    logo: "/logo.svg",
    accent: ["#7a1f5c", "#f0a0d0"],
    radius: 0,
    colors: { background: "#ffffff", text: ["#111111", "#eeeeee"] },
    font: `"Source Serif 4", Georgia, serif`,
    scheme: () => "dark",
    language: "de",
    requestAccess: "mailto:help@example.com",
    links: [{ href: "/reports", label: "Reports" }],
    support: { name: "the help desk", url: "mailto:help@example.com" },
  };
  expect(await faultsOf(settings)).toEqual([]);
  expect(await faultsOf({})).toEqual([]);
});

test("wrong types, an unknown name and a misspelt one are reported at once, as what is expected and seen", async () => {
  const settings = { name: 7, links: {}, door: "no", acent: "#7a1f5c", support: { mail: "x" } };
  const remedy = "Change it where pages() is called.";
  expect(await faultsOf(settings)).toEqual(
    expect.arrayContaining([
      {
        option: "pages.name",
        variable: "",
        message: "must have 1 to 60 characters",
        seen: "7",
        remedy,
      },
      expect.objectContaining({ option: "pages.links", seen: "an object" }),
      expect.objectContaining({ option: "pages.door", seen: "no" }),
      expect.objectContaining({ option: "pages.acent", remedy: "Did you mean accent?" }),
      expect.objectContaining({ option: "pages.support.mail", message: "is not an option" }),
    ]),
  );
});

test("pages() of null or of a text stops the start", async () => {
  expect(await faultsOf(null)).toMatchObject([{ option: "pages", seen: "null" }]);
  expect(await faultsOf("Harbour")).toMatchObject([{ option: "pages", seen: "Harbour" }]);
});
