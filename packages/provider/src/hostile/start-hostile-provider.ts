import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopbackServer } from "../http/loopback-server.ts";
import type { Behavior, Endpoint, Members } from "./behavior.ts";
import type { BehaviorName } from "./behaviors/index.ts";
import { behaviorOf } from "./behaviors/index.ts";
import type { HostileClient } from "./client.ts";
import { defaultHostileClient } from "./client.ts";
import type { Complaint, Context } from "./context.ts";
import { complain, nowSeconds } from "./context.ts";
import { handleAuthorization } from "./endpoints/authorization.ts";
import { handleEndSession } from "./endpoints/end-session.ts";
import { handleIntrospection } from "./endpoints/introspection.ts";
import { handleKeys } from "./endpoints/keys.ts";
import { handleMetadata, endpointAt } from "./endpoints/metadata.ts";
import { handlePushed } from "./endpoints/pushed.ts";
import { handleToken } from "./endpoints/token.ts";
import { handleUserinfo } from "./endpoints/userinfo.ts";
import type { ResponseParts, Fault } from "./faults.ts";
import { json, send, sendFaulty } from "./faults.ts";
import { emptyGrants } from "./grants.ts";
import type { KeyRing } from "./key-ring.ts";
import { makeKeyRing } from "./key-ring.ts";
import type { SeenRequest } from "./request-log.ts";
import { readRequest } from "./request-log.ts";
import type { HostileSettings } from "./settings.ts";
import { defaultHostilePerson } from "./settings.ts";
import { startStranger } from "./stranger.ts";
import { mintAccessToken } from "./tokens/access-token.ts";
import { issueIDToken } from "./tokens/id-token.ts";
import { mintLogoutToken } from "./tokens/logout-token.ts";
import type { BrowserRequest } from "./user-agent.ts";
import { followAuthorization } from "./user-agent.ts";

/** A behavior by name, a behavior of your own, a combination of several, or `well`. */
export type Conduct = "well" | BehaviorName | Behavior | readonly (BehaviorName | Behavior)[];

/** A running hostile provider. */
export interface HostileProvider {
  readonly issuer: string;
  /** Scheme, host and port. */
  readonly url: string;
  readonly client: HostileClient;
  readonly person: Members;
  /** Every request since the start or the last `resetLog`, in the order of arrival. */
  readonly requests: readonly SeenRequest[];
  /** Rules broken by the relying party since the start or the last `resetLog`. */
  readonly complaints: readonly Complaint[];
  /** Another host, which the redirects and key addresses of hostile behaviors name. */
  readonly stranger: { readonly url: string; readonly requests: readonly SeenRequest[] };
  /** Changes how it behaves, from the next request on. */
  behave(conduct: Conduct): void;
  resetLog(): void;
  /** Requests to one endpoint. */
  requestsTo(endpoint: Endpoint): readonly SeenRequest[];
  /** Replaces all keys: tokens signed with the old ones no longer verify. */
  rotateKeys(): Promise<void>;
  /**
   * Opens an authorization URL as a browser does, and returns the browser's next request to the
   * application; `null` if the provider neither redirects nor posts.
   */
  visit(authorizationURL: string): Promise<BrowserRequest | null>;
  /** An ID token for the person, with the active behavior's faults; `request` as at sign-in. */
  mintIDToken(request?: Readonly<Record<string, string>>): string;
  /**
   * A JWT access token for `hostileAudience`, with the active behavior's faults of ID tokens;
   * `undefined` leaves a claim out.
   */
  mintAccessToken(overrides?: Members): string;
  /** A logout token, with the active behavior's faults; `undefined` leaves a claim out. */
  mintLogoutToken(overrides?: Members): string;
  close(): Promise<void>;
}

