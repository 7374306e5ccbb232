import type { IncomingMessage, ServerResponse } from "node:http";

import {
  andThen,
  type Answer,
  type Auth,
  type Awaitable,
  type HeaderList,
  type Session,
} from "latchkey";
import { readInPlace, writeAnswer } from "latchkey/node";

/** Data that only signed-in people get, by path: what the answer says is made from the session. */
export type DataRoutes = ReadonlyMap<string, (session: Session) => unknown>;

/** Answers a request, or leaves it to the app and says `false`. */
export type DirectAnswers = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Awaitable<boolean>;

interface DirectOptions {
  readonly auth: Auth;
  readonly data: DataRoutes;
  /** Carried by every answer. */
  readonly headers: HeaderList;
}

/**
 * The shortest way for what is asked most often: the auth routes and the data of signed-in people, from Node's
 * request to Node's response with nothing in between.
 */
export function createDirectAnswers({ auth, data, headers }: DirectOptions): DirectAnswers {
  return (incoming, outgoing) => {
    const request = readInPlace(auth, incoming);
    if (request === null) return false;
    const answer = auth.answer(request) ?? dataAnswer(auth, data, request);
    if (answer === null) return false;
    return andThen(answer, (made) => {
      writeAnswer(made, outgoing, headers);
      return true;
    });
  };
}

/** `null` where the path is not that of data. */
function dataAnswer(auth: Auth, data: DataRoutes, request: Request): Awaitable<Answer> | null {
  const path = request.url.slice(auth.config.baseURL.length);
  const make = request.method === "GET" ? data.get(path) : undefined;
  return make === undefined ? null : protectedAnswer(auth, make, request);
}

function protectedAnswer(
  auth: Auth,
  make: (session: Session) => unknown,
  request: Request,
): Awaitable<Answer> {
  return andThen(auth.protect(request), (guarded) =>
    guarded.passed
      ? andThen(guarded.visit ?? auth.visit(request), ({ session, headers }) => ({
          status: 200,
          headers: [["Content-Type", "application/json; charset=utf-8"], ...headers],
          body: JSON.stringify(session === null ? null : make(session)),
        }))
      : guarded.answer,
  );
}
