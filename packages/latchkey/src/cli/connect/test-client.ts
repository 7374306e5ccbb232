import { randomBytes } from "node:crypto";

import { readConfig } from "../../config/config.ts";
import { redirectURI } from "../../oidc/authorization-request.ts";
import { type Fetch, objectOf, textIn } from "../doctor/ask.ts";
import { askProvider } from "../doctor/provider/ask-provider.ts";
import { judgeAuthorization } from "../doctor/provider/redirect-verdict.ts";

export interface ClientSettings {
  readonly issuerBaseURL: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly baseURL: string;
}

/** What the provider refuses, and what only a sign-in can show. */
export async function testClient(settings: ClientSettings, fetch: Fetch) {
  // This secret seals nothing: no cookie is made here.
  const secret = randomBytes(32).toString("base64");
  const config = readConfig({ ...settings, secret }, { hasStore: false });
  const { authorization, token, state } = await askProvider(config, fetch, true);
  const [faults, notes]: [string[], string[]] = [[], []];
  const verdict =
    authorization === null
      ? "not-known"
      : judgeAuthorization(authorization, redirectURI(config), state);
  if (verdict === "refused") {
    faults.push(`The provider refuses ${redirectURI(config)}: register exactly this address.`);
  }
  if (verdict === "not-known") {
    notes.push("Only a sign-in can show whether the address is registered: start the app and try.");
  }
  const code = token === null ? "" : textIn(objectOf(token), "error");
  if (code === "invalid_client" || code === "unauthorized_client") {
    faults.push("The provider refuses the client: check client ID and client secret.");
  }
  return { faults, notes };
}
