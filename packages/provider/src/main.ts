import { customersFromEnvironment, settingsFromEnvironment } from "./environment.ts";
import type { RunningProvider } from "./index.ts";
import { startCustomers, startProvider } from "./index.ts";

/** Starts the local provider, which stops at a signal or when the parent process disconnects. */
async function main(): Promise<void> {
  const settings = {
    ...settingsFromEnvironment(process.env),
    onFault: (error: Error) =>
      console.error(`Local OpenID provider: ${error.stack ?? error.message}`),
  };
  const names = customersFromEnvironment(process.env);
  const customers = names.length > 0 ? await startCustomers(names, settings) : null;
  const provider = customers ?? (await startProvider(settings));
  stopWith(provider);
  console.log(`Local OpenID provider (not for production) on ${provider.url}`);
  process.send?.({ ready: true, variables: customers?.variables ?? {} });
}

function stopWith(provider: RunningProvider): void {
  // Ctrl-C sends a signal to this process and to its parent: both events arrive, in any order.
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void provider.close().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.once("disconnect", stop);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "EADDRINUSE") {
    const port = process.env["LATCHKEY_PROVIDER_PORT"] || "4000";
    return `Port ${port} is taken. Stop what uses it, or set LATCHKEY_PROVIDER_PORT.`;
  }
  return error.message;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
