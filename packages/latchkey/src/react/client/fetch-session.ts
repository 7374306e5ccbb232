import type { Claims } from "./claims.ts";
import type { Paths } from "./paths.ts";
import { RequestError } from "./request-error.ts";
import type { SessionState } from "./session-state.ts";
import { UNKNOWN_TIMES } from "./session-times.ts";
import { isClaimsOrNull, isPeekResult, type Names, type PeekResult } from "./wire.ts";

/** Gets a value of the expected form from one of the server's addresses. */
export type Get = <T>(path: keyof Paths, isExpected: (value: unknown) => value is T) => Promise<T>;

export interface FetchedSession {
  readonly peek: PeekResult;
  readonly user: Claims | null;
  /** Set if the times could not be fetched and `peek` was derived from the user. */
  readonly error?: RequestError;
}

/**
 * Fetches the user and the times of the session. While nothing is known, requests both together,
 * and accepts the user alone. To renew, requests the user first, since this request renews.
 * Otherwise requests the user only if another one is signed in now.
 *
 * @param now - the server's clock as far as it is known, in epoch seconds
 * @throws {RequestError} If a request fails.
 */
export async function fetchSession(
  get: Get,
  state: SessionState<Claims>,
  renew: boolean,
  now: number,
): Promise<FetchedSession> {
  const { status, user: known } = state;
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
  const isAnother = peek.state === "signed-in" && (peek.sub !== user?.sub || isMoved(state, peek));
  return { peek, user: isAnother ? await fetchUser() : user };
}

/** Whether the same `sub` is now that of another provider. */
function isMoved(state: SessionState<Claims>, { identity }: Names): boolean {
  const before = state.status === "signed-in" ? state.identity : undefined;
  return before && identity ? before.id !== identity.id : false;
}

function peekFromUser(user: Claims | null, now: number): PeekResult {
  if (user === null) return { state: "signed-out", now };
  return { state: "signed-in", now, sub: user.sub, ...UNKNOWN_TIMES };
}
