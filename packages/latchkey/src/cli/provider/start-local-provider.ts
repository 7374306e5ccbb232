import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { dataFolder, type LocalVariables, wordsOf } from "./local-settings.ts";

/** A local provider, and what an app sets to sign in there. */
export interface LocalProvider {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** An API that the provider issues access tokens for (RFC 8707). */
export interface Resource {
  readonly identifier: string;
  readonly scopes: readonly string[];
}

/** Of one local provider. */
export interface Start {
  /** The folder of the app, which has installed the provider. */
  readonly folder: string;
  readonly port: number;
  readonly app: LocalVariables;
  /** Path of the routes of sign-in; the usual one by default. */
  readonly routesPrefix: string | undefined;
  readonly resources: readonly Resource[];
  /** The customers to play beside it, each with an issuer of its own. */
  readonly customers: readonly string[];
}

type StartSettings = Readonly<Record<string, unknown>>;

/** What this command uses of `@latchkey/provider`. */
interface ProviderModule {
  startProvider(settings: StartSettings): Promise<Omit<LocalProvider, "variables">>;
  /** Absent in a former version. */
  startCustomers?(names: readonly string[], settings: StartSettings): Promise<LocalProvider>;
}

/** @throws Error with one sentence if the provider is missing, or cannot start */
export async function startLocalProvider(start: Start): Promise<LocalProvider> {
  const { folder, port, app, customers, resources } = start;
  const provider = await loadProvider(folder);
  const settings = {
    port,
    appURL: wordsOf(app.LATCHKEY_BASE_URL),
    routesPrefix: start.routesPrefix,
    clientID: app.LATCHKEY_CLIENT_ID,
    clientSecret: app.LATCHKEY_CLIENT_SECRET,
    resources,
    dataFolder: path.join(folder, dataFolder, "provider"),
  };
  try {
    if (customers.length > 0) return await startCustomers(provider, customers, settings, app);
    return { ...(await provider.startProvider(settings)), variables: { ...app } };
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    throw new Error(
      `Port ${port} is taken. Stop what uses it, or choose one with --port or LATCHKEY_PROVIDER_PORT.`,
      { cause: error },
    );
  }
}

async function startCustomers(
  provider: ProviderModule,
  names: readonly string[],
  settings: StartSettings,
  app: LocalVariables,
): Promise<LocalProvider> {
  if (provider.startCustomers === undefined) {
    throw new Error(
      "The installed @latchkey/provider plays one customer only. Install the version of latchkey.",
    );
  }
  const started = await provider.startCustomers(names, settings);
  return { ...started, variables: { ...app, ...started.variables } };
}

/** The provider is a package of its own, which apps install for development. */
async function loadProvider(folder: string): Promise<ProviderModule> {
  let file: string;
  try {
    file = createRequire(path.join(folder, "package.json")).resolve("@latchkey/provider");
  } catch (error) {
    throw new Error(
      "The local provider is not installed. Run: npm install --save-dev @latchkey/provider",
      { cause: error },
    );
  }
  return import(pathToFileURL(file).href);
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
