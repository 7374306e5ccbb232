import { mcp } from "latchkey/mcp";

/** As `suite/api-example.ts`, which lies outside of the build; empty without an issuer. */
export function apiOptions(issuer = process.env["API_ISSUER"]) {
  if (issuer === undefined) return {};
  return {
    api: mcp({
      servers: [{ path: "/mcp" }],
      issuers: [{ issuer, algorithms: ["ES256"] }],
      api: { audience: "https://api.example.com" },
    }),
    accessRules: { "/api/admin": { scope: "admin" } },
  };
}
