import { admitCaller } from "../api/admit.ts";
import { createCallers } from "../api/callers.ts";
import { proofAlgorithms } from "../api/dpop.ts";
import { refuseCaller } from "../api/refuse.ts";
import { TokenRefused } from "../api/token-refused.ts";
import type { PathRule } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import { SignInRequired } from "../errors/access-errors.ts";
import type { Received } from "../host/admitted-request.ts";
import type { Called, Callers, GuardedCall } from "../host/callers.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { errorJSON } from "../http/error-json.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { SessionData } from "../session/session.ts";
import { rememberResource } from "./auth-info.ts";
import { findMetadata, findResource } from "./find-resource.ts";
import { metadataResponse } from "./metadata-response.ts";
import { type Resource, resourcesOf } from "./resource.ts";
import type { McpOptions } from "./settings.ts";

/** An MCP server, and what authenticates its callers. */
interface Served {
  readonly resource: Resource;
  readonly callers: Callers;
  readonly rules: readonly PathRule<SessionData>[];
  /** Responds with an error of ours. */
  refuse(called: Called, error: unknown): ResponseParts | null;
}

/** Creates what authenticates the callers of MCP servers, and of the API beside them. */
export function createMcpCallers(options: McpOptions, context: Context): Callers {
  const { config } = context;
  const { servers: _servers, api, ...tokens } = options;
  const resources = resourcesOf(config, options);
  const served = new Map(resources.map((each) => [each, serve(context, tokens, each)]));
  const beside = api === undefined ? null : createCallers({ ...tokens, ...api }, context);

  /** @returns `null` for a request to another path */
  function find(request: HostRequest): Served | "ambiguous" | null {
    const found = findResource(resources, config, request);
    return found === "ambiguous" || found === null ? found : (served.get(found) ?? null);
  }

  return {
    async receive(called) {
      const { request, target } = called;
      const document = findMetadata(resources, target);
      if (document !== undefined) return { response: metadataResponse(document, request.method) };
      const server = find(request);
      if (server === "ambiguous") return { response: ambiguousPath() };
      return server === null ? (beside?.receive(called) ?? null) : receiveCall(server, called);
    },
    async admit(called) {
      const server = find(called.request);
      if (server === "ambiguous") return admitNobody(called);
      return server === null ? (beside?.admit(called) ?? null) : admitCall(server, called);
    },
    challenge(called) {
      const server = find(called.request);
      if (server === null) return beside?.challenge(called) ?? null;
      return server === "ambiguous" ? ambiguousPath() : server.refuse(called, new SignInRequired());
    },
  };
}

function serve(
  context: Context,
  { issuers = [], ...tokens }: Omit<McpOptions, "servers" | "api">,
  resource: Resource,
): Served {
  const { config } = context;
  const { scopes, metadataURL, audience, path, origins } = resource;
  const scope = scopes.length === 0 ? undefined : scopes.join(" ");
  const algorithms = tokens.dpop === false ? null : proofAlgorithms;
  const parameters = { scope, resource_metadata: metadataURL };
  const ofServer = {
    ...tokens,
    // Only the audience of the server counts here, whatever JavaScript passes.
    issuers: issuers.map((issuer) => ({ ...issuer, audience })),
    audience,
    origins,
    challengeParameters: () => parameters,
  };
  return {
    resource,
    callers: createCallers(ofServer, context),
    rules: scopes.length === 0 ? [] : [{ path, rule: { scope: scopes } }],
    refuse: ({ request }, error) =>
      refuseCaller({ config, origins, proofAlgorithms: algorithms, parameters }, request, error),
  };
}

/** A cookie does not count: any page that a user visits could make their browser send it. */
async function receiveCall(server: Served, called: GuardedCall): Promise<Received | "unguarded"> {
  const { resource, callers, rules } = server;
  const { request } = called;
  if (!isAllowedOrigin(resource, request)) return { response: wrongOrigin() };
  const guarded = { ...called, rules: [...called.rules, ...rules], isGuarded: true };
  const received = await callers.receive(guarded);
  if (received === null) return { response: noCredentials(server, called) };
  if (received !== "unguarded" && "admitted" in received) {
    rememberResource(received.admitted.auth, resource);
  }
  return received;
}

function noCredentials(server: Served, called: Called): ResponseParts {
  const error = new SignInRequired();
  const response = server.refuse(called, error);
  if (response === null) throw error;
  return response;
}

/** The app guards such a request itself: its session does not count either. */
async function admitCall(server: Served, called: Called) {
  const admitted = await server.callers.admit(called);
  if (admitted === null) return admitNobody(called, server);
  rememberResource(admitted.auth, server.resource);
  return admitted;
}

function admitNobody(called: Called, server?: Served) {
  const presented = { error: new SignInRequired() };
  const recover = (error: unknown) => server?.refuse(called, error) ?? null;
  return admitCaller(called, { presented, pathScopes: server?.resource.scopes ?? [], recover });
}

/** Without this check a page could call a server on the user's machine by DNS rebinding. */
function isAllowedOrigin({ origins }: Resource, { headers }: HostRequest): boolean {
  const origin = headers.get("origin");
  return origin === null || origins.includes(origin);
}

function wrongOrigin(): ResponseParts {
  const description = "Scripts of this origin may not call this MCP server.";
  return errorJSON({ error: "origin_not_allowed", description }, 403, noStore);
}

function ambiguousPath(): ResponseParts {
  const { error, message } = new TokenRefused("invalid_request", "The path is ambiguous.");
  return errorJSON({ error, description: message }, 400, noStore);
}

const noStore = [["Cache-Control", "no-store"]] as const;
