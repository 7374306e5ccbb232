import { CallerAuth } from "../api/caller-auth.ts";
import type { AccessRule } from "../config/access-rule.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import type { Claims, Session } from "../session/session.ts";
import type { Resource } from "./resource.ts";

/** The caller of an MCP server, as the official SDK takes it: its `AuthInfo`. */
export interface McpAuthInfo {
  /**
   * Empty: a server must not pass the token of its caller on (MCP, "Token Passthrough"). Another
   * API needs a token of its own.
   */
  readonly token: "";
  readonly clientId: string;
  readonly scopes: string[];
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** The MCP server. */
  readonly resource: URL;
  /** The address of its metadata, for the challenges of the SDK. */
  readonly resourceMetadataUrl: string;
  readonly extra: {
    readonly issuer: string;
    /** With the issuer, the name of the user. A client acts as itself if it is its own `sub`. */
    readonly sub: string;
    readonly claims: Claims;
  };
}

/** A property, since a `WeakMap` would keep each request until the next full collection (0025). */
const place = Symbol("MCP server");

type Placed = { [place]?: Resource };

/** Remembers which MCP server a request is for. */
export function rememberResource(auth: RequestAuth, resource: Resource): void {
  (auth as Placed)[place] = resource;
}

/** Returns the MCP server that a request is for; `null` for another path. */
function resourceOf(auth: RequestAuth): Resource | null {
  return (auth as Placed)[place] ?? null;
}

/**
 * Returns the caller of a request for the official SDK of MCP: as `authInfo` of `fetch()`, or as
 * `req.auth` of its Node handler.
 *
 * @param auth - `auth.of(request)`
 * @throws {TypeError} if the request is for no path of an MCP server
 * @throws as `auth.require()` does, for a request that sign-in did not guard
 */
export function mcpAuthInfo(auth: RequestAuth): McpAuthInfo {
  const resource = resourceOf(auth);
  if (resource !== null) auth.require(ruleOf(resource));
  const caller = auth instanceof CallerAuth ? auth.principal : null;
  if (resource === null || caller === null) {
    throw new TypeError("mcpAuthInfo() takes auth.of(request) of a request to an MCP server.");
  }
  const { client, scopes, endsAt, issuer, claims } = caller;
  return {
    token: "",
    clientId: client ?? "",
    scopes: [...scopes],
    expiresAt: endsAt,
    resource: new URL(resource.resource),
    resourceMetadataUrl: resource.metadataURL,
    extra: { issuer, sub: claims.sub, claims },
  };
}

/** What every request to a server needs. */
function ruleOf({ scopes }: Resource): AccessRule<Session> | undefined {
  return scopes.length === 0 ? undefined : { scope: scopes };
}
