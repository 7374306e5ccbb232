import { expect, test } from "vitest";

import { pagesFaults, type PagesSettings } from "./settings.ts";

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
  ["a color that ends the style", { colors: { text: "#aa0000}</style>" } }, "pages.colors"],
  ["one color of a pair that is none", { colors: { muted: ["#aa0000", "x"] } }, "pages.colors"],
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
    "pages.links",
  ],
  [
    "a help desk that is a script",
    { support: { name: "x", url: "data:text/html,x" } },
    "pages.links",
  ],
] as [string, PagesSettings, string][])(
  "%s is a fault of the settings",
  (_what, settings, option) => {
    expect(pagesFaults(settings).map((fault) => fault.option)).toEqual([option]);
  },
);

test("good settings have no fault", () => {
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
  expect(pagesFaults(settings)).toEqual([]);
  expect(pagesFaults({})).toEqual([]);
});
