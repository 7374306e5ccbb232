import type { IncomingMessage, ServerResponse } from "node:http";

import { type Answer, type Auth, type HeaderList, type Session, toResponse } from "latchkey";
import { readInPlace, writeAnswer } from "latchkey/node";

import { compressPage } from "./content-coding.ts";

/** Data that only signed-in people get, by path: what the answer says is made from the session. */
export type DataRoutes = ReadonlyMap<string, (session: Session) => unknown>;

/** Answers a request, or leaves it to the app: `false`. */
export type DirectAnswers = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<boolean>;

interface DirectParts {
  readonly auth: Auth;
  readonly data: DataRoutes;
  /** Carried by every answer. */
  readonly headers: HeaderList;
}

/**
 * The shortest way for what is asked most often: the auth routes and the data of signed-in people, from Node's
 * request to Node's response with nothing in between.
 */
export function createDirectAnswers({ auth, data, headers }: DirectParts): DirectAnswers {
  return async (incoming, outgoing) => {
    const request = readInPlace(auth, incoming);
    if (request === null) return false;
    const answer = await (auth.answer(request) ?? dataAnswer(auth, data, request));
    if (answer === null) return false;
    if (isPage(answer)) await writePage(request, answer, { outgoing, headers });
    else writeAnswer(answer, outgoing, headers);
    return true;
  };
}

async function dataAnswer(auth: Auth, data: DataRoutes, request: Request): Promise<Answer | null> {
  const path = request.url.slice(auth.config.baseURL.length);
  const make = request.method === "GET" ? data.get(path) : undefined;
  if (make === undefined) return null;
  const { session, headers } = await auth.visit(request);
  // Without a session the app's guard has the word.
  if (session === null) return null;
  return {
    status: 200,
    headers: [["Content-Type", "application/json; charset=utf-8"], ...headers],
    body: JSON.stringify(make(session)),
  };
}

function isPage({ headers }: Answer): boolean {
  return headers.some(([name, value]) => name === "Content-Type" && value.startsWith("text/html"));
}

async function writePage(
  request: Request,
  answer: Answer,
  { outgoing, headers }: { readonly outgoing: ServerResponse; readonly headers: HeaderList },
): Promise<void> {
  const response = await compressPage(request, toResponse(answer));
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  outgoing.setHeaders(response.headers);
  outgoing.statusCode = response.status;
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}
