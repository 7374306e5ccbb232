import type { Context } from "../context.ts";
import { complain } from "../context.ts";
import type { SeenRequest } from "../request-log.ts";

type Parameters = Readonly<Record<string, string>>;

const rules: readonly (readonly [id: string, says: string, broken: (p: Parameters) => boolean])[] =
  [
    ["CERT-001", "scope lacks openid", (p) => !(p["scope"] ?? "").split(" ").includes("openid")],
    ["CERT-002", "redirect_uri has a fragment", (p) => (p["redirect_uri"] ?? "").includes("#")],
    ["CERT-003", "response_type is not one of ours", (p) => !isResponseType(p["response_type"])],
    ["CERT-004", "no nonce", (p) => !p["nonce"]],
    ["CERT-005", "the PKCE method is not S256", (p) => p["code_challenge_method"] === "plain"],
    ["CERT-005", "malformed code_challenge", (p) => !isChallenge(p["code_challenge"])],
    [
      "CERT-009",
      "max_age=0 with prompt=none",
      (p) => p["max_age"] === "0" && p["prompt"] === "none",
    ],
    ["STD-041", "no state", (p) => !p["state"]],
  ];

/** Records which rules an authorization request breaks. */
export function checkAuthorizationRequest(
  context: Context,
  parameters: Parameters,
  seen: SeenRequest,
): void {
  for (const [id, says, broken] of rules) {
    if (broken(parameters)) complain(context, id, says);
  }
  const outer = seen.method === "POST" ? seen.form : seen.query;
  const beside = [...outer.keys()].filter((name) => !["client_id", "request_uri"].includes(name));
  if (parameters["pushed"] === "yes" && beside.length > 0) {
    complain(context, "STD-071", `more than client_id and request_uri: ${beside.join(", ")}`);
  }
}

function isResponseType(value: string | undefined): boolean {
  return value === "code" || value === "code id_token" || value === "id_token";
}

function isChallenge(value: string | undefined): boolean {
  return value === undefined || /^[A-Za-z0-9_-]{43}$/u.test(value);
}
