import type { ClientAuthMethod, ProviderSettings, SigningAlgorithm } from "./local/settings.ts";

const authMethods: readonly ClientAuthMethod[] = [
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
];
const algorithms: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA", "HS256"];

/**
 * Reads the settings of the command from environment variables. The README lists them.
 *
 * @throws Error with one sentence and the name of the faulty variable.
 */
export function settingsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): ProviderSettings {
  const read = (name: string) => environment[`LATCHKEY_PROVIDER_${name}`] || undefined;
  const authMethod = oneOf("CLIENT_AUTH_METHOD", read("CLIENT_AUTH_METHOD"), authMethods);
  const algorithm = oneOf("ID_TOKEN_SIGNING_ALG", read("ID_TOKEN_SIGNING_ALG"), algorithms);
  const claimsIn = oneOf("CLAIMS_IN", read("CLAIMS_IN"), ["id-token", "userinfo"] as const);
  return {
    port: port(read("PORT")),
    ...set("appURL", urls("APP_URL", read("APP_URL"))),
    ...set("appName", read("APP_NAME")),
    ...set("clientID", read("CLIENT_ID")),
    ...set("clientSecret", read("CLIENT_SECRET")),
    ...set("redirectURI", url("REDIRECT_URI", read("REDIRECT_URI"))),
    dataFolder: read("DATA") ?? ".data/provider",
    ...set("claimsIn", claimsIn),
    client: { ...set("authMethod", authMethod), ...set("idTokenSigningAlg", algorithm) },
  };
}

/** Reads the names of the customers to play beside the provider's own issuer. */
export function customersFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const text = environment["LATCHKEY_PROVIDER_AS"] ?? "";
  return text.split(/[\s,]+/u).filter((name) => name !== "");
}

function port(value: string | undefined): number {
  if (value === undefined) return 4000;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  throw new Error(`LATCHKEY_PROVIDER_PORT must be a port number, got "${value}".`);
}

function url(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^https?:/u.test(URL.parse(value)?.protocol ?? "")) return value;
  throw new Error(`LATCHKEY_PROVIDER_${name} must be an http or https address, got "${value}".`);
}

/** One address, or several with spaces between them: an app may have several hosts. */
function urls(name: string, value: string | undefined): string | readonly string[] | undefined {
  const words = value?.split(/\s+/u).filter((word) => word !== "") ?? [];
  for (const word of words) url(name, word);
  return words.length > 1 ? words : words[0];
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new Error(
    `LATCHKEY_PROVIDER_${name} must be one of ${allowed.join(", ")}, got "${value}".`,
  );
}

/** An object to spread: with the setting, or empty if its value is undefined. */
function set<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  const settings: { [P in K]?: V } = {};
  if (value !== undefined) settings[name] = value;
  return settings;
}
