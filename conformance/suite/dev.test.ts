import { type RunningProvider, startProvider } from "@latchkey/provider";
import type { Page } from "@playwright/test";
import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { freePort } from "../../tools/start/ports.ts";
import { type AppProcess, startApp } from "./app-process.ts";
import { choosePerson, expectText, sharedChromium, untilHydrated } from "./browser-window.ts";
import { host, hostFolder } from "./world.ts";
import { publicVariable } from "./rows/world.ts";

const { hotReload = { page: "", auth: "" } } = host;

/** A copy of the example, which the test may edit; what is installed lies in the folder above. */
const copy = path.join(hostFolder, ".hot-reload");

function copyExample(): void {
  rmSync(copy, { recursive: true, force: true });
  const made = /^(?:node_modules|dist|build|\..*)$|\.test\.ts$/;
  for (const name of readdirSync(hostFolder).filter((each) => !made.test(each))) {
    cpSync(path.join(hostFolder, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(hostFolder, "node_modules"), path.join(copy, "node_modules"), "dir");
}

/** In one step, as editors do: the dev server must not read half a file. */
function edit(file: string, change: (text: string) => string): void {
  const place = path.join(copy, file);
  const written = path.join(copy, ".written");
  writeFileSync(written, change(readFileSync(place, "utf8")));
  renameSync(written, place);
}

/** The page may have been edited while its client was still being loaded. */
async function reloadUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await isSo()) return true;
        await page.reload({ waitUntil: "load" });
        return isSo();
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(true);
}

describe(`the dev server of ${host.title}`, () => {
  let app: AppProcess;
  let provider: RunningProvider;
  let baseURL = "";
  const newWindow = sharedChromium();

  beforeAll(async () => {
    copyExample();
    const port = await freePort();
    baseURL = `http://localhost:${port}`;
    provider = await startProvider({ appURL: baseURL });
    const [client] = provider.clients;
    app = await startApp(
      copy,
      port,
      {
        NODE_ENV: "development",
        LATCHKEY_BASE_URL: baseURL,
        LATCHKEY_ISSUER_BASE_URL: provider.issuer,
        LATCHKEY_CLIENT_ID: client?.id ?? "",
        LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
        LATCHKEY_SECRET: "a-secret-of-the-conformance-suite-0123456789",
        LATCHKEY_STORE: "memory:",
        LATCHKEY_SESSION_STATEFUL: "true",
        ...publicVariable(host),
      },
      "dev",
    );
  });

  afterAll(async () => {
    await app?.stop();
    await provider?.close();
    rmSync(copy, { recursive: true, force: true });
  });

  test("a session in memory survives an edit of a page, and of the file that makes the sign-in [AD-038]", async () => {
    const { page } = await newWindow();
    await page.goto(`${baseURL}/private`);
    await choosePerson(page);
    await expectText(page, "Private page of Ada Okafor");
    await untilHydrated(page);

    edit(hotReload.page, (text) => text.replace("Private page of", "Edited page of"));
    await reloadUntil(page, () => page.getByText("Edited page of Ada Okafor").isVisible());

    edit(hotReload.auth, (text) => `${text}\nconsole.log("made again");\n`);
    await reloadUntil(page, () => app.output().includes("made again"));
    await page.reload();
    await expectText(page, "Edited page of Ada Okafor");
    const signIns = provider.requests.filter(({ path: asked }) => asked === "/token");
    expect(signIns).toHaveLength(1);
  });
});
