/** `npm start`: builds what changed, then starts the application and, where needed, the provider. */
import path from "node:path";
import { buildWhatChanged } from "./build.ts";
import { appMember, openHousehold, providerMember } from "./household.ts";
import { portFault } from "./ports.ts";
import { loadEnvironmentFiles, localSecrets, startSettings } from "./settings.ts";
import { whenToldToEnd } from "../told-to-end.mjs";

const root = path.join(import.meta.dirname, "../..");

async function main(): Promise<void> {
  loadEnvironmentFiles(root);
  const dataFolder = path.resolve(root, ".data");
  const settings = startSettings(process.env, dataFolder, () => localSecrets(dataFolder));
  const { provider } = settings;
  await refuseTakenPorts([
    [settings.appPort, "PORT"],
    ...(provider ? [[provider.port, "LATCHKEY_PROVIDER_PORT"] as const] : []),
  ]);
  buildWhatChanged(root);

  const household = openHousehold(root, (sentence) => {
    console.error(`${sentence} The rest ends with it.`);
    void household.end().then(() => process.exit(1));
  });
  whenToldToEnd(() => void household.end().then(() => process.exit(0)));
  try {
    if (provider) await household.start(providerMember(root, { ...process.env, ...provider.env }));
    await household.start(appMember(root, { ...process.env, ...settings.app }));
  } catch (error) {
    await household.end();
    throw error;
  }
  if (provider) announceProvider(provider.url);
  console.log(`Latchkey is ready: open ${settings.baseURL}`);
}

async function refuseTakenPorts(ports: readonly (readonly [number, string])[]): Promise<void> {
  for (const [port, variable] of ports) {
    const fault = await portFault(port, variable);
    if (fault) throw new Error(fault);
  }
}

function announceProvider(url: string): void {
  console.log(
    `No provider is set (LATCHKEY_ISSUER_BASE_URL), so a local one with sample people runs at\n` +
      `${url}. It is for development on this machine only.`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
