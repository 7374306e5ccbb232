import { execFileSync } from "node:child_process";
import path from "node:path";
import { type RunningProvider, startProvider } from "@latchkey/provider";

import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { startApp } from "../suite/app-process.ts";
import { clientSettings } from "../suite/client-settings.ts";

/** An app in a folder of this host, which has a provider of its own. */
export interface NextApp {
  readonly baseURL: string;
  readonly provider: RunningProvider;
  /** What the app has written so far. */
  output(): string;
  close(): Promise<void>;
}

export interface NextAppSettings {
  readonly basePath?: string;
  /** As `LATCHKEY_PUBLIC_PATHS`. */
  readonly publicPaths: string;
  /** A path for Ada only. */
  readonly onlyForAda: string;
}

/** Builds the app without any setting, and serves the build. */
export async function buildAndStart(
  name: string,
  { basePath = "", publicPaths, onlyForAda }: NextAppSettings,
): Promise<NextApp> {
  const folder = path.join(import.meta.dirname, name);
  execFileSync("node", ["--run", "build"], {
    cwd: folder,
    stdio: "pipe",
    env: { ...process.env, NODE_ENV: "production", BASE_PATH: basePath },
  });
  const port = await freePort();
  const baseURL = `http://localhost:${port}${basePath}`;
  const provider = await startProvider({ appURL: baseURL });
  const app = await startApp(folder, port, {
    ...clientSettings(baseURL, provider),
    BASE_PATH: basePath,
    LATCHKEY_PUBLIC_PATHS: publicPaths,
    LATCHKEY_ACCESS_RULES: JSON.stringify({ [onlyForAda]: { claim: { name: "Ada Okafor" } } }),
  });
  return {
    baseURL,
    provider,
    output: () => app.output(),
    async close() {
      await Promise.all([app.stop(), provider.close()]);
    },
  };
}
