import { type ConfigFault, type Environment, optionsFromEnvironment } from "latchkey";

import type { Names } from "../../messages/words.ts";
import type { Site } from "../../components/page-frame.tsx";
import { type BrandSettings, brandVariables, readBrand } from "./brand-settings.ts";
import { type EnvironmentReader, environmentReader } from "./environment-reader.ts";
import {
  type OperationSettings,
  operationVariables,
  readOperationSettings,
} from "./operation-settings.ts";
import { withoutUserInfo } from "../../pages/setup/without-user-info.ts";

/** Every variable that the application itself reads; the engine reads the others. */
export const appVariables = [
  "HOST",
  "LATCHKEY_APP_NAME",
  "LATCHKEY_BASE_URL",
  "LATCHKEY_ISSUER_BASE_URL",
  "LATCHKEY_LOG_LEVEL",
  "LATCHKEY_PICTURE_SOURCES",
  "LATCHKEY_PROVIDER_NAME",
  "LATCHKEY_PROVIDER_URL",
  "LATCHKEY_STORE",
  "LATCHKEY_SUPPORT_NAME",
  "LATCHKEY_SUPPORT_URL",
  "PORT",
  ...brandVariables,
  ...operationVariables,
] as const;

/** Variables of the local provider, which `npm start` gives to both. */
export const providerVariables = ["LATCHKEY_PROVIDER_*"] as const;

type AppVariable = (typeof appVariables)[number];

/** What the application reads from the environment for itself. */
export interface AppSettings {
  readonly host: string;
  readonly port: number;
  readonly baseURL: string;
  /** Address of the store; `undefined` for the default one. */
  readonly store: string | undefined;
  /**
   * Production hides from visitors what only operators should know. Where neither `LATCHKEY_PRODUCTION` nor
   * `NODE_ENV` decides, whatever is reached from beyond this machine is production.
   */
  readonly production: boolean;
  readonly logLevel: string;
  readonly names: Pick<Names, "app" | "provider"> & Pick<Site, "providerURL" | "support">;
  readonly brand: BrandSettings;
  readonly operation: OperationSettings;
  /** Origins that pictures of people may come from; none by default, then initials are shown. */
  readonly pictureSources: readonly string[];
}

/**
 * Reads the application's own settings. Never throws: faults are told together with those of the engine.
 */
export function readAppSettings(environment: Environment): {
  readonly settings: AppSettings;
  readonly faults: readonly ConfigFault[];
} {
  const reader = environmentReader<AppVariable>(environment);
  const { text: read } = reader;
  const port = reader.port("PORT") ?? 3000;
  const baseURL = read("LATCHKEY_BASE_URL") ?? `http://localhost:${port}`;
  const production = isProduction(environment, baseURL);
  const { operation, faults: operationFaults } = readOperationSettings(environment, production);
  const { brand, faults: brandFaults } = readBrand(environment);
  const settings = {
    host: read("HOST") ?? "localhost",
    port,
    baseURL,
    store: read("LATCHKEY_STORE"),
    production,
    brand,
    operation,
    logLevel:
      reader.value("LATCHKEY_LOG_LEVEL", levelIn, `must be one of ${levels.join(", ")}`) ?? "info",
    names: namesFrom(reader),
    pictureSources: reader.value("LATCHKEY_PICTURE_SOURCES", originsIn, pictureSources) ?? [],
  };
  return { settings, faults: [...reader.faults, ...brandFaults, ...operationFaults] };
}

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

function levelIn(text: string): string | null {
  return levels.includes(text) ? text : null;
}

/** As sign-in itself decides; asked before its settings are known to be right. */
function isProduction(environment: Environment, baseURL: string): boolean {
  const { production } = optionsFromEnvironment(environment).options;
  return typeof production === "boolean" ? production : !isLoopback(baseURL);
}

/** Whether an address leads to this machine itself (RFC 6761, 6.3; RFC 5735, 3). */
function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

const pictureSources = "must be http or https origins, with spaces between them";

function originsIn(list: string): readonly string[] | null {
  const addresses = list.split(/\s+/).map((each) => (URL.canParse(each) ? new URL(each) : null));
  const origins = addresses.flatMap((address) => (isWeb(address) ? address.origin : []));
  return origins.length === addresses.length ? origins : null;
}

function isWeb(address: URL | null): address is URL {
  return address?.protocol === "https:" || address?.protocol === "http:";
}

const link = "must be an http or https address, or one that begins with mailto:";

function namesFrom({ text, value }: EnvironmentReader<AppVariable>): AppSettings["names"] {
  const support = text("LATCHKEY_SUPPORT_NAME");
  const supportURL = value("LATCHKEY_SUPPORT_URL", linkAddress, link);
  return {
    app: text("LATCHKEY_APP_NAME") ?? "Latchkey",
    provider: text("LATCHKEY_PROVIDER_NAME") ?? providerHost(text("LATCHKEY_ISSUER_BASE_URL")),
    providerURL: value("LATCHKEY_PROVIDER_URL", linkAddress, link),
    support: support === undefined ? undefined : { name: support, url: supportURL },
  };
}

/** A provider without a name is called by its host; the one on this machine is the local one. */
function providerHost(issuer = ""): Names["provider"] {
  if (!URL.canParse(issuer)) return { message: "provider.unknown" };
  const { host, hostname } = new URL(issuer);
  return hostname === "localhost" ? { message: "provider.local" } : host;
}

/** An address that a link may lead to, without user info: everybody can read it. */
function linkAddress(text: string): string | null {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address?.protocol === "mailto:") return address.href;
  return isWeb(address) ? withoutUserInfo(address.href) : null;
}
