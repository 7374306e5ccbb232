import { Refusal } from "../errors/refusal.ts";
import { postAsClient, refusalOfCall } from "./client-call.ts";
import { clientAuthMethod } from "./client-authentication.ts";
import type { Connection } from "./connection.ts";
import { readSuccess } from "./error-answer.ts";
import { objectOf, type ProviderBody } from "./issuer/provider-document.ts";
import type { RequestParameters } from "./request-parameters.ts";

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
  try {
    const response = await postAsClient(connection, {
      endpoint: "par",
      address: metadata.pushed_authorization_request_endpoint,
      members: { ...parameters, client_id: connection.clientID },
    });
    const body = await readSuccess(response, { status: 201, needed: ["request_uri"] });
    return { client_id: connection.clientID, request_uri: requestURIIn(body) };
  } catch (error) {
    throw toRefusal(error, `pushed request with ${clientAuthMethod(connection, metadata)}`);
  }
}

/** RFC 9126, section 2.2; some providers send the number as text. */
function requestURIIn(body: ProviderBody): string {
  const document = objectOf(body, "pushed request", "pushed_request_rejected");
  const { request_uri: requestURI, expires_in: expiresIn } = document;
  if (typeof requestURI !== "string" || requestURI === "") {
    throw new Refusal("pushed_request_rejected", { detail: "the response has no request_uri" });
  }
  const lifeSeconds = Number(expiresIn ?? Number.NaN);
  if (!(lifeSeconds >= 1 && lifeSeconds <= longestLifeSeconds)) {
    throw new Refusal("pushed_request_rejected", { detail: "expires_in makes no sense" });
  }
  return requestURI;
}

/** Login fails for reasons of the provider or of our settings, never for what the person did. */
function toRefusal(error: unknown, context: string): Refusal {
  const refusal = refusalOfCall(error, "pushed_request_rejected", context);
  if (refusal.status >= 500) return refusal;
  const detail = refusal.detail ?? context;
  return new Refusal("pushed_request_rejected", { cause: refusal, detail });
}
