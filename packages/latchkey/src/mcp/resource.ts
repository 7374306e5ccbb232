import type { Config } from "../config/config.ts";
import type { Engine } from "../host/engine.ts";
import type { McpOptions, McpServer } from "./settings.ts";
import { pathOf } from "./settings.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** An MCP server as a protected resource (RFC 9728). */
export interface Resource {
  /** In the app, without a final slash. */
  readonly path: string;
  readonly scopes: readonly string[];
  readonly audience: string | readonly string[];
  /** Origins whose scripts may call it. */
  readonly origins: readonly string[];
  /** On the server, with the path of the app. */
  readonly metadataPath: string;
  readonly metadataURL: string;
  /** Its identifier, which clients request tokens for. */
  readonly resource: string;
  /** Those of now. JSON leaves out what is undefined. */
  readonly metadata: () => Readonly<Record<string, unknown>>;
}

/** The addresses are those of the settings: a client chooses its `Host` header. */
export function resourcesOf(
  { config, connections }: Pick<Engine, "config" | "connections">,
  options: McpOptions,
): readonly Resource[] {
  const issuerNames = () => issuersOf(connections, options);
  return options.servers.map((server) => resourceOf(config, issuerNames, server));
}

/** Whose tokens count: those of `default`, of the options, and of the other connections. */
function issuersOf(
  { default: byDefault, all }: Engine["connections"],
  { issuers = [] }: McpOptions,
): readonly string[] {
  const listed = issuers.map(({ issuer }) => issuer);
  const others = all.map(({ issuer }) => issuer.name);
  return [...new Set([byDefault.issuer.name, ...listed, ...others])];
}

/** Clients add a slash to an origin alone, or leave it out (RFC 3986, 6.2.3). */
function spellingsOf(resource: string): readonly string[] {
  const { origin } = new URL(resource);
  return [origin, `${origin}/`].includes(resource) ? [origin, `${origin}/`] : [resource];
}

function resourceOf(
  { origin, basePath }: Config,
  issuers: () => readonly string[],
  server: McpServer,
): Resource {
  const path = pathOf(server.path);
  const { scopes = [], scopesSupported = scopes, origins = [], name, documentation } = server;
  const { resource = origin + basePath + path } = server;
  // Inserted between host and path (RFC 9728, 3.1).
  const metadataPath = wellKnown + basePath + path;
  return {
    path,
    scopes,
    audience: server.audience ?? spellingsOf(resource),
    origins: [origin, ...origins],
    metadataPath,
    metadataURL: origin + metadataPath,
    resource,
    metadata: () => ({
      resource,
      authorization_servers: issuers(),
      ...(scopesSupported.length === 0 ? {} : { scopes_supported: scopesSupported }),
      bearer_methods_supported: ["header"],
      resource_name: name,
      resource_documentation: documentation,
    }),
  };
}
