import { errors } from "oidc-provider";

const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The grant types of token exchange: RFC 8693, and the on-behalf-of form of Entra ID. */
export const exchangeGrants: readonly string[] = [tokenExchange, jwtBearer];

/** The parameters of both. */
export const exchangeParameters: readonly string[] = [
  "subject_token",
  "subject_token_type",
  "actor_token",
  "actor_token_type",
  "requested_token_type",
  "resource",
  "audience",
  "scope",
  "assertion",
  "requested_token_use",
];

export const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const jwtType = "urn:ietf:params:oauth:token-type:jwt";

/** What a client wants in exchange. */
export interface ExchangeRequest {
  readonly subjectToken: string;
  /** What names the API: `resource`, or `audience`, or the beginning of each scope. */
  readonly target: string;
  /** Empty: all scopes of the API. */
  readonly scopes: readonly string[];
  /** The response has an `issued_token_type` (RFC 8693, section 2.2.1). */
  readonly hasIssuedTokenType: boolean;
}

/**
 * Reads a token request.
 *
 * @throws `invalid_request`, `invalid_target`
 */
export function readExchange(parameters: Readonly<Record<string, unknown>>): ExchangeRequest {
  const read = (name: string) => text(parameters[name]);
  return read("grant_type") === jwtBearer ? readOnBehalfOf(read) : readTokenExchange(read);
}

type Read = (name: string) => string | undefined;

function readTokenExchange(read: Read): ExchangeRequest {
  if (read("actor_token") !== undefined) invalid("actor_token is not supported");
  const requested = read("requested_token_type") ?? accessTokenType;
  if (requested !== accessTokenType && requested !== jwtType) {
    invalid("requested_token_type must be an access token");
  }
  if (read("subject_token_type") !== accessTokenType) {
    invalid("subject_token_type must be an access token");
  }
  const target = read("resource") ?? read("audience");
  if (target === undefined) throw new errors.InvalidTarget("resource or audience is missing");
  const subjectToken = readRequired(read, "subject_token");
  return { subjectToken, target, scopes: words(read("scope")), hasIssuedTokenType: true };
}

/** Entra ID writes a scope as `<identifier of the API>/<scope>`, and `.default` for all of them. */
function readOnBehalfOf(read: Read): ExchangeRequest {
  if (read("requested_token_use") !== "on_behalf_of") {
    invalid("requested_token_use must be on_behalf_of");
  }
  const full = words(readRequired(read, "scope"));
  const targets = new Set(full.map((scope) => scope.slice(0, scope.lastIndexOf("/"))));
  const [target] = targets;
  if (target === undefined || targets.size > 1) invalid("scope must name one API");
  const scopes = full.map((scope) => scope.slice(scope.lastIndexOf("/") + 1));
  return {
    subjectToken: readRequired(read, "assertion"),
    target,
    scopes: scopes.filter((scope) => scope !== ".default"),
    hasIssuedTokenType: false,
  };
}

function readRequired(read: Read, name: string): string {
  return read(name) ?? invalid(`${name} is missing`);
}

function invalid(description: string): never {
  throw new errors.InvalidRequest(description);
}

function words(list: string | undefined): readonly string[] {
  return (list ?? "").split(" ").filter((word) => word !== "");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
