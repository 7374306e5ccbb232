import type { Config } from "../../config/config.ts";
import { oneLine } from "../../errors/one-line.ts";
import { isEndpoint } from "../../oidc/issuer/metadata.ts";
import { ask, type Fetch, objectOf, textIn } from "../doctor/ask.ts";
import type { FoundProvider } from "./find-provider.ts";
import { registrationOf } from "./test-client.ts";

/** The part of RFC 7591 that an app with sign-in needs. */
interface RegistrationRequest {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: string;
}

interface RegisteredClient {
  readonly clientID: string;
  readonly clientSecret: string;
  /** If the provider did not take the one of the request. */
  readonly clientAuthMethod?: "client_secret_basic" | "client_secret_post";
  /** Where and with which token the registration can be changed (RFC 7592); empty without it. */
  readonly managedAt: string;
  readonly managementToken: string;
}

/** Where a client can be registered without a console; `null` if nowhere. */
export function registrationEndpoint({ issuer, metadata }: FoundProvider): string | null {
  const endpoint = textIn(metadata, "registration_endpoint");
  return isEndpoint(endpoint, issuer) ? new URL(endpoint).href : null;
}

/** What the provider is asked to register. */
export function describeRequest({ metadata }: FoundProvider, config: Config): RegistrationRequest {
  const offered = metadata["token_endpoint_auth_methods_supported"];
  const { redirectURIs, afterLogout } = registrationOf(config);
  const isBasic = !Array.isArray(offered) || offered.includes("client_secret_basic");
  return {
    client_name: new URL(config.baseURL).host,
    redirect_uris: redirectURIs,
    post_logout_redirect_uris: afterLogout,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: [config.responseType],
    token_endpoint_auth_method: isBasic ? "client_secret_basic" : "client_secret_post",
  };
}

/**
 * Registers a client by itself (RFC 7591).
 *
 * @throws Error with one sentence, without what the provider sent
 */
export async function registerClient(
  provider: FoundProvider,
  request: RegistrationRequest,
  fetch: Fetch,
): Promise<RegisteredClient> {
  const answer = await ask(fetch, registrationEndpoint(provider) ?? "", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(request),
  });
  if (answer.kind === "fault") throw new Error(`The registration failed: ${answer.message}.`);
  const client = objectOf(answer);
  if (answer.status === 401 || answer.status === 403) {
    throw new Error("The provider registers apps for its administrators only: register it there.");
  }
  const clientID = valueIn(client, "client_id");
  if (answer.status > 299 || clientID === "") {
    const code = oneLine(textIn(client, "error"), 100) || `status ${answer.status}`;
    throw new Error(`The provider refuses the registration (${code}): register the app there.`);
  }
  const clientSecret = valueIn(client, "client_secret");
  if (clientSecret === "") {
    throw new Error(`The provider registered ${clientID} without a secret: remove it there.`);
  }
  const method = textIn(client, "token_endpoint_auth_method");
  const isKnown = method === "client_secret_basic" || method === "client_secret_post";
  return {
    clientID,
    clientSecret,
    ...(isKnown && method !== request.token_endpoint_auth_method
      ? { clientAuthMethod: method }
      : {}),
    ...managementIn(client, provider.issuer),
  };
}

type Management = Pick<RegisteredClient, "managedAt" | "managementToken">;

/** The app works without them, so what cannot be used counts as absent. */
function managementIn(client: ReturnType<typeof objectOf>, issuer: string): Management {
  const managedAt = textIn(client, "registration_client_uri");
  const managementToken = textIn(client, "registration_access_token");
  const isUsable = isEndpoint(managedAt, issuer) && isWritable(managedAt + managementToken);
  return isUsable ? { managedAt, managementToken } : { managedAt: "", managementToken: "" };
}

/** Whether a file of variables can hold a value. */
function isWritable(value: string): boolean {
  return !/\p{Cc}/u.test(value) && !(value.includes("'") && value.includes('"'));
}

function valueIn(client: ReturnType<typeof objectOf>, name: string): string {
  const value = textIn(client, name);
  if (isWritable(value)) return value;
  throw new Error(
    `The provider sends a ${name} with control characters or both quotation marks, and nothing was written: register the app there.`,
  );
}
