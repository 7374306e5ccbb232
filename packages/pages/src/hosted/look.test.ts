import { Hono } from "hono";
import { createAuth } from "latchkey";
import { latchkey } from "latchkey/hono";
import { expect, test } from "vitest";

import { languages } from "../languages.ts";
import { pages } from "./pages.ts";
import type { PagesSettings } from "./settings.ts";

const engine = {
  baseURL: "http://localhost:3000",
  issuerBaseURL: "http://localhost:9",
  clientID: "harbour",
  clientSecret: "secret",
  secret: "a-secret-of-the-tests-0123456789abcdef",
  log: () => {},
};

async function shown(
  settings: PagesSettings,
  {
    path = "/_auth/signed-out",
    headers = {},
  }: { path?: string; headers?: Readonly<Record<string, string>> } = {},
) {
  const auth = createAuth({ ...engine, pages: pages({ languages, ...settings }) });
  const app = new Hono();
  app.use(latchkey(auth));
  const response = await app.request(`http://localhost:3000${path}`, {
    headers: { accept: "text/html", "accept-language": "en", ...headers },
  });
  const html = await response.text();
  await auth.close();
  return { html, headers: response.headers };
}

test("by default the device chooses the scheme and the browser the language", async () => {
  const { html } = await shown({}, { headers: { "accept-language": "de" } });
  expect(html).toMatch(/<html lang="de" dir="ltr" data-phrases/);
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
});

test("the app chooses the scheme and the language, also by the request", async () => {
  const fixed = await shown({ scheme: "dark", language: "fr" });
  expect(fixed.html).toMatch(/<html lang="fr" dir="ltr" data-theme="dark"/);
  expect(fixed.html).toContain('<meta name="color-scheme" content="dark"/>');
  const chosen: PagesSettings = {
    scheme: ({ headers }) => (headers.get("cookie") === "theme=light" ? "light" : undefined),
    language: ({ headers }) => (headers.get("x-language") === "ar" ? "ar" : undefined),
  };
  const byRequest = await shown(chosen, {
    headers: { cookie: "theme=light", "x-language": "ar" },
  });
  expect(byRequest.html).toMatch(/<html lang="ar" dir="rtl" data-theme="light"/);
  expect((await shown(chosen)).html).toMatch(/<html lang="en" dir="ltr" data-phrases/);
});

test("a logo has a picture for each scheme, and the name only if it cannot be loaded", async () => {
  const logo = ["/light.svg", "/dark.svg"] as const;
  const { html } = await shown({ name: "Harbour", logo, showName: false });
  expect(html).toContain('<source srcSet="/dark.svg" media="(prefers-color-scheme: dark)"/>');
  expect(html).toContain('<img class="logo" src="/light.svg" alt=""/>');
  expect(html).toContain('<span class="spare-name">Harbour</span>');
  const dark = await shown({ logo, scheme: "dark" });
  expect(dark.html).toContain('<img class="logo" src="/dark.svg" alt=""/>');
  expect(dark.html).not.toContain("<source");
});

test("the drawing of a door can be left out", async () => {
  expect((await shown({})).html).toContain('class="door-picture"');
  expect((await shown({ door: false })).html).not.toContain('class="door-picture"');
});

