import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import type { ClientNavigation, HostRequest, RequestBody } from "../../http/auth-request.ts";
import { originForm } from "../../http/request-target.ts";
import { droppedBodyOf } from "./dropped-body.ts";
import { commitAtHead, write } from "./node-response.ts";

/** A request that has passed sign-in. */
export type SignedRequest = IncomingMessage & { auth: RequestAuth };

/**
 * Takes a Node request in: writes our own responses, or hands over a request that may go on. The session's
 * headers are added when the head of the response leaves.
 *
 * @param framework - what it knows, where it keeps that elsewhere than Express
 * @returns `null` where the request was answered
 */
export async function open(
  { host }: Auth,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  framework?: FrameworkRequest,
): Promise<AdmittedRequest | null> {
  const known = host.admittedOf(incoming);
  if (known !== undefined) return known;
  const toRequest = (origin: string) => hostRequest(incoming, origin, framework);
  const received = await host.receive(incoming, toRequest, framework?.outer);
  if ("response" in received) {
    write(received.response, outgoing);
    return null;
  }
  const { admitted } = received;
  (incoming as SignedRequest).auth = admitted.auth;
  commitAtHead(admitted, outgoing);
  return admitted;
}

/** What a framework knows of a request. */
export interface FrameworkRequest {
  /** The target as the client sent it. */
  readonly sent: string;
  /**
   * What the framework has taken from `url` because sign-in is mounted below a path. Where it is told, a `url`
   * that differs in more than that was rewritten.
   */
  readonly mountPath?: string;
  /** Path of its error page, where it makes the request to itself. */
  readonly errorPage?: string | undefined;
  /** Present where the framework's own client asks. */
  readonly clientNavigation?: ClientNavigation | undefined;
  /** The request in whose course the app makes this one to itself. */
  readonly outer?: AdmittedRequest | undefined;
  /** What a body parser has made of the body by then. */
  readonly parsed?: () => unknown;
}

/**
 * A Node request as a host request. The target is the one that the client sent, whatever became of `url` since.
 *
 * @param origin - of the base URL
 */
export function hostRequest(
  incoming: IncomingMessage,
  origin: string,
  {
    sent: target,
    mountPath,
    parsed,
    errorPage,
    clientNavigation,
  }: FrameworkRequest = expressRequest(incoming),
): HostRequest {
  const { method = "GET", headers, socket } = incoming;
  return {
    method,
    target,
    rewrittenTarget: rewrittenTarget(incoming, target, mountPath),
    url: origin + originForm(target),
    headers: { get: (name) => headerOf(headers, name.toLowerCase()) },
    remoteAddress: socket.remoteAddress,
    errorPage,
    clientNavigation,
    body: async () => bodyOf(incoming, parsed?.()),
  };
}

/** Clients of HTTP/2 name the host in `:authority`, and leave out `Host` (RFC 9113, section 8.3.1). */
function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name] ?? (name === "host" ? headers[":authority"] : undefined);
  return value?.toString() ?? null;
}

/** Express keeps the target in `originalUrl`, and tells in `baseUrl` what it took from it. */
export function expressRequest(incoming: IncomingMessage): FrameworkRequest {
  const request = incoming as ExpressRequest;
  const { originalUrl = incoming.url ?? "/", baseUrl } = request;
  const mountPath = typeof baseUrl === "string" ? { mountPath: baseUrl } : {};
  return { sent: String(originalUrl), ...mountPath, parsed: () => request.body };
}

/** Any of it may be missing, or somebody else's. */
type ExpressRequest = IncomingMessage & Record<"originalUrl" | "baseUrl" | "body", unknown>;

function rewrittenTarget(
  { url = "/" }: IncomingMessage,
  sent: string,
  mountPath: string | undefined,
): string | undefined {
  if (mountPath === undefined) return undefined;
  const target = mountPath + url;
  if (target === sent) return undefined;
  // Below a path, Express puts a slash before what is left, also where there was none.
  return mountPath + url.replace(/^\/(?=\?|$)/, "") === sent ? undefined : target;
}

/**
 * After a body parser the stream is empty, and its result is all that is left. Older parsers leave an empty
 * object where they have read nothing.
 */
function bodyOf(incoming: IncomingMessage, parsed: unknown): RequestBody {
  if (!incoming.readableDidRead && !incoming.readableEnded) return chunksOf(incoming);
  const body = droppedBodyOf(incoming) ?? parsed;
  return typeof body === "string" || typeof body === "object" ? body : null;
}

/**
 * Whoever reads no further than a limit would destroy the request: Node closes the connection then, and takes the socket
 * from the request, where libraries look for it. What is left flows to nobody, so that the next request comes.
 */
async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array | string> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } finally {
    incoming.resume();
  }
}
