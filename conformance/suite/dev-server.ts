import { type RunningProvider, startProvider } from "@latchkey/provider";

import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { startApp } from "./app-process.ts";
import { clientSettings } from "./client-settings.ts";
import { copyExample, type ExampleCopy } from "./example-copy.ts";
import { publicVariable } from "./rows/world.ts";
import { host, hostFolder } from "./world.ts";

/** The framework's server for development with a copy of the example, which may be edited. */
export interface DevServer extends Pick<ExampleCopy, "edit"> {
  readonly baseURL: string;
  readonly provider: RunningProvider;
  /** What it has written so far. */
  output(): string;
  close(): Promise<void>;
}

/** @param basePath - `/shop` serves the example there */
export async function startDevServer(basePath: "" | "/shop" = ""): Promise<DevServer> {
  const { devServer: { always = [] } = {}, belowShop = [] } = host;
  const additions = basePath === "" ? always : [...always, ...belowShop];
  const { edit, folder, remove } = copyExample(
    hostFolder,
    `.dev${basePath.replace("/", "-")}`,
    additions,
  );

  const port = await freePort();
  const baseURL = `http://localhost:${port}${basePath}`;
  const provider = await startProvider({ appURL: baseURL });
  const app = await startApp(folder, port, environmentOf(baseURL, provider), "dev");
  return {
    baseURL,
    provider,
    edit,
    output: app.output,
    async close() {
      await Promise.all([app.stop(), provider.close()]);
      remove();
    },
  };
}

function environmentOf(baseURL: string, provider: RunningProvider): Record<string, string> {
  return {
    NODE_ENV: "development",
    ...clientSettings(baseURL, provider),
    LATCHKEY_STORE: "memory:",
    LATCHKEY_SESSION_STATEFUL: `${host.devServer?.losesMemory !== true}`,
    ...publicVariable(host),
  };
}
