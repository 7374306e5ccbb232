import { execFileSync } from "node:child_process";
import path from "node:path";
import { type RunningProvider, startProvider } from "@latchkey/provider";

import { freePort } from "../../tools/start/ports.ts";
import { startApp } from "../suite/app-process.ts";

/** An app in a folder of this host, which has a provider of its own. */
export interface NextApp {
  readonly baseURL: string;
  readonly provider: RunningProvider;
  close(): Promise<void>;
}

export interface NextAppSettings {
  readonly basePath?: string;
  /** As `LATCHKEY_PUBLIC_PATHS`. */
  readonly publicPaths: string;
}

/** Builds the app without any setting, and serves the build. */
export async function buildAndStart(
  name: string,
  { basePath = "", publicPaths }: NextAppSettings,
): Promise<NextApp> {
  const folder = path.join(import.meta.dirname, name);
  execFileSync("node", ["--run", "build"], {
    cwd: folder,
    stdio: "pipe",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const port = await freePort();
  const baseURL = `http://localhost:${port}${basePath}`;
  const provider = await startProvider({ appURL: baseURL });
  const [client] = provider.clients;
  const app = await startApp(folder, port, {
    LATCHKEY_BASE_URL: baseURL,
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: client?.id ?? "",
    LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
    LATCHKEY_SECRET: "a-secret-of-the-conformance-suite-0123456789",
    LATCHKEY_PUBLIC_PATHS: publicPaths,
  });
  return {
    baseURL,
    provider,
    async close() {
      await Promise.all([app.stop(), provider.close()]);
    },
  };
}
