import type { ConfigFault } from "latchkey";

import type { Site } from "../components/page-frame.tsx";

/** What the app reads from the environment for itself; the engine reads the rest. */
export interface AppSettings {
  readonly host: string;
  readonly port: number;
  readonly baseURL: string;
  /** Production hides from visitors what only operators should know. */
  readonly production: boolean;
  readonly logLevel: string;
  readonly names: Pick<Site, "app" | "provider" | "providerURL" | "support">;
  /** Origins that pictures of people may come from; none by default, then initials are shown. */
  readonly pictureSources: readonly string[];
}

/** The `LATCHKEY_` variables that the engine does not read: those of this app, and of the local provider. */
export const appVariables: readonly string[] = [
  "LATCHKEY_APP_NAME",
  "LATCHKEY_LOG_LEVEL",
  "LATCHKEY_PICTURE_SOURCES",
  "LATCHKEY_PROVIDER_*",
  "LATCHKEY_SUPPORT_NAME",
  "LATCHKEY_SUPPORT_URL",
];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `PORT`, `HOST`, `NODE_ENV`, and what the pages are to be called. Never throws: faults are told together
 * with those of the engine.
 */
export function readAppSettings(environment: Environment): {
  readonly settings: AppSettings;
  readonly faults: readonly ConfigFault[];
} {
  const port = Number(textOf(environment, "PORT") ?? 3000);
  const isPort = Number.isInteger(port) && port >= 0 && port < 65_536;
  const pictureSources = (textOf(environment, "LATCHKEY_PICTURE_SOURCES") ?? "")
    .split(/\s+/)
    .filter((source) => URL.canParse(source))
    .map((source) => new URL(source).origin);
  const settings = {
    host: textOf(environment, "HOST") ?? "localhost",
    port: isPort ? port : 3000,
    baseURL: textOf(environment, "LATCHKEY_BASE_URL") ?? `http://localhost:${port}`,
    production: environment["NODE_ENV"] === "production",
    logLevel: textOf(environment, "LATCHKEY_LOG_LEVEL") ?? "info",
    names: namesOf(environment),
    pictureSources,
  };
  return { settings, faults: isPort ? [] : [portFault(environment["PORT"])] };
}

function portFault(seen: string | undefined): ConfigFault {
  return {
    option: "port",
    variable: "PORT",
    message: "must be a whole number from 0 to 65535",
    ...(seen === undefined ? {} : { seen }),
    remedy: "Change PORT, or leave it out for 3000.",
  };
}

function namesOf(environment: Environment): AppSettings["names"] {
  const support = textOf(environment, "LATCHKEY_SUPPORT_NAME");
  const supportURL = webAddress(textOf(environment, "LATCHKEY_SUPPORT_URL"));
  const providerURL = webAddress(textOf(environment, "LATCHKEY_PROVIDER_URL"));
  return {
    app: textOf(environment, "LATCHKEY_APP_NAME") ?? "Latchkey",
    provider: textOf(environment, "LATCHKEY_PROVIDER_NAME") ?? hostOf(environment),
    ...(providerURL === undefined ? {} : { providerURL }),
    ...(support === undefined
      ? {}
      : { support: { name: support, ...(supportURL === undefined ? {} : { url: supportURL }) } }),
  };
}

/** The provider without a name is called by its host; on this very machine it is the local one. */
function hostOf(environment: Environment): string {
  const issuer = environment["LATCHKEY_ISSUER_BASE_URL"] ?? "";
  if (!URL.canParse(issuer)) return "your sign-in provider";
  const { host, hostname } = new URL(issuer);
  return hostname === "localhost" ? "Local test provider" : host;
}

function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return ["https:", "http:", "mailto:"].includes(protocol) ? href : undefined;
}

function textOf(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === "" ? undefined : text;
}
