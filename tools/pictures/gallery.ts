import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { appProcess, createDevProcesses } from "../start/dev-processes.ts";
import { localSecrets, startSettings } from "../start/settings.ts";

/** The running application, whose gallery has every screen. */
export interface Gallery {
  addressOf(state: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the built application as `npm start` does, with new data. The provider is only named:
 * users, times and references are those of the gallery, so a picture changes with its screen alone.
 *
 * @param root - folder of the repository
 */
export async function startGallery(root: string): Promise<Gallery> {
  const data = await mkdtemp(path.join(tmpdir(), "latchkey-pictures-"));
  const port = String(await freePort());
  const { app } = startSettings({ LATCHKEY_BASE_URL: shownAddress }, data, () =>
    localSecrets(data),
  );
  const processes = createDevProcesses(root, (sentence) => console.error(sentence));
  const env = { ...withoutSettings(process.env), ...app, PORT: port };
  await processes.start({ ...appProcess(root, env), quiet: true });
  return {
    addressOf: (state) => `http://localhost:${port}/_auth/gallery/${state}`,
    async stop() {
      await processes.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Screens name the host of the app. It is the same each time, whatever the port is. */
const shownAddress = "http://localhost:3000";

/** Settings of this machine, such as a name of the app, change nothing. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith("LATCHKEY_")),
  );
}
