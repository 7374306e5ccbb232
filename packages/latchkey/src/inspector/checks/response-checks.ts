import { isIssuerOfTenants } from "../../oidc/issuer/tenants.ts";
import { shorten } from "../mask.ts";
import type { CallbackFacts, CheckLine } from "./facts.ts";

const oneEach = ["code", "error", "id_token", "iss", "state"];

/** The checks of the authorization response, in their order. */
export const responseChecks: readonly CheckLine[] = [
  {
    name: "Parameters",
    reasons: [
      "method_not_allowed",
      "body_too_large",
      "content_type",
      "body_malformed",
      "body_timeout",
    ],
    expected: ({ config }) =>
      config.responseMode === "form_post" ? "in a form" : "in the address",
    actual: ({ parameters }) => [...new Set(parameters.keys())].join(", ") || null,
  },
  {
    name: "Cookie of the started sign-in",
    reasons: [
      "state_cookie_missing",
      "no_pending_login",
      "state_cookie_blocked",
      "state_cookie_malformed",
    ],
    expected: () => "at least one that can be read",
    actual: ({ seen }) => `${seen.pending?.length ?? 0} readable`,
  },
  {
    name: "state",
    reasons: ["state_missing", "state_mismatch"],
    expected: ({ seen }) =>
      seen.pending?.map(({ state }) => shorten(state)).join(" or ") || "that of a cookie",
    actual: ({ parameters }) => shortenIfAny(parameters.get("state")),
  },
  {
    name: "First response to this sign-in",
    reasons: ["code_rejected"],
    expected: () => "yes",
    actual: ({ seen, tokenCall }) =>
      seen.refusal?.reason === "code_rejected" && tokenCall === undefined ? "no" : "yes",
  },
  {
    name: "Each parameter once",
    reasons: ["parameter_repeated"],
    expected: () => "yes",
    actual: ({ parameters }) => {
      const repeated = oneEach.filter((name) => parameters.getAll(name).length > 1);
      return repeated.length === 0 ? "yes" : `repeated: ${repeated.join(", ")}`;
    },
  },
  {
    name: "Metadata of the provider",
    reasons: ["metadata_invalid", "issuer_mismatch"],
    expected: ({ config }) => `of ${config.issuerBaseURL}`,
    actual: ({ seen }) => seen.metadata && `issuer ${seen.metadata.issuer}`,
  },
  {
    name: "iss of the response",
    reasons: ["response_iss_mismatch", "response_iss_missing"],
    applies: ({ parameters, seen }) =>
      parameters.has("iss") ||
      seen.metadata?.authorization_response_iss_parameter_supported === true,
    expected: issuerOf,
    actual: ({ parameters }) => parameters.get("iss"),
  },
  {
    name: "Outcome",
    reasons: [
      "response_ambiguous",
      "sign_in_cancelled",
      "provider_denied",
      "provider_interaction_required",
      "provider_trouble",
      "client_rejected",
      "target_refused",
      "step_up_unmet",
      "response_code_missing",
      "response_id_token_missing",
    ],
    expected: ({ config }) => config.responseType,
    actual: outcomeOf,
  },
];

export const tokenChecks: readonly CheckLine[] = [
  {
    name: "Token response",
    reasons: ["token_response_invalid", "token_type_unknown"],
    applies: ({ tokenCall }) => tokenCall !== undefined,
    expected: () => "status 200 with tokens",
    actual: ({ tokenCall: call }) =>
      call === undefined ? null : statusOf(call.status) + errorIn(call.response?.["error"]),
  },
];

export function issuerOf({ config, seen }: CallbackFacts): string {
  const issuer = seen.metadata?.issuer ?? config.issuerBaseURL;
  return isIssuerOfTenants(issuer) ? `${issuer}, with the tenant of the token` : issuer;
}

function outcomeOf({ parameters }: CallbackFacts): string | null {
  const error = parameters.get("error");
  const found = ["code", "id_token"].filter((name) => parameters.has(name));
  const all = [...found, ...(error === null ? [] : [`error ${error}`])];
  return all.length === 0 ? null : all.join(" ");
}

function shortenIfAny(value: string | null): string | null {
  return value === null ? null : shorten(value);
}

export function statusOf(status: number | null): string {
  return status === null ? "no usable response" : `status ${status}`;
}

function errorIn(error: unknown): string {
  return typeof error === "string" ? `, ${error.slice(0, 100)}` : "";
}
