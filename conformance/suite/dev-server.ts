import { type RunningProvider, startProvider } from "@latchkey/provider";

import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { startApp } from "./app-process.ts";
import { clientSettings } from "./client-settings.ts";
import { copyExample, type ExampleCopy } from "./example-copy.ts";
import { mountPages } from "./mount-pages.ts";
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

interface DevServerSettings {
  /** `/shop` serves the example there. */
  readonly basePath?: "" | "/shop";
  /** Variables other than the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the example has the pages of `@latchkey/pages`. */
  readonly hasPages?: boolean;
}

export async function startDevServer(settings: DevServerSettings = {}): Promise<DevServer> {
  const { basePath = "", environment = {}, hasPages = false } = settings;
  const { inCopies = [], belowShop = [] } = host;
  const additions = basePath === "" ? inCopies : [...inCopies, ...belowShop];
  const copy = copyExample(hostFolder, `.dev${basePath.replace("/", "-")}`, additions);
  const { edit, folder, remove } = copy;
  if (hasPages) mountPages(copy);

  const port = await freePort();
  const baseURL = `http://localhost:${port}${basePath}`;
  const provider = await startProvider({ appURL: baseURL });
  const variables = { ...environmentOf(baseURL, provider), ...environment };
  const app = await startApp(folder, port, variables, "dev");
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
