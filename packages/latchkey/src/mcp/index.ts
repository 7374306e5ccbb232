import type { Part } from "../host/part.ts";
import { openMcp } from "./mcp-scheme.ts";
import { mcpForms, type McpOptions, pathOf } from "./settings.ts";

export { type McpAuthInfo, mcpAuthInfo } from "./auth-info.ts";
export type { McpOptions } from "./settings.ts";

/**
 * Protects the MCP servers of an app with access tokens, as the option `api` of `createAuth`: their
 * metadata are public, and clients find the way to the provider by themselves.
 *
 * Never throws: `auth.ready()` or the first request reports what is wrong with the options.
 */
export function mcp(options: McpOptions): Part<"api"> {
  return {
    name: "api",
    written: { place: "mcp", call: "mcp()", options, forms: mcpForms(options) },
    apiPaths: () => pathsOf(options),
    open: (engine) => openMcp(options, engine),
  };
}

/** Clients look for documents in `/.well-known`, and give up at a page. */
function pathsOf({ servers, api }: McpOptions): readonly string[] {
  const ofAPI = (api?.paths ?? []).map((path) => pathOf(path));
  return [...servers.map(({ path }) => pathOf(path)), ...ofAPI, "/.well-known"];
}
