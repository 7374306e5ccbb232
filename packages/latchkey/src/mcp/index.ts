import type { CallersPart } from "../host/callers.ts";
import { createMcpSchemes } from "./mcp-scheme.ts";
import { faultsOf, type McpOptions, pathOf } from "./settings.ts";

export { type McpAuthInfo, mcpAuthInfo } from "./auth-info.ts";
export type { McpOptions, McpServer } from "./settings.ts";
export type { CallersPart };

/**
 * Protects the MCP servers of an app with access tokens, as the option `api` of `createAuth`: their
 * metadata are public, and clients find the way to the provider by themselves.
 *
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function mcp(options: McpOptions): CallersPart {
  const faults = faultsOf(options);
  return {
    faults,
    paths: faults.length > 0 ? [] : pathsOf(options),
    open: (context) => createMcpSchemes(options, context),
  };
}

/** Clients look for documents in `/.well-known`, and give up at a page. */
function pathsOf({ servers, api }: McpOptions): readonly string[] {
  const ofAPI = (api?.paths ?? []).map((path) => pathOf(path));
  return [...servers.map(({ path }) => pathOf(path)), ...ofAPI, "/.well-known"];
}
