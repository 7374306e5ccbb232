/**
 * `npm start`: builds what changed, then starts the application and, if needed, the provider.
 */
import path from "node:path";
import { buildWhatChanged } from "./build.ts";
import { appProcess, createDevProcesses, providerProcess } from "./dev-processes.ts";
import { portFault } from "./ports.ts";
import { customersOf, loadEnvironmentFiles, localSecrets, startSettings } from "./settings.ts";
import { onShutdown } from "../on-shutdown.mjs";

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

  const processes = createDevProcesses(root, (sentence) => {
    console.error(`${sentence} The rest ends with it.`);
    void processes.stop().then(() => process.exit(1));
  });
  onShutdown(
    () => void processes.stop().then(() => process.exit(0)),
    () => void processes.stop("SIGKILL").then(() => process.exit(1)),
  );
  try {
    const customers: Record<string, string> = {};
    if (provider) {
      const env = { ...process.env, ...provider.env };
      await processes.start(providerProcess(root, env, customers));
    }
    // The sample users have portraits.
    const pictures = provider && { LATCHKEY_PICTURE_SOURCES: provider.url };
    await processes.start(
      appProcess(root, { ...pictures, ...customersOf(customers), ...process.env, ...settings.app }),
    );
  } catch (error) {
    await processes.stop();
    throw error;
  }
  if (provider) announceProvider(provider.url, process.env["LATCHKEY_PROVIDER_AS"]);
  console.log(`Latchkey is ready: open ${settings.baseURL.replaceAll(" ", ", or ")}`);
}

async function refuseTakenPorts(ports: readonly (readonly [number, string])[]): Promise<void> {
  for (const [port, variable] of ports) {
    const fault = await portFault(port, variable);
    if (fault) throw new Error(fault);
  }
}

function announceProvider(url: string, customers = ""): void {
  console.log(
    `No provider is set (LATCHKEY_ISSUER_BASE_URL), so a local one with sample users runs at\n` +
      `${url}. It is for development on this machine only.`,
  );
  if (customers !== "") console.log(`It plays the providers of customers, too: ${customers}.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