test("brand.css has the brand of the pages", async () => {
  const brand = {
    accent: "#ffd400",
    colors: { background: ["#fffef5", "#101010"] },
    font: "Georgia",
  } as const;
  const { html, headers } = await shown(brand, { path: "/_auth/brand.css" });
  expect(headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(html).toContain("--lk-bg: light-dark(#fffef5, #101010);");
  expect(html).toContain("--lk-accent-fill: light-dark(#ffd400, #ffd400);");
  expect(html).toContain("--lk-font: Georgia;");
});

test("a host has its own name, look and language, and the others those of the app [MX-022]", async () => {
  const hosts = {
    "shop.customer.example": {
      name: "Customer Shop",
      accent: "#7a1f5c",
      logo: "/customer.svg",
      language: "de",
    },
  };
  const warned: string[] = [];
  const auth = createAuth({
    ...engine,
    baseURL: ["https://app.example.com", "https://shop.customer.example"],
    log: (event) => void ("message" in event && warned.push(event.message)),
    pages: pages({ languages, name: "Harbour", accent: "#0b6e5f", hosts }),
  });
  const app = new Hono();
  app.use(latchkey(auth));
  const textAt = async (address: string) => {
    const { host } = new URL(address);
    return (await app.request(address, { headers: { accept: "text/html", host } })).text();
  };
  const own = await textAt("https://shop.customer.example/_auth/signed-out");
  expect(own).toMatch(/<html lang="de"/);
  expect(own).toContain("Customer Shop");
  expect(own).toContain('src="/customer.svg"');
  expect(own).not.toContain("Harbour");
  const other = await textAt("https://app.example.com/_auth/signed-out");
  expect(other).toMatch(/<html lang="en"/);
  expect(other).toContain("Harbour");
  expect(other).not.toMatch(/Customer|customer/);
  const brandAt = (host: string) => textAt(`https://${host}/_auth/brand.css`);
  expect(await brandAt("shop.customer.example")).toContain("#7a1f5c");
  expect(await brandAt("app.example.com")).not.toContain("#7a1f5c");
  expect(warned.filter((message) => message.includes("pages.hosts"))).toEqual([]);
  await auth.close();
});

test("a look for what is no host, or no host of the app, is named [MX-022]", async () => {
  const wrong = { "https://shop.example": {}, "shop.example": { acent: "#7a1f5c" } };
  const faulty = createAuth({ ...engine, pages: pages({ hosts: wrong } as PagesSettings) });
  await expect(faulty.ready()).rejects.toMatchObject({
    faults: [
      { option: "pages.hosts.https://shop.example", message: expect.stringContaining("a host") },
      { option: "pages.hosts.shop.example.acent", message: "is not an option" },
    ],
  });
  const warned: string[] = [];
  const log = (event: object) => void ("message" in event && warned.push(String(event.message)));
  const auth = createAuth({
    ...engine,
    log,
    pages: pages({ hosts: { "shop.example": { name: "Shop" } } }),
  });
  await auth.ready();
  expect(warned).toContain("pages.hosts has shop.example, which is no host of the app.");
  await auth.close();
});

test("our own accent needs no style, and a chosen one has a readable text on buttons", async () => {
  expect((await shown({})).html).not.toContain("--accent-fill:light-dark(");
  const { html } = await shown({ accent: "#ffd400" });
  expect(html).toContain("--on-accent:light-dark(#000000,#06231d)");
  const { html: chosen } = await shown({ accent: "#7a1f5c", colors: { onAccent: "#fff5fb" } });
  expect(chosen).toContain("--on-accent:light-dark(#fff5fb,#fff5fb)");
});

test.each([
  ["no picture of another origin", {}, "'self' data:"],
  ["those of a file of the app", { logo: "/logo.svg" }, "'self' data:"],
  [
    "those of a logo and the allowed origins",
    { logo: "https://cdn.example/a/logo.svg", pictureSources: ["https://pictures.example"] },
    "'self' data: https://cdn.example https://pictures.example",
  ],
] as const)("the policy allows %s", async (_, settings, sources) => {
  const policy = (await shown(settings)).headers.get("content-security-policy");
  expect(policy).toContain(`; img-src ${sources};`);
});

test.each([
  [false, "accent #ffd54f is hard to read", "text on bg has a contrast of 1.0"],
  [true, "text on bg has a contrast of 1.0", "text on surface has a contrast of 1.0"],
])("with production %s operators read at the start that %s", async (production, ...sentences) => {
  const warnings: string[] = [];
  const auth = createAuth({
    ...engine,
    production,
    log: (event) => void ("message" in event && warnings.push(event.message)),
    pages: pages({ accent: "#ffd54f", colors: { background: "#ffffff", text: "#fefefe" } }),
  });
  await auth.ready().catch(() => undefined);
  await auth.close();
  for (const sentence of sentences) expect(warnings.join("\n")).toContain(sentence);
  expect(warnings.some((each) => each.includes("is hard to read"))).toBe(!production);
});

test("the policy allows the style of a brand", async () => {
  const { html, headers } = await shown({ font: "Georgia", scheme: "dark" });
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  expect(style).toContain("--sans:Georgia");
  expect(headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
});
