import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const dist = join(root, "packages/latchkey/dist");

/** The first block of code on a page. */
export function codeOf(page: string): string {
  return /^```ts\n(.*?)^```/ms.exec(readFileSync(join(root, page), "utf8"))?.[1] ?? "";
}

/** Starts the code of a page as it stands, at this address in place of port 3000. */
export async function startSample(
  code: string,
  origin: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, "guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "app.ts");
  writeFileSync(file, code.replace(/\b3000\b/, new URL(origin).port));
  const env = {
    PATH: process.env["PATH"],
    LATCHKEY_BASE_URL: origin,
    LATCHKEY_SECRET: "a-secret-of-the-guide-0123456789abcdef",
    LATCHKEY_STORE: "memory:",
    ...variables,
  };
  const child = spawn(process.execPath, [...process.execArgv, file], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void child.kill());
  await waitForAnswer(origin);
}

async function waitForAnswer(origin: string): Promise<void> {
  for (;;) {
    try {
      await fetch(origin, { redirect: "manual" });
      return;
    } catch {
      await pause(50);
    }
  }
}
