/** `npm run provider`: the local provider alone, for the tests of other applications. */
import path from "node:path";
import { compile } from "../start/build.ts";
import { createDevProcesses, providerProcess } from "../start/dev-processes.ts";
import { portFault } from "../start/ports.ts";
import {
  customersOf,
  loadEnvironmentFiles,
  localSecrets,
  providerStart,
} from "../start/settings.ts";
import { onShutdown } from "../on-shutdown.mjs";

const root = path.join(import.meta.dirname, "../..");

async function main(): Promise<void> {
  loadEnvironmentFiles(root);
  const dataFolder = path.resolve(root, ".data");
  const environment = process.env;
  const provider = providerStart(
    environment,
    dataFolder,
    environment["LATCHKEY_PROVIDER_CLIENT_ID"] || "latchkey-local",
    environment["LATCHKEY_PROVIDER_CLIENT_SECRET"] || localSecrets(dataFolder).client,
    environment["LATCHKEY_PROVIDER_APP_URL"] || "http://localhost:3000",
  );
  const fault = await portFault(provider.port, "LATCHKEY_PROVIDER_PORT");
  if (fault) throw new Error(fault);
  compile(root, "packages/provider");

  const processes = createDevProcesses(root, (sentence) => {
    console.error(sentence);
    process.exit(1);
  });
  onShutdown(
    () => void processes.stop().then(() => process.exit(0)),
    () => void processes.stop("SIGKILL").then(() => process.exit(1)),
  );
  const customers: Record<string, string> = {};
  await processes.start(providerProcess(root, { ...environment, ...provider.env }, customers));
  announce({
    ...customersOf(customers),
    LATCHKEY_BASE_URL: provider.env["LATCHKEY_PROVIDER_APP_URL"],
    LATCHKEY_ISSUER_BASE_URL: provider.url,
    LATCHKEY_CLIENT_ID: provider.env["LATCHKEY_PROVIDER_CLIENT_ID"],
    LATCHKEY_CLIENT_SECRET: provider.env["LATCHKEY_PROVIDER_CLIENT_SECRET"],
    LATCHKEY_SECRET: localSecrets(dataFolder).session,
    LATCHKEY_STORE: "memory:",
    LATCHKEY_BACKCHANNEL_LOGOUT: "true",
  });
}

/** The secrets are of this machine, and good for nothing else. */
function announce(variables: Readonly<Record<string, string | undefined>>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  console.log(
    `The local OpenID provider, for development on this machine only, is ready.\n` +
      `The variables of your application, for its .env.local:\n\n${lines.join("\n")}\n`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
