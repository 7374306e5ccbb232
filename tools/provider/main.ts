/** `npm run provider`: the local provider alone, for the tests of other applications. */
import path from "node:path";
import { compile } from "../start/build.ts";
import { createDevProcesses, providerProcess } from "../start/dev-processes.ts";
import { portFault } from "../start/ports.ts";
import { loadEnvironmentFiles, localSecrets, providerStart } from "../start/settings.ts";
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
  await processes.start(providerProcess(root, { ...environment, ...provider.env }));
  announce(provider.url, provider.env);
}

function announce(url: string, env: Readonly<Record<string, string>>): void {
  const secret = process.env["LATCHKEY_PROVIDER_CLIENT_SECRET"]
    ? "LATCHKEY_PROVIDER_CLIENT_SECRET"
    : ".data/local-secrets.json";
  console.log(
    `The local OpenID provider, for development on this machine only, is ready.\n` +
      `  issuer         ${url}\n` +
      `  client         ${env["LATCHKEY_PROVIDER_CLIENT_ID"]}\n` +
      `  client secret  in ${secret}\n` +
      `  application    ${env["LATCHKEY_PROVIDER_APP_URL"]}`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
