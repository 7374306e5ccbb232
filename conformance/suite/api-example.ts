import type { Options } from "latchkey";
import { mcp } from "latchkey/mcp";

export const audience = "https://api.example.com";

/**
 * The options of an API and an MCP server, if a row starts the application with an issuer of access
 * tokens.
 */
export function apiOptions(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Options, "api" | "accessRules"> {
  const issuer = environment["API_ISSUER"];
  if (issuer === undefined) return {};
  return {
    api: mcp({
      servers: [{ path: "/mcp" }],
      issuers: [{ issuer, algorithms: ["ES256"] }],
      api: { audience },
    }),
    accessRules: { "/api/admin": { scope: "admin" } },
  };
}
