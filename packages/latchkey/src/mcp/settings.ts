import {
  type FormsOf,
  isListOf,
  isOneOrMore,
  issuerForms,
  issuersForm,
  isText,
  ownForms,
  tokenForms,
} from "../api/api-forms.ts";
import type { ApiOptions, IssuerOptions } from "../api/settings.ts";
import { withoutTrailingSlashes } from "../http/trailing-slash.ts";

/** One MCP server of the app. */
export interface McpServer {
  /** Its path in the app, such as `/mcp`. Everything below it belongs to it. */
  readonly path: string;
  /** Scopes that every request needs; the challenge names them for clients to request. */
  readonly scopes?: readonly string[];
  /** All scopes of its tools, for its metadata. Default: `scopes`. */
  readonly scopesSupported?: readonly string[];
  /** Its identifier, which clients request tokens for. Default: its address. */
  readonly resource?: string;
  /** What tokens name it in `aud`, one of these. Default: `resource`. */
  readonly audience?: string | readonly string[];
  /** Its name, for its metadata. */
  readonly name?: string;
  /** The address of a page for developers, for its metadata. */
  readonly documentation?: string;
  /** Origins whose scripts may call it, beside the app's own. */
  readonly origins?: readonly string[];
}

/** The MCP servers of an app, and which access tokens count there. */
export interface McpOptions extends Omit<
  ApiOptions,
  "audience" | "paths" | "sessions" | "origins" | "preflights" | "issuers"
> {
  readonly servers: readonly McpServer[];
  /** Further issuers of access tokens, beside `issuerBaseURL`. */
  readonly issuers?: readonly Omit<IssuerOptions, "audience">[];
  /**
   * An API beside the MCP servers, whose tokens count at all other paths. Without it an
   * `Authorization` header means nothing there.
   */
  readonly api?: Pick<ApiOptions, "audience" | "paths" | "origins" | "preflights">;
}

export function mcpForms(given: unknown): FormsOf<McpOptions> {
  const { sessions: _sessions, introspection, dpop, ...ofAPI } = ownForms;
  return {
    ...tokenForms(given),
    introspection,
    dpop,
    servers: {
      expected: "must be a list of MCP servers, each with a path of its own",
      isRequired: true,
      isGood: havePaths,
      items: serverForms,
      remedy: 'Name at least one MCP server by its path, such as servers: [{ path: "/mcp" }].',
    },
    issuers: issuersForm(issuerForms),
    api: { expected: "must be an object with an audience", members: () => ofAPI },
  };
}

/** `/mcp/` is the path `/mcp` and everything below it. */
export function pathOf(path: unknown): string {
  return typeof path === "string" ? withoutTrailingSlashes(path) : "";
}

/** `null` and other items that are no servers have faults of their own. */
function havePaths(servers: unknown): boolean {
  if (!Array.isArray(servers)) return false;
  const paths = servers.map((each: Partial<McpServer> | null) => pathOf(each?.path));
  return paths.length > 0 && new Set(paths).size === paths.length;
}

function serverForms(): FormsOf<McpServer> {
  const scopes = {
    expected: "must be a list of scopes, without offline_access",
    isGood: (value: unknown) => isListOf(value, isScope),
  };
  const { audience, origins } = ownForms;
  return {
    path: { expected: "must be a path such as /mcp", isRequired: true, isGood: isPath },
    scopes,
    scopesSupported: scopes,
    resource: { expected: "must be an address without a fragment", isGood: isIdentifier },
    audience: { expected: audience.expected, isGood: isOneOrMore },
    name: { expected: "must be text", isGood: isText },
    documentation: { expected: "must be an address", isGood: isAddress },
    origins,
  };
}

function isPath(value: unknown): boolean {
  if (typeof value !== "string" || /\/\.{1,2}(?:\/|$)/.test(value)) return false;
  return /^(?:\/[\w\-.~]+)+\/?$/.test(value);
}

/** A resource server asks for no refresh tokens (MCP 2026-07-28). */
function isScope(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) &&
    value !== "offline_access"
  );
}

const schemes: readonly unknown[] = ["https:", "http:"];

function isAddress(value: unknown): boolean {
  return typeof value === "string" && schemes.includes(URL.parse(value)?.protocol);
}

function isIdentifier(value: unknown): boolean {
  return isAddress(value) && !String(value).includes("#");
}
