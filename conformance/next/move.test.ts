import { execFileSync, spawnSync } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type Browser as Chromium, chromium } from "@playwright/test";
import { type RunningProvider, startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findBrowser } from "../../tools/browser/browser.ts";
import { type Browser, createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { portFault } from "../../tools/start/ports.ts";
import { type AppProcess, startApp } from "../suite/app-process.ts";

const root = path.join(import.meta.dirname, "../..");
const samples = path.join(import.meta.dirname, "move");
const work = path.join(import.meta.dirname, ".moved");
const packed = path.join(root, ".data/conformance");
const kinds = ["app-router", "pages-router"] as const;
/** In `pages/` the app sets `AUTH0_CALLBACK` to a file of its own. */
const callbacks = { "app-router": "/api/auth/callback", "pages-router": "/api/callback" };

function tarballs(): readonly string[] {
  const names = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
  return names.map((name) => path.join(packed, name));
}

/** Installs nextjs-auth0 3.7, and its replacements beside it. */
function install(): void {
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: work, stdio: "pipe" });
  const installed = path.join(work, "node_modules/.package-lock.json");
  const isNewer = (file: string) => statSync(file).mtimeMs > statSync(installed).mtimeMs;
  if (existsSync(installed) && !tarballs().some(isNewer)) return;
  mkdirSync(work, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) {
    cpSync(path.join(samples, name), path.join(work, name));
  }
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund"];
  npm("ci", ...quiet);
  npm("install", "--no-save", "--no-package-lock", ...quiet, ...tarballs());
}

/** The commands of the guide for Next.js 15.5, without the installation. */
function commandsOfGuide(): string {
  const guide = readFileSync(path.join(root, "docs/guides/from-nextjs-auth0.md"), "utf8");
  const blocks = Array.from(guide.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = ""]) => block);
  const commands = blocks.join("\n").split("\n");
  const own = commands.filter((line) => !line.startsWith("npm "));
  return own.map((line) => line.replace(/^npx .*/, "$& --yes --no-install")).join("\n");
}

interface Sample {
  readonly baseURL: string;
  readonly provider: RunningProvider;
  /** Starts the app before or after the move, and stops the other one. */
  run(which: "before" | "after"): Promise<void>;
  /** The output of the app so far. */
  output(): string;
  close(): Promise<void>;
}

/**
 * Returns the ports of the last run if they are free: the build of 3.7 for the edge contains them.
 */
async function keptPorts(kind: string): Promise<readonly [app: number, provider: number]> {
  const file = path.join(work, `${kind}.ports.json`);
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as [number, number]) : [];
  const faults = await Promise.all(kept.map((port) => portFault(port, "PORT")));
  const [app, provider] = kept;
  if (app !== undefined && provider !== undefined && faults.every((fault) => fault === undefined))
    return [app, provider];
  const ports = [await freePort(), await freePort()] as const;
  writeFileSync(file, JSON.stringify(ports));
  return ports;
}

