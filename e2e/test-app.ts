/**
 * Starts the built application and the local provider for a story, with new data and free ports.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base } from "@playwright/test";
import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import { sampleUsers } from "@latchkey/provider";
import { appProcess, createDevProcesses, providerProcess } from "../tools/start/dev-processes.ts";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";
import { startSettings } from "../tools/start/settings.ts";

export { expect } from "@playwright/test";

export interface TestApp {
  /** Base URL of the application. */
  readonly url: string;
  /** Issuer of the local provider. */
  readonly providerURL: string;
  /** Stops the application, by default with `SIGTERM`, and starts it again with the same data. */
  restartApp(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  close(): Promise<void>;
}

const root = path.join(import.meta.dirname, "..");

/** @param settings - variables in addition to those of `npm start` */
export async function startTestApp(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "latchkey-story-"));
  const clean = environmentWithoutSettings();
  const [appPort, providerPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(appPort), LATCHKEY_PROVIDER_PORT: String(providerPort) };
  const secrets = () => ({ session: newSecret(), client: newSecret() });
  const start = startSettings({ ...ports, ...settings }, dataFolder, secrets);
  const processes = createDevProcesses(root, (sentence) => console.error(sentence));
  if (start.provider) {
    await processes.start(providerProcess(root, { ...clean, ...start.provider.env }));
  }
  const own = { LATCHKEY_SECRET: newSecret(), ...settings };
  const app = { ...appProcess(root, { ...clean, ...own, ...start.app }), quiet: true };
  let stopApp = await processes.start(app);

  return {
    url: start.baseURL,
    providerURL: start.app.LATCHKEY_ISSUER_BASE_URL ?? "",
    async restartApp(signal) {
      await stopApp(signal);
      stopApp = await processes.start(app);
    },
    async close() {
      await processes.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/**
 * Signs a sample person in with clicks.
 *
 * @param person - full name, e.g. "Ada Okafor"
 * @param from - a page with the link "Sign in", or a protected page
 */
export async function signIn(page: Page, person: string, from = "/"): Promise<void> {
  await page.goto(from);
  const link = page.getByRole("link", { name: "Sign in", exact: true }).first();
  if (await link.isVisible()) await link.click();
  await page.getByRole("button", { name: person }).click();
}

/**
 * Signs a sample person in without a page, at the provider too. For stories about a later moment.
 */
export async function enter(
  context: BrowserContext,
  testApp: Pick<TestApp, "url">,
  person: string,
): Promise<void> {
  const sub = sampleUsers.find(({ name }) => name === person)?.sub ?? "";
  const login = await context.request.get(`${testApp.url}/api/auth/login?returnTo=/account`);
  const answer = await context.request.post(login.url(), { form: { person: sub } });
  if (answer.url() !== `${testApp.url}/account`) throw new Error(`Sign-in led to ${answer.url()}`);
}

/** Signs a sample person in on one more device, and returns a blank page of it. */
export async function signInOnDevice(
  browser: Browser,
  testApp: Pick<TestApp, "url">,
  person: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: testApp.url, ...options });
  await enter(context, testApp, person);
  return context.newPage();
}

/** The button of the account menu. A `<summary>` has no role of its own. */
export function accountMenu(page: Page): Locator {
  return page.locator("summary.lk-trigger");
}

/**
 * `test` of every story in `npm test`: one with other fixtures of its worker would start a browser
 * of its own. The application starts with the first story that names it or has a `page`.
 */
export const test = base.extend<object, { testApp: TestApp }>({
  testApp: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names in it
    async ({}, use) => {
      const testApp = await startTestApp();
      await use(testApp);
      await testApp.close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ testApp }, use) => use(testApp.url),
});

function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("LATCHKEY_"));
  return Object.fromEntries(entries);
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
