import { type RunningProvider, startProvider } from "@latchkey/provider";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { freePort } from "../../packages/latchkey/test/free-port.ts";
import { startApp } from "./app-process.ts";
import { clientSettings } from "./client-settings.ts";
import { publicVariable } from "./rows/world.ts";
import { host, hostFolder } from "./world.ts";

/** The framework's server for development with a copy of the example, which may be edited. */
export interface DevServer {
  readonly baseURL: string;
  readonly provider: RunningProvider;
  /** Changes a file in one step, as editors do: nobody must read half of it. */
  edit(file: string, change: (text: string) => string): void;
  /** What it has written so far. */
  output(): string;
  close(): Promise<void>;
}

/** @param basePath - `/shop` serves the example there */
export async function startDevServer(basePath: "" | "/shop" = ""): Promise<DevServer> {
  const folder = path.join(hostFolder, `.dev${basePath.replace("/", "-")}`);
  copyExample(folder);
  const { edit } = editsIn(folder);
  const { always = [], belowShop = [] } = host.devServer ?? {};
  const changes = basePath === "" ? always : [...always, ...belowShop];
  for (const { file, behind, put } of changes)
    edit(file, (text) => text.replace(behind, behind + put));

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
      rmSync(folder, { recursive: true });
    },
  };
}

/** Packages, build output and tests are not copied: Node finds the packages in the parent folder. */
function copyExample(folder: string): void {
  const left = /^(?:node_modules|dist|build|\..*)$|\.test\.ts$/;
  rmSync(folder, { recursive: true, force: true });
  for (const name of readdirSync(hostFolder).filter((each) => !left.test(each))) {
    cpSync(path.join(hostFolder, name), path.join(folder, name), {
      recursive: true,
      filter: (from) => !left.test(path.basename(from)),
    });
  }
}

function editsIn(folder: string): Pick<DevServer, "edit"> {
  return {
    edit(file, change) {
      const place = path.join(folder, file);
      const written = path.join(folder, ".written");
      writeFileSync(written, change(existsSync(place) ? readFileSync(place, "utf8") : ""));
      renameSync(written, place);
    },
  };
}

function environmentOf(baseURL: string, provider: RunningProvider): Record<string, string> {
  return {
    NODE_ENV: "development",
    ...clientSettings(baseURL, provider),
    LATCHKEY_STORE: "memory:",
    LATCHKEY_SESSION_STATEFUL: "true",
    ...publicVariable(host),
  };
}
