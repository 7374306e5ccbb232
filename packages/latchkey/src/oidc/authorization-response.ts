import type { PlainReason } from "../errors/reasons.ts";
import type { RefusalDetail } from "../errors/refusal.ts";
import type { Parameters } from "../http/parameters.ts";
import type { CheckList } from "./checks/check.ts";
import { quote, reasonOfOAuthError } from "./client-call.ts";
import type { Connection } from "./connection.ts";
import type { Metadata } from "./issuer/metadata.ts";
import { tenantOf } from "./issuer/tenants.ts";

/** The parameters read from an authorization response; all others are ignored. */
export const responseParameters: readonly string[] = [
  "code",
  "error",
  "error_description",
  "id_token",
  "iss",
  "state",
];

/** What an authorization response brings, by the response type. */
export type AuthorizationResponse =
  | { readonly code: string; readonly idToken: string | undefined }
  | { readonly code: undefined; readonly idToken: string };

/**
 * Reads an authorization response (OpenID Connect Core 3.1.2.5 to 3.1.2.7). Its `state` has matched
 * already: see `findTransaction`.
 *
 * @throws {Refusal} a `response_…` reason, or the reason for the provider's error
 */
export function readAuthorizationResponse(
  connection: Connection,
  parameters: Parameters,
  metadata: Metadata,
): AuthorizationResponse {
  const { responseType, check } = connection;
  check(responseChecks, { parameters, client: connection, metadata });
  const [code, idToken = ""] = [parameters.get("code"), parameters.get("id_token")];
  if (responseType === "id_token") return { code: undefined, idToken };
  return { code: code ?? "", idToken: responseType === "code" ? undefined : idToken };
}

interface ResponseFacts {
  readonly parameters: Parameters;
  readonly client: Pick<Connection, "callback" | "responseType" | "tenants">;
  readonly metadata: Pick<Metadata, "issuer" | "authorization_response_iss_parameter_supported">;
}

/** What is checked of the form of a response. */
export const responseForm: CheckList<{ readonly repeated: readonly string[] }> = {
  title: "Authorization response",
  checks: [
    /** Each parameter is there once (RFC 6749, 3.1). */
    {
      name: "Each parameter once",
      reason: "parameter_repeated",
      holds: ({ repeated }) => repeated.length === 0,
      expected: () => "yes",
      actual: ({ repeated }) =>
        repeated.length === 0 ? "yes" : `repeated: ${repeated.join(", ")}`,
      refusal: ({ repeated: [detail] }) => ({ detail }),
    },
  ],
};

/** The checks of a response, in their order. */
export const responseChecks: CheckList<ResponseFacts> = {
  title: "Authorization response",
  checks: [
    /**
     * The response names its issuer if the metadata promise it (RFC 9207, 2.4), and if several
     * clients share their redirect URI. Beside an ID token, whose issuer is verified next,
     * providers may leave it out (section 4).
     */
    {
      name: "iss of the response",
      reason: "response_iss_missing",
      applies: ({ parameters, client, metadata }) =>
        client.callback === "shared" ||
        (metadata.authorization_response_iss_parameter_supported === true &&
          !(client.responseType.includes("id_token") && parameters.has("id_token"))),
      holds: ({ parameters }) => parameters.has("iss"),
      expected: ({ metadata }) => metadata.issuer,
      actual: ({ parameters }) => parameters.get("iss"),
      refusal: () => ({ detail: undefined }),
    },
    /**
     * The named issuer is the provider's (RFC 9207, 2.4), or that of a tenant: whether the tenant
     * is admitted is decided with the ID token, which must name the same one.
     */
    {
      name: "iss of the response",
      reason: "response_iss_mismatch",
      applies: ({ parameters }) => parameters.has("iss"),
      holds: ({ parameters, client: { tenants }, metadata: { issuer } }) => {
        const iss = parameters.get("iss") ?? "";
        return iss === issuer || (tenants !== undefined && tenantOf(issuer, iss) !== null);
      },
      expected: ({ metadata }) => metadata.issuer,
      actual: ({ parameters }) => parameters.get("iss"),
      refusal: ({ parameters, metadata }) => ({
        detail: `expected ${metadata.issuer}, got ${quote(parameters.get("iss") ?? "")}`,
      }),
    },
    /** The response has one outcome. */
    {
      name: "Outcome",
      reason: "response_ambiguous",
      holds: ({ parameters }) => !(parameters.has("code") && parameters.has("error")),
      expected: ({ client }) => client.responseType,
      actual: outcomeOf,
      refusal: () => ({ detail: undefined }),
    },
    /** It is no error (RFC 6749, 4.1.2.1). */
    {
      name: "Outcome",
      reason: "provider_denied",
      reasonOf: ({ parameters }) => reasonOfError(parameters),
      holds: ({ parameters }) => !parameters.has("error"),
      expected: ({ client }) => client.responseType,
      actual: outcomeOf,
      refusal: ({ parameters }) => errorOf(parameters),
    },
    /** It has the code, if the type of the response has one. */
    {
      name: "Outcome",
      reason: "response_incomplete",
      applies: ({ client }) => client.responseType !== "id_token",
      holds: ({ parameters }) => (parameters.get("code") ?? "") !== "",
      expected: ({ client }) => client.responseType,
      actual: outcomeOf,
      refusal: () => ({ detail: "code is missing" }),
    },
    /** It has the ID token, if the type of the response has one. */
    {
      name: "Outcome",
      reason: "response_incomplete",
      applies: ({ client }) => client.responseType !== "code",
      holds: ({ parameters }) => (parameters.get("id_token") ?? "") !== "",
      expected: ({ client }) => client.responseType,
      actual: outcomeOf,
      refusal: () => ({ detail: "id_token is missing" }),
    },
  ],
};

/** What a response brings, without the values. */
function outcomeOf({ parameters }: Pick<ResponseFacts, "parameters">): string {
  const error = parameters.get("error");
  const found = ["code", "id_token"].filter((name) => parameters.has(name));
  return [...found, ...(error === undefined ? [] : [`error ${error}`])].join(" ");
}

function reasonOfError(parameters: Parameters): PlainReason {
  const error = parameters.get("error") ?? "";
  const isBare = (parameters.get("error_description") ?? "") === "";
  const isCancelled = error === "access_denied" && isBare;
  return isCancelled ? "sign_in_cancelled" : reasonOfOAuthError(error, "provider_denied");
}

function errorOf(parameters: Parameters): RefusalDetail {
  const error = parameters.get("error") ?? "";
  const description = parameters.get("error_description");
  return {
    detail: quote(description === undefined ? error : `${error} (${description})`),
    suspect: suspects.get(error),
    providerText: description ?? error,
  };
}

/** What in the authorization request each error is about. */
const suspects: ReadonlyMap<string, string> = new Map([
  ["invalid_scope", "LATCHKEY_SCOPE"],
  ["invalid_request", "LATCHKEY_AUTHORIZATION_PARAMS and LATCHKEY_LOGIN_PARAMS"],
]);
