import type { PagesSettings } from "@latchkey/pages";
import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";
import * as v from "valibot";

import { type CheckSettings, checkVariables, readCheck } from "./check-settings.ts";
import { brandVariables, readBrand } from "./brand-settings.ts";
import {
  type OperationSettings,
  operationVariables,
  readOperationSettings,
} from "./operation-settings.ts";
import { port, readVariables, text, type Values } from "./variables.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const link = v.pipe(
  v.string(),
  v.transform(linkAddress),
  v.string("must be an http or https address, or one that begins with mailto:"),
);

const variables = {
  HOST: text,
  LATCHKEY_APP_NAME: text,
  LATCHKEY_BASE_URL: text,
  LATCHKEY_LOG_LEVEL: v.picklist(levels, `must be one of ${levels.join(", ")}`),
  LATCHKEY_PICTURE_SOURCES: v.pipe(
    v.string(),
    v.transform(originsIn),
    v.array(v.string(), "must be http or https origins, with spaces between them"),
  ),
  LATCHKEY_PROVIDER_NAME: text,
  LATCHKEY_PROVIDER_URL: link,
  LATCHKEY_REQUEST_ACCESS_URL: link,
  LATCHKEY_STORE: text,
  LATCHKEY_SUPPORT_NAME: text,
  LATCHKEY_SUPPORT_URL: link,
  PORT: port,
};

/** Every variable of the application itself; the engine reads the others. */
export const appVariables = Object.keys({
  ...variables,
  ...brandVariables,
  ...operationVariables,
  ...checkVariables,
});

/** Variables of the local provider, which `npm start` gives to both. */
export const providerVariables = ["LATCHKEY_PROVIDER_*"] as const;

/** What the application reads from the environment for itself. */
export interface AppSettings {
  readonly host: string;
  readonly port: number;
  readonly baseURL: string;
  /** Address of the store; `undefined` for the default one. */
  readonly store: string | undefined;
  /**
   * Production hides details for operators from visitors. Without `LATCHKEY_PRODUCTION` and
   * `NODE_ENV`, an app that other machines can reach is in production.
   */
  readonly production: boolean;
  readonly logLevel: string;
  /** The look of pages, and what they name. */
  readonly look: PagesSettings & { readonly name: string };
  readonly operation: OperationSettings;
  /** `undefined` without other applications behind proxies. */
  readonly check: CheckSettings | undefined;
}

/**
 * Reads the application's own settings. Never throws: its faults are reported together with those
 * of the engine.
 */
export function readAppSettings(environment: Environment): {
  readonly settings: AppSettings;
  readonly faults: readonly ConfigFault[];
} {
  const { values, faults } = readVariables(environment, variables);
  const ownPort = values.PORT ?? 3000;
  const [baseURL = `http://localhost:${ownPort}`] = values.LATCHKEY_BASE_URL?.split(/\s+/) ?? [];
  const production = isProduction(environment, baseURL);
  const operations = readOperationSettings(environment, { production, port: ownPort });
  const { brand, faults: brandFaults } = readBrand(environment);
  const { health, metrics } = operations.operation;
  const ports = [ownPort, health.port, metrics.port];
  const { check, faults: checkFaults } = readCheck(environment, { baseURL, ports });
  const settings = {
    host: values.HOST ?? "localhost",
    port: ownPort,
    baseURL,
    store: values.LATCHKEY_STORE,
    production,
    look: { ...brand, ...namesFrom(values) },
    operation: operations.operation,
    check,
    logLevel: values.LATCHKEY_LOG_LEVEL ?? "info",
  };
  return { settings, faults: [...faults, ...brandFaults, ...operations.faults, ...checkFaults] };
}

/** Decides as the engine does, before its settings have been checked. */
function isProduction(environment: Environment, baseURL: string): boolean {
  const { production } = optionsFromEnvironment(environment).options;
  return typeof production === "boolean" ? production : !isLoopback(baseURL);
}

/** Whether an address leads to this machine itself (RFC 6761, 6.3; RFC 5735, 3). */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function originsIn(list: string): string[] | null {
  const addresses = list.split(/\s+/).map((each) => (URL.canParse(each) ? new URL(each) : null));
  const origins = addresses.flatMap((address) => (isWeb(address) ? address.origin : []));
  return origins.length === addresses.length ? origins : null;
}

function isWeb(address: URL | null): address is URL {
  return address?.protocol === "https:" || address?.protocol === "http:";
}

function namesFrom(values: Values<typeof variables>): AppSettings["look"] {
  const support = values.LATCHKEY_SUPPORT_NAME;
  return {
    name: values.LATCHKEY_APP_NAME ?? "Latchkey",
    provider: { name: values.LATCHKEY_PROVIDER_NAME, url: values.LATCHKEY_PROVIDER_URL },
    support:
      support === undefined ? undefined : { name: support, url: values.LATCHKEY_SUPPORT_URL },
    requestAccess: values.LATCHKEY_REQUEST_ACCESS_URL,
    pictureSources: values.LATCHKEY_PICTURE_SOURCES,
  };
}

/** The address of a link, without user info, since every visitor can read it. */
function linkAddress(given: string): string | null {
  const address = URL.parse(given);
  if (address?.protocol === "mailto:") return address.href;
  if (!isWeb(address)) return null;
  Object.assign(address, { username: "", password: "" });
  return address.href;
}
