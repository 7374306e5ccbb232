import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readAppSettings } from "./settings.ts";

test("without any variable the application is called Latchkey and runs on localhost:3000 in development", () => {
  expect(readAppSettings({})).toMatchObject({
    settings: {
      host: "localhost",
      port: 3000,
      baseURL: "http://localhost:3000",
      production: false,
      look: { name: "Latchkey", provider: {}, pictureSources: undefined },
    },
    faults: [],
  });
});

test.each(["debug", "silent"])("LATCHKEY_LOG_LEVEL may be %s", (level) => {
  const { settings, faults } = readAppSettings({ LATCHKEY_LOG_LEVEL: level });
  expect({ level: settings.logLevel, faults }).toEqual({ level, faults: [] });
});

test.each(["warning", "toString"])(
  "LATCHKEY_LOG_LEVEL=%s is a fault with the names of the levels",
  (level) => {
    expect(readAppSettings({ LATCHKEY_LOG_LEVEL: level })).toMatchObject({
      settings: { logLevel: "info" },
      faults: [
        {
          variable: "LATCHKEY_LOG_LEVEL",
          message: expect.stringContaining("warn, error") as string,
          seen: level,
        },
      ],
    });
  },
);

test("the pod in the guide for operators listens on an address that probes and service reach", () => {
  const guide = readFileSync(
    new URL("../../../../../docs/guides/operations.md", import.meta.url),
    "utf8",
  );
  const [, name, host] = /\{ name: (HOST), value: (.*) \}/.exec(guide) ?? [];
  expect(readAppSettings({ [`${name}`]: host }).settings.host).toBe("0.0.0.0");
});

test.each([
  ["http://localhost:3000", undefined, false],
  ["http://app.localhost", undefined, false],
  ["http://127.0.0.2:3000", undefined, false],
  ["https://[::1]:3000", undefined, false],
  ["http://localhost:3000", "production", true],
  ["http://localhost:3000", "test", false],
  ["https://app.example.com", undefined, true],
  ["https://app.example.com", "test", true],
  ["https://app.example.com", "development", false],
  ["http://192.168.0.7:3000", undefined, true],
  ["https://localhost.example.com", undefined, true],
  ["app.example.com", undefined, true],
])("with the base URL %s and NODE_ENV %s, production is %s", (baseURL, nodeEnv, production) => {
  const { settings } = readAppSettings({ LATCHKEY_BASE_URL: baseURL, NODE_ENV: nodeEnv });
  expect(settings.production).toBe(production);
});

test("the base address follows the port", () => {
  expect(readAppSettings({ PORT: "8080" }).settings.baseURL).toBe("http://localhost:8080");
});

test("a link is shown without its user info, and may be a mail address", () => {
  const { look } = readAppSettings({
    LATCHKEY_SUPPORT_NAME: "the help desk",
    LATCHKEY_SUPPORT_URL: "mailto:help@example.com",
    LATCHKEY_PROVIDER_URL: "https://ada:secret@id.example.com/account",
  }).settings;
  expect(look.support).toEqual({ name: "the help desk", url: "mailto:help@example.com" });
  expect(look.provider?.url).toBe("https://id.example.com/account");
});

test("pictures come from the origins of the setting", () => {
  const sources = "https://pictures.example.com/people  http://localhost:5000";
  expect(
    readAppSettings({ LATCHKEY_PICTURE_SOURCES: sources }).settings.look.pictureSources,
  ).toEqual(["https://pictures.example.com", "http://localhost:5000"]);
});

test.each([
  ["LATCHKEY_SUPPORT_URL", "javascript:alert(1)"],
  ["LATCHKEY_SUPPORT_URL", "help.example.com"],
  ["LATCHKEY_PROVIDER_URL", "data:text/html,x"],
  ["LATCHKEY_REQUEST_ACCESS_URL", "javascript:alert(1)"],
  ["LATCHKEY_PICTURE_SOURCES", "https://pictures.example.com 'unsafe-inline'"],
  ["LATCHKEY_PICTURE_SOURCES", "data:"],
])("%s=%s is a fault, and nothing of it is used", (variable, value) => {
  const { settings, faults } = readAppSettings({
    LATCHKEY_SUPPORT_NAME: "the help desk",
    [variable]: value,
  });
  expect(faults).toMatchObject([{ variable, seen: value }]);
  expect(settings.look).toMatchObject({
    provider: { url: undefined },
    support: { url: undefined },
    requestAccess: undefined,
    pictureSources: undefined,
  });
});

