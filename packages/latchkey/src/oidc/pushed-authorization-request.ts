import type { Config } from "../config/config.ts";
import { parseStrictJSON } from "../crypto/strict-json.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Provider } from "./provider.ts";

/** The longest life of a pushed request that makes sense, in seconds. */
const longestLifeSeconds = 86_400;

/**
 * Pushes the authorization request (RFC 9126): the browser then carries a reference only.
 *
 * @returns the parameters of the authorization address, `client_id` and `request_uri`
 * @throws {Refusal} `pushed_request_rejected`, `metadata_invalid`, or what the call itself throws
 */
export async function pushAuthorizationRequest(
  config: Config,
  provider: Provider,
  parameters: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const metadata = await provider.metadata();
  if (metadata.pushed_authorization_request_endpoint === undefined) {
    throw new Refusal("metadata_invalid", {
      detail:
        "pushed_authorization_request_endpoint must be configured on the issuer to use pushedAuthorizationRequests",
    });
  }
  const pushed = await push(provider, { ...parameters, client_id: config.clientID });
  const { request_uri: name, expires_in: life } = pushed ?? {};
  if (typeof name !== "string" || name === "" || !isLife(life)) {
    throw rejected("neither a request_uri nor an expires_in that makes sense");
  }
  return { client_id: config.clientID, request_uri: name };
}

/** Login fails for reasons of the provider or of our settings, never for what the person did. */
async function push(provider: Provider, parameters: Readonly<Record<string, string>>) {
  try {
    const response = await provider.send({
      endpoint: "pushed_authorization_request_endpoint",
      parameters,
      expected: 201,
      otherwise: "pushed_request_rejected",
    });
    return parseStrictJSON(await response.arrayBuffer());
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    throw rejected(error.detail, error);
  }
}

function isLife(value: unknown): boolean {
  const seconds = Number(value);
  return seconds >= 1 && seconds <= longestLifeSeconds;
}

function rejected(detail: string | undefined, cause?: unknown): Refusal {
  return new Refusal("pushed_request_rejected", { detail, cause });
}
