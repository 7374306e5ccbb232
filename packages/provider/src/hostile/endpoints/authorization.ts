import { randomUUID } from "node:crypto";
import type { Parameter } from "../behavior.ts";
import type { Context } from "../context.ts";
import { nowSeconds, settingOf, situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { oauthError } from "../faults.ts";
import type { Grant } from "../grants.ts";
import { randomToken } from "../grants.ts";
import { makeKeyRing } from "../key-ring.ts";
import type { SeenRequest } from "../request-log.ts";
import { issueIDToken } from "../tokens/id-token.ts";
import { checkAuthorizationRequest } from "./authorization-rules.ts";
import { formPage } from "./form-page.ts";

/** Handles an authorization request: signs the sample person in without a page. */
export async function handleAuthorization(
  context: Context,
  seen: SeenRequest,
): Promise<ResponseParts> {
  const sent = Object.fromEntries(seen.method === "POST" ? seen.form : seen.query);
  const request = unfold(context, sent);
  if (request === undefined)
    return oauthError("invalid_request_uri", "unknown or used request_uri");
  const redirectURI = request["redirect_uri"] ?? "";
  if (request["client_id"] !== context.client.id) {
    return oauthError("unauthorized_client", "unknown client_id");
  }
  if (!URL.canParse(redirectURI) || !isAllowed(context.client.redirectURIs, redirectURI)) {
    return oauthError("invalid_request", "redirect_uri is not registered");
  }
  if (request["pushed"] !== "yes" && context.behaviors.some((b) => b.requiresPushedRequests)) {
    return oauthError("invalid_request", "the request must be pushed");
  }
  checkAuthorizationRequest(context, request, seen);
  const newKeys = settingOf(context, "newKeys");
  if (newKeys === "before-sign-in") context.keys = await makeKeyRing();
  const parameters = goodResponse(context, request);
  if (newKeys === "before-signing" && request["response_type"] === "code") {
    context.keys = await makeKeyRing();
  }
  return deliver(context, request, redirectURI, parameters);
}

/** The pushed request of a `request_uri`, which is good once, or the request itself. */
function unfold(
  { grants }: Context,
  sent: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const uri = sent["request_uri"];
  if (uri === undefined) return sent;
  const pushed = grants.pushed.get(uri);
  grants.pushed.delete(uri);
  return pushed === undefined ? undefined : { ...pushed, pushed: "yes" };
}

function isAllowed(allowed: readonly string[] | undefined, uri: string): boolean {
  return allowed === undefined || allowed.includes(uri);
}

function goodResponse(
  context: Context,
  request: Readonly<Record<string, string>>,
): readonly Parameter[] {
  const types = (request["response_type"] ?? "").split(" ");
  const grant: Grant = { request, sid: randomUUID(), authTime: nowSeconds(context) };
  const code = types.includes("code") ? randomToken() : undefined;
  if (code !== undefined) context.grants.codes.set(code, grant);
  context.lastSid = grant.sid;
  const idToken = types.includes("id_token")
    ? issueIDToken(context, grant, "authorization", code === undefined ? {} : { code })
    : undefined;
  return [
    ...parameter("code", code),
    ...parameter("id_token", idToken),
    ...parameter("state", request["state"]),
    ["iss", context.issuer],
  ];
}

function parameter(name: string, value: string | undefined): readonly Parameter[] {
  return value === undefined ? [] : [[name, value]];
}

function deliver(
  context: Context,
  request: Readonly<Record<string, string>>,
  redirectURI: string,
  good: readonly Parameter[],
): ResponseParts {
  const situation = situationOf(context, "authorization", request);
  const parameters = context.behaviors.reduce(
    (list, behavior) => behavior.authorizationResponse?.(list, situation) ?? list,
    good,
  );
  const beside = context.behaviors.flatMap(({ queryBesideForm }) => [
    ...(queryBesideForm?.(situation) ?? []),
  ]);
  const mode = settingOf(context, "responseMode") ?? request["response_mode"];
  if (mode === "form_post") return formPage(withQuery(redirectURI, beside), parameters);
  const location = withQuery(redirectURI, [...parameters, ...beside]);
  return { status: 302, headers: { Location: location, "Cache-Control": "no-store" }, body: "" };
}

function withQuery(uri: string, parameters: readonly Parameter[]): string {
  const url = new URL(uri);
  for (const [name, value] of parameters) url.searchParams.append(name, value);
  return url.href;
}
