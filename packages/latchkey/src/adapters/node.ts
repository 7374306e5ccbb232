import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

import type { Auth } from "../auth.ts";
import type { HeaderList } from "../http/headers.ts";

export { readInPlace, writeAnswer } from "./direct.node.ts";
export { authFromEnvironment, type GivenOptions } from "./environment.ts";
export { openStore } from "./open-store.ts";

type Next = (error?: unknown) => void;

/** A Node request handler that can pass on: Express, Connect, Polka, or plain `node:http`. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

const requests = new WeakMap<IncomingMessage, Request>();

/**
 * Sign-in as one middleware for Express and its kin: answers the auth routes, guards everything that is not
 * public, and puts the session's headers on what the app answers.
 *
 * Handlers read the session with `auth.visit(requestOf(auth, request))`.
 */
export function signIn(auth: Auth): NodeHandler {
  return (incoming, outgoing, next) => {
    void answerOrPass(auth, incoming, outgoing, next);
  };
}

async function answerOrPass(
  auth: Auth,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next: Next,
): Promise<void> {
  let passed: boolean;
  try {
    passed = await protect(auth, requestOf(auth, incoming), outgoing);
  } catch (error) {
    next(error);
    return;
  }
  if (passed) next();
}

/** The Web request for a Node request: one and the same, however often it is asked for. */
export function requestOf({ config }: Auth, incoming: IncomingMessage): Request {
  const known = requests.get(incoming);
  if (known !== undefined) return known;
  const { method = "GET" } = incoming;
  const address = "originalUrl" in incoming ? String(incoming.originalUrl) : (incoming.url ?? "/");
  const hasBody = method !== "GET" && method !== "HEAD";
  // The host that a client names decides nothing: addresses are those of the base URL.
  const request = new Request(new URL(address, config.origin), {
    method,
    headers: headersOf(incoming),
    ...(hasBody ? { body: bodyOf(incoming), duplex: "half" } : {}),
  });
  requests.set(incoming, request);
  return request;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(":")) list.set(name, String(value));
  }
  return list;
}

/** A form parser that ran before us has emptied the stream: then what it found is put back together. */
function bodyOf(incoming: IncomingMessage): BodyInit {
  const parsed: unknown = "body" in incoming ? incoming.body : undefined;
  return typeof parsed === "object" && parsed !== null && incoming.readableEnded
    ? new URLSearchParams(parsed as Record<string, string>)
    : (Readable.toWeb(incoming) as ReadableStream);
}

async function protect(auth: Auth, request: Request, outgoing: ServerResponse): Promise<boolean> {
  const answer = await auth.handle(request);
  if (answer !== undefined) return send(answer, outgoing);
  const guarded = await auth.guard(request);
  if (!guarded.passed) return send(guarded.response, outgoing);
  if (guarded.visit !== undefined) put(guarded.visit.headers, outgoing);
  return true;
}

function put(headers: HeaderList, outgoing: ServerResponse): void {
  for (const [name, value] of headers) {
    if (name === "Set-Cookie") outgoing.appendHeader(name, value);
    else outgoing.setHeader(name, value);
  }
}

async function send(answer: Response, outgoing: ServerResponse): Promise<false> {
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  for (const cookie of answer.headers.getSetCookie()) outgoing.appendHeader("Set-Cookie", cookie);
  outgoing.end(new Uint8Array(await answer.arrayBuffer()));
  return false;
}