test("a PORT which is no port number is a fault with the name of the variable", () => {
  expect(readAppSettings({ PORT: "http" }).faults).toMatchObject([
    { variable: "PORT", seen: "http" },
  ]);
});

test("a brand is read: colors for both schemes, radius, font and logo", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-brand-"));
  const logo = join(folder, "logo.svg");
  writeFileSync(logo, "<svg/>");
  const { settings, faults } = readAppSettings({
    LATCHKEY_COLOR_ON_ACCENT: "#FFFFFF #06231d",
    LATCHKEY_COLOR_TEXT: "#101010",
    LATCHKEY_RADIUS: "12px",
    LATCHKEY_FONT: '"Source Sans 3", sans-serif',
    LATCHKEY_LOGO: logo,
  });
  rmSync(folder, { recursive: true });
  expect(faults).toEqual([]);
  expect(settings.look).toMatchObject({
    colors: { onAccent: ["#ffffff", "#06231d"], text: ["#101010", "#101010"] },
    radius: 12,
    font: '"Source Sans 3", sans-serif',
    logo: "data:image/svg+xml;base64,PHN2Zy8+",
  });
});

test("the look follows the app: scheme, language, a logo for each scheme, and requests for access", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-brand-"));
  const [light, dark] = [join(folder, "light.svg"), join(folder, "dark.svg")];
  for (const file of [light, dark]) writeFileSync(file, "<svg/>");
  const { settings, faults } = readAppSettings({
    LATCHKEY_SCHEME: "dark",
    LATCHKEY_LANGUAGE: "pt-BR",
    LATCHKEY_LOGO: light,
    LATCHKEY_LOGO_DARK: dark,
    LATCHKEY_REQUEST_ACCESS_URL: "mailto:it@example.com",
  });
  rmSync(folder, { recursive: true });
  expect(faults).toEqual([]);
  const logo = "data:image/svg+xml;base64,PHN2Zy8+";
  expect(settings.look).toMatchObject({
    scheme: "dark",
    language: "pt-BR",
    logo: [logo, logo],
    requestAccess: "mailto:it@example.com",
  });
});

test("a logo for dark screens alone is a fault", () => {
  const { faults } = readAppSettings({ LATCHKEY_LOGO_DARK: "/nowhere/dark.svg" });
  expect(faults.map(({ variable }) => variable)).toEqual(["LATCHKEY_LOGO_DARK", "LATCHKEY_LOGO"]);
});

test.each([
  ["LATCHKEY_COLOR_TEXT", "red"],
  ["LATCHKEY_COLOR_TEXT", "#fff"],
  ["LATCHKEY_COLOR_TEXT", "#000000 #111111 #222222"],
  ["LATCHKEY_COLOR_MUTED", "#000000;}body{display:none"],
  ["LATCHKEY_RADIUS", "25"],
  ["LATCHKEY_RADIUS", "-1"],
  ["LATCHKEY_FONT", "x;}body{display:none"],
  ["LATCHKEY_FONT", '"Source Sans'],
  ["LATCHKEY_FONT", "url(https://evil.example)"],
  ["LATCHKEY_LOGO", "/nowhere/logo.svg"],
  ["LATCHKEY_LOGO", "/etc/passwd"],
  ["LATCHKEY_SCHEME", "dim"],
  ["LATCHKEY_LANGUAGE", "tlh"],
])("the brand %s=%s is a fault, and our own look stays", (variable, value) => {
  const { settings, faults } = readAppSettings({ [variable]: value });
  expect(faults).toMatchObject([{ variable, seen: value }]);
  const { colors = {}, radius, font, logo, scheme, language } = settings.look;
  const all = [...Object.values(colors), radius, font, logo, scheme, language];
  expect(all.filter((each) => each !== undefined)).toEqual([]);
});

test.each([
  ["/nowhere/logo.svg", "cannot be read: ENOENT"],
  ["/etc/passwd", "ends in .svg, .png or .webp"],
])("the fault of the logo %s says what is wrong with the file", (path, reason) => {
  expect(readAppSettings({ LATCHKEY_LOGO: path }).faults).toMatchObject([
    { variable: "LATCHKEY_LOGO", seen: path, message: expect.stringContaining(reason) },
  ]);
});
