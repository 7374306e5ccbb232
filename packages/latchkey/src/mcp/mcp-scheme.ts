import { admitCaller } from "../api/admit.ts";
import { createBearerScheme } from "../api/bearer-scheme.ts";
import { isPreflight } from "../api/cross-origin.ts";
import { proofAlgorithms } from "../api/dpop.ts";
import { refuseCaller } from "../api/refuse.ts";
import { TokenRefused } from "../api/token-refused.ts";
import type { PathRule } from "../config/access-rule.ts";
import type { Config } from "../config/config.ts";
import { Forbidden, SignInRequired } from "../errors/access-errors.ts";
import type { AdmittedRequest, Received } from "../host/admitted-request.ts";
import type { Engine } from "../host/engine.ts";
import type { OpenedPart } from "../host/part.ts";
import type { Call, GuardedCall, Scheme } from "../host/scheme.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { errorJSON } from "../http/error-json.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { SessionData } from "../session/session.ts";
import { rememberResource } from "./auth-info.ts";
import { allowMcp, exposedHeaders, isAllowedOrigin } from "./cross-origin.ts";
import { findMetadata, findResource } from "./find-resource.ts";
import { metadataResponse } from "./metadata-response.ts";
import { type Resource, resourcesOf } from "./resource.ts";
import type { McpOptions } from "./settings.ts";

/** An MCP server, and what authenticates its callers. */
interface Served {
  readonly resource: Resource;
  readonly bearer: Scheme;
  readonly rules: readonly PathRule<SessionData>[];
  /** Responds with an error of ours. */
  refuse(call: Call, error: unknown): ResponseParts | null;
}

/** Creates the metadata of MCP servers, their scheme, and the one of the API beside them. */
export function openMcp(options: McpOptions, engine: Engine): OpenedPart {
  const { servers: _servers, api, ...tokens } = options;
  const serversAt = createServersAt(options, engine);
  const beside = api === undefined ? [] : [createBearerScheme({ ...tokens, ...api }, engine)];
  return {
    routes({ config }, { method }, target) {
      const document = findMetadata([...serversAt(config).keys()], target);
      return document === undefined ? null : metadataResponse(document, method);
    },
    schemes: [createMcpScheme(serversAt), ...beside],
  };
}

/** The servers at one site, by their resources. */
type Servers = ReadonlyMap<Resource, Served>;

/** Returns what gives the servers at each site: a resource is named by its address. */
function createServersAt(options: McpOptions, engine: Engine): (config: Config) => Servers {
  const { servers: _servers, api: _api, ...tokens } = options;
  const known = new WeakMap<Config, Servers>();
  return (config) => {
    const made =
      known.get(config) ??
      new Map(
        resourcesOf({ ...engine, config }, options).map((each) => [
          each,
          serve({ ...engine, config }, tokens, each),
        ]),
      );
    known.set(config, made);
    return made;
  };
}

type TokensOfAll = Omit<McpOptions, "servers" | "api">;

function createMcpScheme(serversAt: (config: Config) => Servers): Scheme {
  /** @returns `null` for a request to another path */
  function find({ context: { config }, exchange }: Call): Served | "ambiguous" | null {
    const servers = serversAt(config);
    const found = findResource([...servers.keys()], config, exchange.request);
    return found === "ambiguous" || found === null ? found : (servers.get(found) ?? null);
  }

  return {
    async receive(call) {
      const server = find(call);
      if (server === "ambiguous") return { response: refusePath(ambiguousPath()) };
      return server === null ? "passed" : receiveCall(server, call);
    },
    async admit(call) {
      const server = find(call);
      if (server === "ambiguous") return admitAmbiguous(call);
      return server === null ? "passed" : admitCall(server, call);
    },
    // No request for a server comes so far: its session does not count.
    challenge: () => null,
  };
}

function serve(
  engine: Engine,
  { issuers = [], ...tokens }: TokensOfAll,
  resource: Resource,
): Served {
  const { config } = engine;
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
    bearer: createBearerScheme(ofServer, engine),
    rules: scopes.length === 0 ? [] : [{ path, rule: { scope: scopes } }],
    refuse: ({ exchange: { request } }, error) =>
      refuseCaller({ config, origins, proofAlgorithms: algorithms, parameters }, request, error),
  };
}

/** A cookie does not count: any page that a user visits could make their browser send it. */
async function receiveCall(server: Served, call: GuardedCall): Promise<Received> {
  const { resource, bearer, rules } = server;
  const { request } = call.exchange;
  if (!isAllowedOrigin(resource, request)) return { response: wrongOrigin() };
  if (isPreflight(request)) return { response: allowMcp(resource, request) };
  const guarded = { ...call, rules: [...call.rules, ...rules], isGuarded: true };
  const received = await bearer.receive(guarded);
  if (typeof received === "string") return { response: noCredentials(server, call) };
  return "admitted" in received
    ? { admitted: admitTo(server, request, received.admitted) }
    : received;
}

function admitTo(
  { resource }: Served,
  request: HostRequest,
  admitted: AdmittedRequest,
): AdmittedRequest {
  rememberResource(admitted.auth, resource);
  const exposed = exposedHeaders(request);
  return { ...admitted, commit: () => [...admitted.commit(), ...exposed] };
}

function noCredentials(server: Served, call: Call): ResponseParts {
  const error = new SignInRequired();
  const response = server.refuse(call, error);
  if (response === null) throw error;
  return response;
}

/** The app guards such a request itself: its session does not count either. */
async function admitCall(server: Served, call: Call): Promise<AdmittedRequest> {
  const { resource, bearer } = server;
  const isAllowed = isAllowedOrigin(resource, call.exchange.request);
  const admitted = isAllowed ? await bearer.admit(call) : "passed";
  if (admitted !== "passed") return admitTo(server, call.exchange.request, admitted);
  const error = isAllowed ? new SignInRequired() : new Forbidden();
  const nobody = admitNobody(call, error, (thrown) => server.refuse(call, thrown));
  rememberResource(nobody.auth, resource);
  return nobody;
}

function admitAmbiguous(call: Call): AdmittedRequest {
  const error = ambiguousPath();
  return admitNobody(call, error, (thrown) => (thrown === error ? refusePath(error) : null));
}

/** @param error - what the app gets when it requires a caller */
function admitNobody(
  call: Call,
  error: Error,
  recover: (thrown: unknown) => ResponseParts | null,
): AdmittedRequest {
  return admitCaller(call, { presented: { principal: null, error }, pathScopes: [], recover });
}

function wrongOrigin(): ResponseParts {
  const description = "Scripts of this origin may not call this MCP server.";
  return errorJSON({ error: "origin_not_allowed", description }, 403, noStore);
}

function ambiguousPath(): TokenRefused {
  return new TokenRefused("invalid_request", "The path is ambiguous.");
}

function refusePath({ error, message, status }: TokenRefused): ResponseParts {
  return errorJSON({ error, description: message }, status, noStore);
}

const noStore = [["Cache-Control", "no-store"]] as const;
