import { type Context, withConnection } from "../context.ts";
import { belongsInStore } from "../session/place.ts";
import type { StoredSession } from "../session/session.ts";
import type { Exchange } from "../request/exchange.ts";
import { observeRefresh, type Refresh } from "./refresh.ts";
import { refreshInCookie } from "./refresh-in-cookie.ts";
import { refreshInStore } from "./refresh-in-store.ts";

/** Which token of a session is to be refreshed. */
export type RefreshRequest = Pick<Refresh, "stored" | "isForced" | "wanted">;

/**
 * Refreshes the tokens of a session. In the store, one instance at a time sends its refresh
 * token; in a cookie, one request of this process at a time. Other requests use its result, or the
 * token at hand while it is good.
 *
 * @returns the session, with a good access token
 * @throws {AccessTokenError} `ERR_FAILED_REFRESH_GRANT`, `ERR_REFRESH_UNDER_WAY`,
 *   `ERR_MISSING_SESSION`
 * @throws {Refusal} `store_unavailable`: the token at hand has expired, and the store cannot keep a
 *   new one
 * @throws {LatchkeyError} `ERR_HEADERS_SENT`
 */
export async function refreshSession(
  context: Context,
  exchange: Exchange,
  { stored, isForced, wanted }: RefreshRequest,
): Promise<StoredSession> {
  const isInStore = livesInStore(context, stored);
  // Only the response keeps what a refresh of a cookie brings.
  if (!isInStore) exchange.checkOpen();
  const begunAt = context.timing.monotonic();
  const connection = context.connections.ofSession(stored.header);
  const session = { connection, exchange, stored, wanted };
  const named = withConnection(context, connection);
  const refresh = { context: named, ...session, isForced, begunAt, reported: {} };
  return observeRefresh(refresh, () =>
    isInStore ? refreshInStore(refresh) : refreshInCookie(refresh),
  );
}

function livesInStore({ store, config }: Context, { record, data }: StoredSession): boolean {
  return record !== null || (store !== null && belongsInStore(config.session.stateful, data));
}
