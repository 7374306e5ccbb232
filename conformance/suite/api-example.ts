import { api, type ApiOptions } from "latchkey/api";
import type { Options } from "latchkey";

/** The API of the example applications. */
export const audience = "https://api.example.com";

/** The options of an API, if a row starts the application with an issuer of access tokens. */
export function apiOptions(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Options, "api" | "accessRules"> {
  const issuer = environment["API_ISSUER"];
  if (issuer === undefined) return {};
  const issuers: ApiOptions["issuers"] = [{ issuer, algorithms: ["ES256"] }];
  return {
    api: api({ audience, issuers }),
    accessRules: { "/api/admin": { scope: "admin" } },
  };
}
