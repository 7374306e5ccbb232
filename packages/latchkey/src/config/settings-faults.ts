import * as v from "valibot";

import type { ConfigFault } from "../errors/config-error.ts";
import { nearestName } from "./nearest-name.ts";
import { remedyForRemoved } from "./removed-settings.ts";
import { isSecretOption, settingDefinitions, variableOf } from "./setting-definitions.ts";
import type { connectionSchema, settingsSchema } from "./settings-schema.ts";

type Issue = v.InferIssue<typeof settingsSchema> | v.InferIssue<typeof connectionSchema>;

/** The option of a fault of all options together. */
export const wholeOptions = "options";

/** The expected value, for a developer new to a setting; `.*` for each item of a list. */
const valuesToSet: Readonly<Record<string, string>> = {
  secret: " to 32 random bytes, for example the output of openssl rand -base64 32",
  "secret.*": " to 32 random bytes without a space: spaces stand between several secrets",
  baseURL: " to the address at which people open the app, such as http://localhost:3000",
  issuerBaseURL:
    " to the issuer, exactly as the metadata of your provider spells it, such as https://id.example.com",
  tenants: " to ids of tenants with commas between them, or to any",
  "tenants.*": " to the id of the tenant in the Entra admin center, not to its domain",
  metadataURL:
    " to the address at which this server reads the metadata of your provider, such as https://id.example.com/.well-known/openid-configuration",
  clientID: " to the client ID that your provider gave this app",
  clientAssertionSigningKey:
    " to such a key; openssl pkcs8 -topk8 -nocrypt makes PKCS #8 of another PEM",
  clientAssertionSigningAlg: " to the algorithm of your key, such as RS256, PS256 or ES256",
  idTokenSigningAlg:
    " to the algorithm with which your provider signs ID tokens, such as RS256, PS256 or ES256",
  scope: " to scopes with spaces between them, such as openid profile email",
  authorizationParams: " to parameters such as audience=https://api.example.com&prompt=login",
  resources:
    " to addresses of APIs as your provider knows them, such as https://orders.example.com",
  loginParams: " to names such as login_hint,screen_hint,ui_locales",
  httpTimeout: " to a number of milliseconds, such as 5000",
  clockTolerance: " to a number of seconds, such as 60",
  identityClaimFilter: " to names of claims with commas between them, such as aud,iss,nonce",
  clientAddressHeader: " to the name of a header, such as X-Real-IP",
  "session.cookie.domain": " to a domain without scheme and port, such as app.example.com",
  "transactionCookie.domain": " to a domain without scheme and port, such as app.example.com",
  "routes.prefix": " to a path of the app, such as /api/auth",
  "routes.login": " to a path of the app, such as /login",
  "routes.callback": " to a path of the app, such as /callback",
  pagesPrefix: " to a path of the app, such as /_auth",
  publicPaths: " to paths that begin with /, such as /about or /assets/",
  returnToOrigins: " to origins such as https://wiki.example.com",
};

/** What the schema has found, in sentences for developers. */
export function faultsOfIssue(issue: Issue): readonly ConfigFault[] {
  const isUnknown = issue.type === "strict_object" && issue.expected === "never";
  return isUnknown ? unknownOptions(issue) : [faultOfIssue(issue)];
}

/** The schema reports only the first unknown option of an object. */
function unknownOptions(issue: Issue): readonly ConfigFault[] {
  const { key: first, input } = issue.path?.at(-1) ?? { key: "", input: {} };
  const group = (v.getDotPath(issue) ?? "").slice(0, -String(first).length);
  const known = settingDefinitions
    .filter(({ option }) => option.startsWith(group))
    .map(({ path }) => path[group.split(".").length - 1]);
  const unknown = Object.keys(input ?? {}).filter((name) => !known.includes(name));
  return [...new Set([String(first), ...unknown])].map((name) => ({
    option: group + name,
    variable: "",
    message: "is not an option",
    remedy: remedyFor(group + name),
  }));
}

function faultOfIssue(issue: Issue): ConfigFault {
  const option = v.getDotPath(issue) ?? wholeOptions;
  if (option === wholeOptions) return noOptions;
  // Items of a list and parameters have no variable of their own.
  const setting = option.replace(/\.\d+$|(?<=^authorizationParams)\..*$/s, "");
  const base = { option, variable: variableOf(setting) };
  const value = valuesToSet[option.replace(/\.\d+$/, ".*")] ?? valuesToSet[setting] ?? "";
  const remedy = (verb: string) => `${verb} ${base.variable}${value}.`;
  if (issue.input === undefined) {
    return { ...base, message: "is required", remedy: remedy("Set") };
  }
  if (issue.type === "strict_object") return noObject(option, issue.message);
  const fault = { ...base, message: issue.message, remedy: remedy("Change") };
  return isSecretOption(option) ? fault : { ...fault, seen: textOf(issue.input) };
}

/** The most likely mistake: another function reads the variables. */
const noOptions: ConfigFault = {
  option: wholeOptions,
  variable: "",
  message: "must be an object of settings: createAuth() reads no variables",
  remedy:
    "Pass createAuth({ secret, baseURL, issuerBaseURL, clientID, clientSecret }), or use authFromEnvironment() of latchkey/node, which reads the LATCHKEY_ variables.",
};

function noObject(option: string, message: string): ConfigFault {
  const [inside = ""] = settingDefinitions
    .filter((each) => each.option.startsWith(`${option}.`))
    .map(({ path }) => path.at(-1));
  return { option, variable: "", message, remedy: `Pass an object of options, such as ${inside}.` };
}

function remedyFor(unknownOption: string): string {
  const removed = remedyForRemoved(unknownOption);
  if (removed !== undefined) return removed;
  const options = settingDefinitions.map(({ option }) => option);
  if (options.includes(unknownOption)) return "Write it as nested objects, without dots.";
  const named = settingDefinitions.find(({ variable }) => variable === unknownOption);
  const meant = named?.option ?? nearestName(unknownOption, options);
  return meant === undefined ? "Remove it." : `Did you mean ${meant}?`;
}

/** Returns a value as a fault shows it; `undefined` without one. */
export function textOf(input: unknown): string | undefined {
  return typeof input === "string" ? input : JSON.stringify(input);
}
