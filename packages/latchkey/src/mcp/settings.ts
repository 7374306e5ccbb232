import type { ApiOptions, IssuerOptions } from "../api/settings.ts";
import {
  faultsOf as faultsOfAPI,
  faultsOfKnown,
  isListOf,
  isOneOrMore,
  isOrigin,
  isText,
  tokenNames,
  unknownMembers,
} from "../api/settings-faults.ts";
import type { ConfigFault } from "../errors/config-error.ts";

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
  "audience" | "paths" | "origins" | "preflights" | "issuers"
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

const mcpNames: readonly (keyof McpOptions)[] = [
  ...tokenNames,
  "servers",
  "issuers",
  "introspection",
  "dpop",
  "api",
];
const serverNames: readonly (keyof McpServer)[] = [
  "path",
  "scopes",
  "scopesSupported",
  "resource",
  "audience",
  "name",
  "documentation",
  "origins",
];

/** Returns what is wrong with the options; JavaScript lets any value pass. */
export function faultsOf(options: Partial<McpOptions> | undefined): readonly ConfigFault[] {
  if (typeof options !== "object" || options === null) return [noServers];
  const { servers, api, ...tokens } = options;
  if (!Array.isArray(servers) || servers.length === 0) return [noServers];
  const paths = servers.map((each: Partial<McpServer> | null) => pathOf(each?.path));
  return [
    ...servers.flatMap((each, nth) => serverFaults(`mcp.servers[${nth}]`, each)),
    ...(new Set(paths).size === paths.length ? [] : [samePaths]),
    ...unknownMembers("mcp", options, mcpNames),
    ...faultsOfKnown({ ...tokens, audience: "unused" }).map((each) => renameOption(each, "mcp")),
    ...(api === undefined ? [] : faultsOfAPI(api).map((each) => renameOption(each, "mcp.api"))),
  ];
}

/** `/mcp/` is the path `/mcp` and everything below it. */
export function pathOf(path: unknown): string {
  return typeof path === "string" ? path.replace(/\/+$/, "") : "";
}

function serverFaults(option: string, given: Partial<McpServer> | null): readonly ConfigFault[] {
  const { path, scopes = [], scopesSupported = [], resource, audience } = given ?? {};
  const { name, documentation, origins = [] } = given ?? {};
  const checks: readonly (readonly [string, boolean, string])[] = [
    ["path", isPath(path), "must be a path such as /mcp"],
    ["scopes", isListOf(scopes, isScope), scopesMessage],
    ["scopesSupported", isListOf(scopesSupported, isScope), scopesMessage],
    ["resource", isOptional(resource, isIdentifier), "must be an address without a fragment"],
    ["audience", isOptional(audience, isOneOrMore), "must be text, or a list of texts"],
    ["name", isOptional(name, isText), "must be text"],
    ["documentation", isOptional(documentation, isAddress), "must be an address"],
    ["origins", isListOf(origins, isOrigin), "must be a list of origins"],
  ];
  const wrong = checks.filter(([, isGood]) => !isGood);
  return [
    ...unknownMembers(option, given, serverNames),
    ...wrong.map(([part, , message]) => faultAt(`${option}.${part}`, message)),
  ];
}

const scopesMessage = "must be a list of scopes, without offline_access";

function isOptional(value: unknown, isGood: (value: unknown) => boolean): boolean {
  return value === undefined || isGood(value);
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

function renameOption({ option, ...fault }: ConfigFault, name: string): ConfigFault {
  return {
    ...fault,
    option: option.replace("api", name),
    remedy: fault.remedy.replace("api()", "mcp()"),
  };
}

function faultAt(option: string, message: string): ConfigFault {
  return { option, variable: "", message, remedy };
}

const remedy = "Change it where mcp() is called.";

const noServers = faultAt("mcp.servers", "must name at least one MCP server, by its path");
const samePaths = faultAt("mcp.servers", "must have a path of its own for each server");
