import { processPushedAuthorizationResponse, pushedAuthorizationRequest } from "oauth4webapi";

import { Refusal } from "../errors/refusal.ts";
import { callOptions, clientOf, refusalOfCall } from "./client-call.ts";
import { authenticateClient, clientAuthMethod } from "./client-authentication.ts";
import type { Connection } from "./connection.ts";
import { checkIsNoError } from "./error-answer.ts";
import { parameterPairs, type RequestParameters } from "./request-parameters.ts";

/** The longest sensible life of a pushed request, in seconds. */
const longestLifeSeconds = 86_400;

/**
 * Pushes the authorization request (RFC 9126): the browser then carries a reference only.
 *
 * @returns the parameters of the authorization address, `client_id` and `request_uri`
 * @throws {Refusal} `pushed_request_rejected`, `metadata_invalid`, or what the call itself throws
 */
export async function pushAuthorizationRequest(
  connection: Connection,
  parameters: RequestParameters,
): Promise<Readonly<Record<string, string>>> {
  const metadata = await connection.issuer.metadata();
  if (metadata.pushed_authorization_request_endpoint === undefined) {
    throw new Refusal("metadata_invalid", {
      detail:
        "pushed_authorization_request_endpoint must be configured on the issuer to use pushedAuthorizationRequests",
    });
  }
  const client = clientOf(connection);
  try {
    const clientAuth = await authenticateClient(connection, metadata);
    const response = await pushedAuthorizationRequest(
      metadata,
      client,
      clientAuth,
      new URLSearchParams(parameterPairs(parameters)),
      callOptions(connection, "par"),
    );
    if (response.status < 500) await checkIsNoError(response, ["request_uri"]);
    const pushed = await processPushedAuthorizationResponse(metadata, client, response);
    if (pushed.expires_in < 1 || pushed.expires_in > longestLifeSeconds) {
      throw new Refusal("pushed_request_rejected", { detail: "expires_in makes no sense" });
    }
    return { client_id: connection.clientID, request_uri: pushed.request_uri };
  } catch (error) {
    throw toRefusal(error, `pushed request with ${clientAuthMethod(connection, metadata)}`);
  }
}

/** Login fails for reasons of the provider or of our settings, never for what the person did. */
function toRefusal(error: unknown, context: string): Refusal {
  const refusal = refusalOfCall(error, "pushed_request_rejected", context);
  if (refusal.status >= 500) return refusal;
  const detail = refusal.detail ?? context;
  return new Refusal("pushed_request_rejected", { cause: refusal, detail });
}
