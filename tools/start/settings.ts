import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** What `npm start` starts, and with which environment. */
export interface StartSettings {
  readonly appPort: number;
  readonly baseURL: string;
  readonly app: Readonly<Record<string, string>>;
  /** Absent when a real provider is set. */
  readonly provider?: ProviderStart;
}

export interface ProviderStart {
  readonly port: number;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Secrets of this machine: created once, so a restart keeps people signed in. */
export interface LocalSecrets {
  readonly session: string;
  readonly client: string;
}

const secretBytes = 32;
const localClientID = "latchkey-local";

/** Loads `.env.local`, then `.env` into the environment. Existing variables stay. */
export function loadEnvironmentFiles(root: string): void {
  for (const name of [".env.local", ".env"]) {
    const file = path.join(root, name);
    if (existsSync(file)) process.loadEnvFile(file);
  }
}

/**
 * The settings of a start.
 *
 * @param secrets - called only for the local provider
 * @throws Error with the name of the variable if a port is not a port number
 */
export function startSettings(
  environment: Environment,
  dataFolder: string,
  secrets: () => LocalSecrets,
): StartSettings {
  const appPort = portFrom(environment, "PORT", 3000);
  const baseURL = environment["LATCHKEY_BASE_URL"] || `http://localhost:${appPort}`;
  const app = {
    PORT: String(appPort),
    HOST: environment["HOST"] || "localhost",
    LATCHKEY_BASE_URL: baseURL,
    LATCHKEY_STORE: environment["LATCHKEY_STORE"] || `sqlite:${dataFolder}/app/latchkey.db`,
    LATCHKEY_SESSION_STATEFUL: environment["LATCHKEY_SESSION_STATEFUL"] || "true",
  };
  if (environment["LATCHKEY_ISSUER_BASE_URL"]) return { appPort, baseURL, app };

  const local = secrets();
  const clientID = environment["LATCHKEY_CLIENT_ID"] || localClientID;
  const clientSecret = environment["LATCHKEY_CLIENT_SECRET"] || local.client;
  const start = providerStart(environment, dataFolder, clientID, clientSecret, baseURL);
  const appName = environment["LATCHKEY_APP_NAME"] || "Latchkey";
  const provider = { ...start, env: { ...start.env, LATCHKEY_PROVIDER_APP_NAME: appName } };
  const localApp = {
    LATCHKEY_ISSUER_BASE_URL: provider.url,
    LATCHKEY_CLIENT_ID: clientID,
    LATCHKEY_CLIENT_SECRET: clientSecret,
    LATCHKEY_SECRET: environment["LATCHKEY_SECRET"] || local.session,
    LATCHKEY_BACKCHANNEL_LOGOUT: environment["LATCHKEY_BACKCHANNEL_LOGOUT"] || "true",
  };
  return { appPort, baseURL, app: { ...app, ...localApp }, provider };
}

/** The local provider with one client: the application at `appURL`. */
export function providerStart(
  environment: Environment,
  dataFolder: string,
  clientID: string,
  clientSecret: string,
  appURL: string,
): ProviderStart {
  const port = portFrom(environment, "LATCHKEY_PROVIDER_PORT", 4000);
  const env = {
    LATCHKEY_PROVIDER_PORT: String(port),
    LATCHKEY_PROVIDER_CLIENT_ID: clientID,
    LATCHKEY_PROVIDER_CLIENT_SECRET: clientSecret,
    LATCHKEY_PROVIDER_APP_URL: appURL,
    LATCHKEY_PROVIDER_DATA: environment["LATCHKEY_PROVIDER_DATA"] || `${dataFolder}/provider`,
  };
  return { port, url: `http://localhost:${port}`, env };
}

/**
 * What the application sets for the customers of the local provider. It has a store, so that their
 * providers may end sessions.
 *
 * @param variables - as the provider reports them
 */
export function customersOf(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const ends = Object.keys(variables)
    .filter((name) => /^LATCHKEY_CONNECTION_.+_ISSUER_BASE_URL$/.test(name))
    .map((name) => [name.replace("ISSUER_BASE_URL", "BACKCHANNEL_LOGOUT"), "true"]);
  return { ...variables, ...Object.fromEntries(ends) };
}

/** Reads the secrets of this machine. The first call writes them, for this account only. */
export function localSecrets(dataFolder: string): LocalSecrets {
  const file = path.join(dataFolder, "local-secrets.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const secrets = { session: newSecret(), client: newSecret() };
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return secrets;
}

function newSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

function portFrom(environment: Environment, variable: string, fallback: number): number {
  const text = environment[variable] || String(fallback);
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${variable} must be a port number from 1 to 65535, not "${text}".`);
}