/** Starts a provider on localhost, without faults until a behavior is set. For tests only. */
export async function startHostileProvider(
  settings: HostileSettings = {},
): Promise<HostileProvider> {
  const requests: SeenRequest[] = [];
  const strangerRequests: SeenRequest[] = [];
  const keys = await makeKeyRing();
  const stranger = await startStranger(strangerRequests);
  const server = await startLoopbackServer(
    (message, response) =>
      void respond(context, requests, message, response).catch(() => response.destroy()),
    { port: settings.port, certificate: settings.tls },
  );
  const context = makeContext(settings, server.origin, stranger.origin, keys);
  return {
    issuer: context.issuer,
    url: server.origin,
    client: context.client,
    person: context.person,
    requests,
    complaints: context.complaints,
    stranger: { url: stranger.origin, requests: strangerRequests },
    behave: (conduct) => void (context.behaviors = behaviorsOf(conduct)),
    resetLog: () => {
      for (const log of [requests, strangerRequests, context.complaints]) log.splice(0);
    },
    requestsTo: (endpoint) => requests.filter((request) => request.endpoint === endpoint),
    rotateKeys: async () => void (context.keys = await makeKeyRing()),
    visit: followAuthorization,
    mintIDToken: (request = {}) => {
      const grant = { request, sid: context.lastSid, authTime: Math.floor(context.now() / 1000) };
      return issueIDToken(context, grant, "token", {});
    },
    mintAccessToken: (overrides = {}) => mintAccessToken(context, overrides),
    mintLogoutToken: (overrides = {}) => mintLogoutToken(context, overrides),
    close: async () => {
      await Promise.all([server.close(), stranger.close()]);
    },
  };
}

function makeContext(
  settings: HostileSettings,
  origin: string,
  strangerURL: string,
  keys: KeyRing,
): Context {
  return {
    origin,
    issuer: `${origin}${settings.issuerPath ?? ""}`,
    client: { ...defaultHostileClient, ...settings.client },
    person: settings.person ?? defaultHostilePerson,
    claimsIn: settings.claimsIn ?? "id-token",
    strangerURL,
    now: settings.now ?? Date.now,
    grants: emptyGrants(),
    issuedIDTokens: [],
    complaints: [],
    usedAssertions: new Set(),
    behaviors: behaviorsOf(settings.behavior ?? "well"),
    keys,
    lastSid: "sid-before-any-sign-in",
  };
}

function behaviorsOf(conduct: Conduct): readonly Behavior[] {
  if (conduct === "well") return [];
  const list = isList(conduct) ? conduct : [conduct];
  return list.map((item) => (typeof item === "string" ? behaviorOf(item).behavior : item));
}

function isList(
  conduct: Exclude<Conduct, "well">,
): conduct is readonly (BehaviorName | Behavior)[] {
  return Array.isArray(conduct);
}

/**
 * Paths of requests that are no fault of the application: the icon for a browser, and `/` for a
 * test that looks for its own server, which had this port before.
 */
const pathsOfOthers: ReadonlySet<string> = new Set(["/", "/favicon.ico"]);

async function respond(
  context: Context,
  requests: SeenRequest[],
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const seen = await readRequest(message, (path, form) => endpointAt(context, path, form));
  requests.push(seen);
  response.setHeader("Date", new Date(nowSeconds(context) * 1000).toUTCString());
  if (seen.endpoint === undefined) {
    if (!pathsOfOthers.has(seen.path)) complain(context, "CERT-011", `nothing is at ${seen.path}`);
    return send(response, json({ error: "not_found" }, 404));
  }
  const fault = faultAt(context, requests, seen.endpoint);
  const good = await goodResponse(context, seen, seen.endpoint);
  if (fault === undefined) return send(response, good);
  sendFaulty(response, fault, good, `${context.strangerURL}${seen.path}`);
}

function faultAt(
  context: Context,
  requests: readonly SeenRequest[],
  endpoint: Endpoint,
): Fault | undefined {
  const fault = context.behaviors.findLast(({ faults }) => faults?.[endpoint])?.faults?.[endpoint];
  const nth = requests.filter((request) => request.endpoint === endpoint).length;
  return typeof fault === "function" ? fault(nth) : fault;
}

function goodResponse(
  context: Context,
  seen: SeenRequest,
  endpoint: Endpoint,
): ResponseParts | Promise<ResponseParts> {
  switch (endpoint) {
    case "metadata":
      return handleMetadata(context);
    case "keys":
      return handleKeys(context);
    case "authorization":
      return handleAuthorization(context, seen);
    case "pushed":
      return handlePushed(context, seen);
    case "token":
    case "refresh":
      return handleToken(context, seen);
    case "userinfo":
      return handleUserinfo(context, seen);
    case "introspection":
      return handleIntrospection(context);
    case "end-session":
      return handleEndSession(context, seen);
  }
}
