import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { changeBody, complain, settingOf, situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { json, oauthError } from "../faults.ts";
import type { Grant } from "../grants.ts";
import { randomToken } from "../grants.ts";
import type { SeenRequest } from "../request-log.ts";
import { issueIDToken } from "../tokens/id-token.ts";
import { isAuthenticated } from "./client-authentication.ts";

const accessTokenSeconds = 300;

/** Handles a token request with a code or a refresh token. */
export async function handleToken(context: Context, seen: SeenRequest): Promise<ResponseParts> {
  if (seen.method !== "POST") return oauthError("invalid_request", "POST only", 405);
  if (!(await isAuthenticated(context, seen))) {
    const method = settingOf(context, "authMethod") ?? context.client.authMethod;
    complain(context, "CERT-007", `client authentication is not a good ${method}`);
    return oauthError("invalid_client", "client authentication failed", 401);
  }
  switch (seen.form.get("grant_type")) {
    case "authorization_code":
      return exchangeCode(context, seen.form);
    case "refresh_token":
      return refresh(context, seen.form);
    default:
      return oauthError("unsupported_grant_type", "unknown grant_type");
  }
}

function exchangeCode(context: Context, form: URLSearchParams): ResponseParts {
  const code = form.get("code") ?? "";
  const grant = context.grants.codes.get(code);
  context.grants.codes.delete(code);
  if (grant === undefined) return oauthError("invalid_grant", "unknown or used code");
  if (form.get("redirect_uri") !== grant.request["redirect_uri"]) {
    complain(context, "CERT-006", "redirect_uri is not that of the authorization request");
    return oauthError("invalid_grant", "redirect_uri differs");
  }
  if (!provesPossession(context, grant, form.get("code_verifier"))) {
    return oauthError("invalid_grant", "PKCE verification failed");
  }
  return issueTokens(context, grant, "token");
}

/** RFC 7636, section 4.6. */
function provesPossession(context: Context, grant: Grant, verifier: string | null): boolean {
  const challenge = grant.request["code_challenge"];
  if (challenge === undefined) complain(context, "STD-044", "a code without a PKCE challenge");
  if (verifier !== null && !/^[A-Za-z0-9._~-]{43,128}$/u.test(verifier)) {
    complain(context, "STD-060", "malformed code_verifier");
  }
  if (challenge === undefined || context.behaviors.some(({ ignoresPKCE }) => ignoresPKCE)) {
    return true;
  }
  return (
    createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url") === challenge
  );
}

/** A refresh token used twice revokes all tokens of its grant (RFC 9700, section 4.14.2). */
function refresh(context: Context, form: URLSearchParams): ResponseParts {
  const entry = context.grants.refreshTokens.get(form.get("refresh_token") ?? "");
  if (entry === undefined || context.grants.revoked.has(entry.grant)) {
    return oauthError("invalid_grant", "unknown or revoked refresh token");
  }
  if (entry.used) {
    context.grants.revoked.add(entry.grant);
    return oauthError("invalid_grant", "refresh token was used before");
  }
  entry.used = !keepsRefreshToken(context);
  return issueTokens(context, entry.grant, "refresh");
}

function keepsRefreshToken(context: Context): boolean {
  return context.behaviors.some((behavior) => behavior.keepsRefreshToken);
}

function issueTokens(context: Context, grant: Grant, at: "token" | "refresh"): ResponseParts {
  const accessToken = randomToken();
  const refreshToken = at === "refresh" && keepsRefreshToken(context) ? undefined : randomToken();
  context.grants.accessTokens.set(accessToken, grant);
  if (refreshToken !== undefined) {
    context.grants.refreshTokens.set(refreshToken, { grant, used: false });
  }
  const situation = situationOf(context, at, grant.request);
  const body = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: accessTokenSeconds,
    refresh_token: refreshToken,
    scope: grant.request["scope"],
    id_token: issueIDToken(context, grant, at, { accessToken }),
  };
  return json(changeBody(context, "tokenResponse", body, situation));
}
