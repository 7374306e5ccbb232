import type { Claims } from "./claims.ts";
import type { Paths } from "./paths.ts";
import { RequestError } from "./request-error.ts";
import type { SessionState } from "./session-state.ts";
import { UNKNOWN_TIMES } from "./session-times.ts";
import { isClaimsOrNull, isPeekResult, type PeekResult } from "./wire.ts";

/** Gets a value that has the expected form from one of the server's addresses. */
export type Get = <T>(path: keyof Paths, isExpected: (value: unknown) => value is T) => Promise<T>;

export interface FetchedSession {
  readonly peek: PeekResult;
  readonly user: Claims | null;
  /** Why `peek` is made up from the person, where the times could not be fetched. */
  readonly error?: RequestError;
}

/**
 * Fetches who is signed in, and until when. While nothing is known, both are requested together,
 * and the person alone is enough. To renew, the person is requested first, since that request
 * renews. Otherwise the person is requested only where another one is signed in now.
 *
 * @param now - the server's clock as far as it is known, in epoch seconds
 * @throws {RequestError} When the server could not be asked.
 */
export async function fetchSession(
  get: Get,
  { status, user: known }: SessionState<Claims>,
  renew: boolean,
  now: number,
): Promise<FetchedSession> {
  const isLoading = status === "loading";
  const fetchUser = () => get("me", isClaimsOrNull);
  const fetchPeek = () => get("session", isPeekResult);
  const me = renew || isLoading ? fetchUser() : Promise.resolve(known);
  const session = renew ? me.then(fetchPeek) : fetchPeek();
  const [user, peek] = await Promise.all([
    me,
    isLoading ? session.catch((error: RequestError) => error) : session,
  ]);
  if (peek instanceof RequestError) return { peek: peekFromUser(user, now), user, error: peek };
  const isAnother = peek.state === "signed-in" && peek.sub !== user?.sub;
  return { peek, user: isAnother ? await fetchUser() : user };
}

function peekFromUser(user: Claims | null, now: number): PeekResult {
  if (user === null) return { state: "signed-out", now };
  return { state: "signed-in", now, sub: user.sub, ...UNKNOWN_TIMES };
}
