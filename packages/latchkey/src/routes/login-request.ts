import type { Context } from "../context.ts";
import {
  isProtocolParameter,
  type LoginParams,
  loginRouteParameters,
} from "../config/protocol-parameters.ts";
import type { StepUp } from "../errors/access-errors.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { readForm } from "../http/form.ts";
import { type Parameters, queryOf, readParameters } from "../http/parameters.ts";
import type { Connection } from "../oidc/connection.ts";
import { checkParams } from "../request/login-params.ts";

/** Parameters with a meaning of their own: no other passes on unless the settings allow it. */
export const ownParameters: readonly string[] = [...loginRouteParameters, "prompt", "login_hint"];

/**
 * Reads the parameters of a login: those of the route, and those for the provider that the
 * settings allow.
 *
 * @throws {Refusal} `parameter_repeated`
 */
export function readLogin(
  { config, connections, warnings }: Context,
  { loginParams }: Connection,
  source: URLSearchParams,
): Parameters {
  const parameters = readParameters(source, [...ownParameters, ...loginParams]);
  if (config.production) return parameters;
  const isOneOfSeveral = connections.default.named !== undefined;
  const allowed = isOneOfSeveral ? [...loginParams, ...choosingParameters] : loginParams;
  for (const [kind, message] of ignoredIn(source, parameters, allowed)) {
    warnings.once(kind, message);
  }
  return parameters;
}

/** These choose the connection, so they have had their use. */
const choosingParameters = ["client_id", "connection", "email"];

/** These have another form on the page where the user chooses. */
const chooserParameters = ["at", "connection", "email"];

/** Returns what the page with the ways to sign in carries on of a login. */
export function carriedFields(
  connections: readonly Connection[],
  source: URLSearchParams,
): readonly (readonly [name: string, value: string])[] {
  const ofProvider = connections.flatMap(({ loginParams }) => loginParams);
  const names = new Set([...ownParameters, "client_id", ...ofProvider]);
  return [...names].flatMap((name) => {
    const value = chooserParameters.includes(name) ? null : source.get(name);
    return value === null ? [] : [[name, value] as const];
  });
}

/** Returns everything that a login was given. */
export async function loginSource(request: HostRequest): Promise<URLSearchParams> {
  if (request.method === "POST") return readForm(request);
  const query = queryOf(request);
  const [returnTo] = query.getAll("returnTo");
  if (returnTo !== undefined) query.set("returnTo", returnTo);
  return query;
}

/**
 * Returns the parameters for the provider: the allowed ones, and those that a handler has sealed.
 *
 * @throws {Refusal} `parameter_invalid`
 */
export function providerParams(
  { signIns }: Context,
  connection: Connection,
  parameters: Parameters,
): LoginParams {
  const allowed = connection.loginParams.flatMap((name) => {
    const value = parameters.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { params: sealed = {} } = signIns.loginSeal.open(parameters.get("params"));
  const { organization, ...others } = checkParams([...allowed, ...Object.entries(sealed)]);
  checkPrompt(others, connection.maxAge);
  // An app for one organization has no other.
  const isOpen = organization !== undefined && connection.organization === undefined;
  return isOpen ? { ...others, organization } : others;
}

/** `none` forbids what `max_age=0` demands (OpenID Connect Core 3.1.2.1). */
function checkPrompt({ prompt, max_age: maxAge }: LoginParams, configured?: number): void {
  const isSilent = prompt?.split(" ").includes("none") === true;
  if (!isSilent || Math.min(Number(maxAge ?? Infinity), configured ?? Infinity) > 0) return;
  throw new Refusal("parameter_invalid", { detail: "prompt none beside max_age 0" });
}

/** Returns what a sign-in must prove: what its page demands, and what its parameters request. */
export function stepUpOf(
  { max_age: maxAge, acr_values: acrValues }: LoginParams,
  ofPage: StepUp | undefined,
): StepUp | undefined {
  const limits = [...(maxAge === undefined ? [] : [Number(maxAge)]), ofPage?.maxAge ?? Infinity];
  const acr = ofPage?.acr ?? acrValues?.split(" ").filter((each) => each !== "");
  const requested: StepUp = {
    ...(Math.min(...limits) === Infinity ? {} : { maxAge: Math.min(...limits) }),
    ...(acr === undefined ? {} : { acr }),
    ...(ofPage?.isFirst === true ? { isFirst: true } : {}),
  };
  return Object.keys(requested).length === 0 ? undefined : requested;
}

/** Longer or stranger names are no parameters of a provider. */
const namedForm = /^[\w.:~-]{1,40}$/;

/** Warnings for developers by kind: otherwise only a button that does nothing special shows it. */
function ignoredIn(
  source: URLSearchParams,
  parameters: Parameters,
  allowed: readonly string[],
): readonly (readonly [kind: string, message: string])[] {
  const known: readonly string[] = [...allowed, ...loginRouteParameters];
  const ignored = [...source.keys()].filter(
    (name) => !known.includes(name) && !isTaken(name, parameters) && namedForm.test(name),
  );
  const ofProtocol = ignored.filter(isProtocolParameter).map((name) => {
    const message = `Login ignored the parameter ${name}. No login can set it.`;
    return [`login-param:${name.toLowerCase()}`, message] as const;
  });
  // A client invents other names without end: one line for all.
  const [other] = ignored.filter((name) => !isProtocolParameter(name));
  if (other === undefined) return ofProtocol;
  const message = `Login ignored the parameter ${other}. To send it to the provider, add it to LATCHKEY_LOGIN_PARAMS (loginParams in code).`;
  return [...ofProtocol, ["login-param", message]];
}

/** Whether a parameter that the settings do not allow has its one use. */
function isTaken(name: string, parameters: Parameters): boolean {
  if (name === "prompt") return parameters.get("prompt") === "select_account";
  return name === "login_hint" && parameters.has("iss");
}
