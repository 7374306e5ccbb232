import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import type { HostRequest, PageClient, RequestBody } from "../../http/auth-request.ts";
import { originForm } from "../../http/request-target.ts";
import { droppedBodyOf } from "./dropped-body.ts";
import { commitAtHead, write } from "./node-response.ts";

/** A request that has passed sign-in. */
export type SignedRequest = IncomingMessage & { auth: RequestAuth };

/**
 * Answers a Node request, or admits it. The session's headers are added when the head of the
 * response leaves.
 *
 * @param framework - facts which a framework keeps elsewhere than Express
 * @returns `null` if the request was answered
 */
export async function open(
  { host }: Auth,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  framework: FrameworkRequest = expressRequest(incoming),
): Promise<AdmittedRequest | null> {
  const known = host.admittedOf(incoming);
  if (known !== undefined) return known;
  const toRequest = (origin: string) => hostRequest(incoming, origin, framework);
  const received =
    framework.isUnguarded === true
      ? { admitted: await host.receiveUnguarded(toRequest, framework.outer) }
      : await host.receive(incoming, toRequest, framework.outer);
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
   * The path below which sign-in is mounted, and which the framework took from `url`. If it is
   * known, any other difference between `url` and `sent` is a rewrite.
   */
  readonly mountPath?: string;
  /** Present if the framework's own client sends the request. */
  readonly pageClient?: PageClient | undefined;
  /** The outer request, for internal sub-requests. */
  readonly outer?: AdmittedRequest | undefined;
  /**
   * Whether the request passes without a guard, as a sub-request for the framework's own error
   * page.
   */
  readonly isUnguarded?: boolean;
  /** Returns the body as a parser has left it. */
  readonly parsed?: () => unknown;
}

/**
 * A Node request as a host request. Its target is the one sent by the client, whatever became of
 * `url`.
 *
 * @param origin - of the base URL
 */
export function hostRequest(
  incoming: IncomingMessage,
  origin: string,
  { sent: target, mountPath, parsed, pageClient }: FrameworkRequest = expressRequest(incoming),
): HostRequest {
  const { method = "GET", socket } = incoming;
  return {
    method,
    target,
    otherTargets: rewrittenTarget(incoming, target, mountPath),
    url: origin + originForm(target),
    headers: { get: (name) => headerOf(incoming, name.toLowerCase()) },
    remoteAddress: socket.remoteAddress,
    encrypted: "encrypted" in socket,
    pageClient,
    body: async () => bodyOf(incoming, parsed?.()),
  };
}

function headerOf(incoming: IncomingMessage, name: string): string | null {
  if (name === "host") return hostOf(incoming);
  if (name === "authorization") {
    const sent = sentLines(incoming, name);
    if (sent.length > 1) return sent.join(", ");
  }
  return incoming.headers[name]?.toString() ?? null;
}

/** Node keeps the first line of some headers alone. Which one would another server take? */
function sentLines({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.filter((_, nth) => nth % 2 === 1 && isNamed(rawHeaders[nth - 1], name));
}

/**
 * HTTP/2 clients send the host in `:authority`, most of them without `Host` (RFC 9113, section
 * 8.3.1). Two that differ become a list, which is no host.
 */
function hostOf(incoming: IncomingMessage): string | null {
  const { host, ":authority": authority = host } = incoming.headers;
  const lines = sentLines(incoming, "host");
  const other = host === undefined || host === authority ? [] : [host];
  const named = lines.length > 1 ? lines : [authority ?? [], other].flat();
  return named.length === 0 ? null : named.join(", ");
}

function isNamed(raw: string | undefined, name: string): boolean {
  return raw?.toLowerCase() === name;
}

/** Express keeps the target in `originalUrl`, and the mount path in `baseUrl`. */
export function expressRequest(incoming: IncomingMessage): FrameworkRequest {
  const request = incoming as ExpressRequest;
  const { originalUrl = incoming.url ?? "/", baseUrl } = request;
  const mountPath = typeof baseUrl === "string" ? { mountPath: baseUrl } : {};
  return { sent: String(originalUrl), ...mountPath, parsed: () => request.body };
}

/** Each may be missing, or set by other code. */
type ExpressRequest = IncomingMessage & Record<"originalUrl" | "baseUrl" | "body", unknown>;

function rewrittenTarget(
  { url = "/" }: IncomingMessage,
  sent: string,
  mountPath: string | undefined,
): readonly string[] {
  if (mountPath === undefined) return [];
  const target = mountPath + url;
  // Below a path, Express puts a slash before the rest even if there was none.
  const isSame = target === sent || mountPath + url.replace(/^\/(?=\?|$)/, "") === sent;
  return isSame ? [] : [target];
}

/**
 * After a body parser the stream is empty, and only its result is left. Older parsers leave an
 * empty object if they have read nothing.
 */
function bodyOf(incoming: IncomingMessage, parsed: unknown): RequestBody {
  if (!incoming.readableDidRead && !incoming.readableEnded) return chunksOf(incoming);
  const body = droppedBodyOf(incoming) ?? parsed;
  return typeof body === "string" || typeof body === "object" ? body : null;
}

/**
 * By default, a reader that stops at a limit destroys the request: Node then closes the connection
 * and removes `request.socket`, which libraries read. Here the rest is discarded, and the
 * connection stays usable.
 */
async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array | string> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false });
  } finally {
    incoming.resume();
  }
}
