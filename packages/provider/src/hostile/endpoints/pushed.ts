import type { Context } from "../context.ts";
import { changeBody, complain, situationOf } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { json, oauthError } from "../faults.ts";
import { randomToken } from "../grants.ts";
import type { SeenRequest } from "../request-log.ts";
import { isAuthenticated } from "./client-authentication.ts";

/** Handles a pushed authorization request (RFC 9126, section 2). */
export async function handlePushed(context: Context, seen: SeenRequest): Promise<ResponseParts> {
  if (seen.method !== "POST") return oauthError("invalid_request", "POST only", 405);
  if (!(await isAuthenticated(context, seen))) {
    complain(context, "STD-068", "client authentication failed at the pushed request");
    return oauthError("invalid_client", "client authentication failed", 401);
  }
  if (seen.form.has("request_uri")) {
    complain(context, "STD-068", "request_uri inside a pushed request");
    return oauthError("invalid_request", "request_uri is not allowed here");
  }
  const requestURI = `urn:ietf:params:oauth:request_uri:${randomToken()}`;
  const request = Object.fromEntries(seen.form);
  context.grants.pushed.set(requestURI, { ...request, client_id: context.client.id });
  const situation = situationOf(context, "authorization", request);
  const good = { request_uri: requestURI, expires_in: 60 };
  return json(changeBody(context, "pushedResponse", good, situation), 201);
}