/** Builds an app before or after the move, unless the last build is up to date. */
function build(
  kind: string,
  which: "before" | "after",
  environment: Record<string, string>,
): string {
  const cwd = path.join(work, kind, which);
  const hash = createHash("sha256").update(JSON.stringify(environment));
  const sources = [samples, ...(which === "after" ? tarballs() : [])];
  for (const source of sources) addTo(hash, source);
  const stamp = hash.update(which === "after" ? commandsOfGuide() : "").digest("hex");
  const stampFile = path.join(cwd, ".next/stamp");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return cwd;
  rmSync(cwd, { recursive: true, force: true });
  cpSync(path.join(samples, kind), cwd, { recursive: true });
  cpSync(path.join(samples, "environment.txt"), path.join(cwd, ".env.local"));
  const own = path.join(cwd, "environment.txt");
  if (existsSync(own)) renameSync(own, path.join(cwd, ".env"));
  if (which === "after") execFileSync("sh", ["-ec", commandsOfGuide()], { cwd });
  const more = { NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const env = { ...process.env, ...environment, ...more };
  execFileSync("node", ["--run", "build"], { cwd, env, stdio: "pipe" });
  writeFileSync(stampFile, stamp);
  return cwd;
}

function addTo(hash: Hash, place: string): void {
  if (!statSync(place).isDirectory()) {
    hash.update(place).update(readFileSync(place));
    return;
  }
  for (const name of readdirSync(place)) addTo(hash, path.join(place, name));
}

async function buildSample(kind: (typeof kinds)[number]): Promise<Sample> {
  const [port, providerPort] = await keptPorts(kind);
  const baseURL = `http://localhost:${port}`;
  const provider = await startProvider({
    appURL: baseURL,
    port: providerPort,
    redirectURI: baseURL + callbacks[kind],
  });
  const address = { BASE_URL: baseURL, ISSUER_BASE_URL: provider.issuer };
  const environment = (prefix: string) =>
    Object.fromEntries(
      Object.entries(address).map(([name, value]) => [`${prefix}_${name}`, value]),
    );
  const environments = { before: environment("AUTH0"), after: environment("LATCHKEY") };
  const folders = {
    before: build(kind, "before", environments.before),
    after: build(kind, "after", environments.after),
  };
  let running: AppProcess | undefined;
  return {
    baseURL,
    provider,
    async run(which) {
      await running?.stop();
      running = await startApp(folders[which], port, environments[which]);
    },
    output: () => running?.output() ?? "",
    async close() {
      await running?.stop();
      await provider.close();
    },
  };
}

describe("code in TypeScript", () => {
  beforeAll(install, 400_000);

  test.each([
    ["with nextjs-auth0 3.7", ""],
    ["after the move by the guide", commandsOfGuide()],
  ])("compiles %s", (_, commands) => {
    const folder = path.join(work, "typescript");
    rmSync(folder, { recursive: true, force: true });
    cpSync(path.join(samples, "typescript"), folder, { recursive: true });
    cpSync(path.join(samples, "environment.txt"), path.join(folder, ".env.local"));
    execFileSync("sh", ["-ec", commands], { cwd: folder });
    const sources = readdirSync(folder).filter((file) => file.endsWith(".ts"));
    const files = sources.map((file) => path.join(folder, file));
    const options = "--strict --noEmit --skipLibCheck --ignoreConfig --target ES2022 --types node";
    const modules = "--module esnext --moduleResolution bundler --lib dom,dom.iterable,esnext";
    const given = [...`${options} ${modules}`.split(" "), ...files];
    const { status, stdout } = spawnSync("tsc", given, { cwd: root, encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });
});

describe("the package in a bundle for another runtime than Node.js", () => {
  beforeAll(install, 400_000);

  test.each(["edge-light", "browser"])("has its names and says what to change: %s", (condition) => {
    const run = (code: string, ...conditions: readonly string[]) =>
      spawnSync("node", [...conditions, "--input-type=module", "--eval", code], {
        cwd: work,
        encoding: "utf8",
      });
    const names = `console.log(Object.keys(await import("@latchkey/nextjs-auth0")).join())`;
    const expected = run(names).stdout;
    expect(expected).toContain("withPageAuthRequired");
    expect(run(names, `--conditions=${condition}`).stdout).toBe(expected);
    const call = `(await import("@latchkey/nextjs-auth0")).withPageAuthRequired()`;
    const { stderr } = run(call, `--conditions=${condition}`);
    expect(stderr).toContain("UserProvider, useUser and withPageAuthRequired from @latchkey");
  });
});

describe.each(kinds)("an app on nextjs-auth0 3.7, moved by the guide: %s", (kind) => {
  let sample: Sample;
  let chrome: Chromium;
  let ada: Browser;

  beforeAll(async () => {
    install();
    sample = await buildSample(kind);
    const found = await findBrowser();
    chrome = await chromium.launch({ ...found, args: ["--no-sandbox"] });
    await sample.run("before");
    ada = createBrowser(sample.baseURL);
  }, 400_000);

  afterAll(async () => {
    await chrome?.close();
    await sample?.close();
  });

  test("users stay signed in when the app moves, and when it goes back", async () => {
    const page = await ada.signIn("/api/auth/login");
    expect(page.text).toContain("Profile of Ada Okafor, no theme");
    await sample.run("after");
    expect((await ada.request("/profile")).text).toContain("Profile of Ada Okafor, no theme");
    const body = JSON.stringify({ theme: "dark" });
    const headers = { "content-type": "application/json" };
    const changed = await ada.request("/api/theme", { method: "POST", body, headers });
    expect([changed.status, changed.text]).toEqual([200, body]);
    expect((await ada.request("/profile")).text).toContain("Profile of Ada Okafor, dark");
    await sample.run("before");
    expect((await ada.request("/profile")).text).toContain("Profile of Ada Okafor, dark");
    await sample.run("after");
  });

  test("a page redirects to login and back, and the handlers use their options", async () => {
    const browser = createBrowser(sample.baseURL);
    const redirect = await browser.request("/profile");
    expect(redirect.location).toBe(`${sample.baseURL}/api/auth/login?returnTo=%2Fprofile`);
    const page = await browser.signIn("/profile");
    expect(page.text).toContain(`Profile of Ada Okafor, no theme, ${callbacks[kind]}`);
  });

  test("an API route responds 401 without a session, and has an access token with one", async () => {
    const stranger = await createBrowser(sample.baseURL).request("/api/orders");
    expect([stranger.status, JSON.parse(stranger.text)]).toEqual([
      401,
      {
        error: "not_authenticated",
        description: "The user does not have an active session or is not authenticated",
      },
    ]);
    expect(JSON.parse((await ada.request("/api/orders")).text)).toEqual({ hasToken: true });
  });

  test("the app's response to an error of the access token stays as it is", async () => {
    const stranger = await createBrowser(sample.baseURL).request("/api/token");
    expect([stranger.status, stranger.text]).toEqual([500, '{"code":"ERR_MISSING_SESSION"}']);
  });

  test("the middleware guards the paths of its matcher", async () => {
    const redirect = await createBrowser(sample.baseURL).request("/admin?tab=2");
    expect(redirect.location).toBe(`${sample.baseURL}/api/auth/login?returnTo=%2Fadmin%3Ftab%3D2`);
    const page = await ada.request("/admin");
    expect(page.text).toContain("Admin");
    expect(page.headers.get("x-middleware-of-app")).toBe(kind === "app-router" ? "/admin" : null);
    const seen = kind === "app-router" ? [] : ["seen-by-app"];
    for (const { headers } of [redirect, page]) {
      const names = headers.getSetCookie().map((line) => line.split("=", 1)[0]);
      expect(names.filter((name) => name?.startsWith("seen"))).toEqual(seen);
    }
  });

  test("the middleware passes nothing below the auth prefix to a catch-all page", async () => {
    await sample.run("after");
    const buildID = readFileSync(path.join(work, kind, "after/.next/BUILD_ID"), "utf8");
    const stranger = createBrowser(sample.baseURL);
    expect((await stranger.request("/other/page")).text).toContain("Any other page");
    const paths = [
      "/api/auth/x/y",
      "/api/auth/..;/..;/private",
      "/api/auth/..%2f..%2fadmin",
      "/api/auth/x%2fy/z",
      `/_next/data/${buildID}/api/auth/x/y.json`,
    ];
    for (const address of paths) {
      const { status, text } = await stranger.request(address, {
        headers: { "x-nextjs-data": "1" },
      });
      expect.soft(text, address).not.toContain("Any other page");
      expect.soft(status, address).toBeLessThan(500);
    }
  });

  test("a handler with options of its own responds at its own address", async () => {
    const redirect = await createBrowser(sample.baseURL).request("/api/auth/signup");
    const location = new URL(redirect.location);
    const { searchParams } = location;
    expect([
      location.origin,
      searchParams.get("screen_hint"),
      searchParams.get("audience"),
      searchParams.get("max_age"),
    ]).toEqual([new URL(sample.provider.issuer).origin, "signup", "https://api.example", "3600"]);
    expect((await ada.request("/api/auth/nothing")).status).toBe(404);
  });

  test.each(["before", "after"] as const)(
    "the app handles a refused sign-in %s the move",
    async (which) => {
      await sample.run(which);
      const browser = createBrowser(sample.baseURL);
      const { location } = await browser.request("/api/auth/login");
      const response = new URLSearchParams({
        error: "access_denied",
        error_description: "not on the list",
        state: new URL(location).searchParams.get("state") ?? "",
        iss: sample.provider.issuer,
      });
      const refused = await browser.request(`${callbacks[kind]}?${response}`);
      expect([refused.status, JSON.parse(refused.text)]).toEqual([
        400,
        {
          code: "ERR_CALLBACK_HANDLER_FAILURE",
          isOfCallback: true,
          reason: "access_denied",
          errorDescription: "not on the list",
        },
      ]);
      const stray = await createBrowser(sample.baseURL).request(
        `${callbacks[kind]}?state=a&code=b`,
      );
      expect([stray.status, JSON.parse(stray.text)]).toEqual([
        400,
        { code: "ERR_CALLBACK_HANDLER_FAILURE", isOfCallback: true },
      ]);
    },
  );

  test.each(["before", "after"] as const)(
    "afterCallback can deny a sign-in %s the move",
    async (which) => {
      await sample.run(which);
      const ben = createBrowser(sample.baseURL);
      const callback = await ben.untilCallback("/api/auth/login", "person-ben");
      const denied = await ben.request(callback.address, callback.init);
      const isPages = kind === "pages-router";
      expect([denied.status, denied.location, denied.text]).toEqual(
        isPages ? [401, "", "Ben may not sign in"] : [302, `${sample.baseURL}/?denied`, ""],
      );
      expect((await ben.request("/api/auth/me")).status).toBe(204);
      const clara = createBrowser(sample.baseURL);
      const page = await clara.signIn("/api/auth/login", "person-clara");
      expect(page.url.pathname + page.url.search).toBe(isPages ? "/?welcome" : "/profile");
      expect((await clara.request("/api/auth/me")).status).toBe(200);
    },
  );

  test.each(["before", "after"] as const)(
    "afterCallback runs if the address ends in a slash %s the move",
    async (which) => {
      await sample.run(which);
      const ben = createBrowser(sample.baseURL);
      const { address, init } = await ben.untilCallback("/api/auth/login", "person-ben");
      await ben.request(address.replace("/callback?", "/callback/?"), init);
      expect((await ben.request("/api/auth/me")).status).toBe(204);
      const page = await createBrowser(sample.baseURL).signIn("/api/auth/login/");
      expect(page.url.pathname).toBe("/profile");
    },
  );

  test("the log names a variable without a counterpart, and no other", async () => {
    await sample.run("after");
    await createBrowser(sample.baseURL).request("/api/auth/me");
    const warned = sample.output().match(/LATCHKEY_LOGOUT .*/g);
    expect(warned).toEqual([expect.stringMatching(/^LATCHKEY_LOGOUT has no counterpart .*Delete/)]);
  });

  test("logout lands at home, signed out", async () => {
    const browser = createBrowser(sample.baseURL);
    await browser.signIn("/profile");
    const page = await browser.open("/api/auth/logout");
    expect([page.url.href, page.status]).toEqual([`${sample.baseURL}/`, 200]);
    expect((await browser.request("/profile")).status).toBeGreaterThan(300);
  });

  test("useUser shows the user, and the console stays empty", async () => {
    const page = await chrome.newPage({ baseURL: sample.baseURL });
    const console: string[] = [];
    page.on("console", (message) => console.push(message.text()));
    await page.goto("/");
    await page.getByText("Welcome stranger").waitFor();
    await page.goto("/profile");
    await page.getByRole("button", { name: "Ada Okafor" }).click();
    await page.getByText("Profile of Ada Okafor").waitFor();
    await page.goto("/");
    await page.getByText("Welcome Ada Okafor").waitFor();
    expect(console).toEqual([]);
  });
});
