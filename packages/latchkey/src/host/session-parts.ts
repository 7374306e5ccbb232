import { ambient } from "../config/ambient.ts";
import type { Config } from "../config/config.ts";
import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { Context } from "../context.ts";
import { keyRingInForce } from "../crypto/key-ring.ts";
import { createChunkedCookie } from "../http/cookies.ts";
import { createRecentMap } from "../recent-map.ts";
import { createEndedList } from "../session/ends/ended-list.ts";
import { uncheckedMarks } from "../session/ends/unchecked-marks.ts";
import { withPendingEnds } from "../session/ends/with-pending-ends.ts";
import { markLife } from "../session/lifetime.ts";
import type { SessionReader } from "../session/read-session.ts";
import { createSessionSeal } from "../session/seal.ts";
import { registrationOf } from "../session/session-handle.ts";
import { createSessionKeys } from "../session/session-keys.ts";
import { createSessionRecords } from "../session/session-records.ts";
import { createSessions } from "../session/sessions.ts";
import { createRefreshTickets } from "../session/tickets/refresh-tickets.ts";
import { createUserSessions } from "../session/user-sessions.ts";
import type { InstanceClock } from "./instance-clock.ts";

/** Hardly a response takes longer to begin. */
const longestRequestMs = 60_000;

/** What keeps sessions, put together. */
export function sessionParts(config: Config, parts: Parts) {
  const { store, observer, clock, sharedClock, randomText } = parts;
  const registration = registrationOf(config);
  const { name, cookie, transient, lifetime, stateful, requireIssuer } = config.session;
  // A sign-in that was started before a mark may still be finished after it, and be unused from then on.
  const keepSeconds = transactionLifetimeSeconds + markLife(lifetime) + config.clockTolerance;
  const forEnds = { registration, keepSeconds, clock, sharedClock };
  const ended = store && createEndedList({ store, ...forEnds });
  const sessionKeys = createSessionKeys({ config, observer, clock });
  const seal = createSessionSeal({ keys: sessionKeys.ring, registration, requireIssuer });
  const keys = keyRingInForce(config, "refresh");
  const tickets = createRefreshTickets({ registration, store, keys, clock });
  const records = store && createSessionRecords({ store, seal, lifetime });
  const kept = { clock, keepMs: longestRequestMs, atMost: 10_000 };
  const recentChanges: Context["recentChanges"] = createRecentMap(kept);
  const listeners = createListeners(config, parts);
  return {
    sessionKeys,
    reader: {
      name,
      seal,
      store: storeToAsk(config, parts),
      stateful,
      tickets,
      lifetime,
      ...listeners,
    },
    sessions: createSessions({
      config,
      registration,
      seal,
      cookie: createChunkedCookie(name, cookie, transient),
      measure: observer.measure,
      records,
      ended,
      onEnd: (id, ending) => recentChanges.set(id, ending),
      clock,
      randomText,
    }),
    recentChanges,
    tickets,
    ended,
    userSessions: stateful ? store && createUserSessions({ seal, store }) : null,
  };
}

interface Parts extends Pick<
  Context,
  "store" | "pendingEnds" | "observer" | "clock" | "randomText" | "warnOnce"
> {
  readonly sharedClock: InstanceClock["shared"];
}

/** The store as a read asks it: with the ends that it could not be told, and unchecked while it is down, if that is wanted. */
function storeToAsk({ session }: Config, { store, pendingEnds, observer: { log } }: Parts) {
  if (store === null) return null;
  const isServed = session.whenStoreIsDown === "serve";
  const asked = isServed ? uncheckedMarks({ store, log, clock: ambient.monotonic }) : store;
  return withPendingEnds(asked, pendingEnds);
}

const logAgainMs = 60_000;

/**
 * Tells of sessions that are left alone: once, and of those that none of our keys sealed once a minute for each key, since
 * every request of their browsers brings them again.
 */
function createListeners(
  { session: { name } }: Config,
  { observer: { log, measure }, clock, warnOnce }: Parts,
): Pick<SessionReader, "onForeign" | "onStoreMissing" | "onUnknownKey"> {
  const logged = createRecentMap<true>({ clock, keepMs: logAgainMs, atMost: 100 });
  return {
    onForeign: () =>
      warnOnce(
        "foreign-cookie",
        `A request carried a cookie ${name} that names another issuer or client: it is left alone. Where several apps share a host, give each its own LATCHKEY_SESSION_NAME.`,
      ),
    onStoreMissing: () =>
      warnOnce(
        "store-missing",
        "A request carried a session that lives in a store, and there is none here: it is left alone. Give every instance the same LATCHKEY_STORE.",
      ),
    onUnknownKey(keyId) {
      // Whoever writes cookies by hand chooses the ids: they are no label.
      measure({ of: "key-open", key: "none", position: "unknown" });
      if (!logged.add(keyId ?? "", true)) return;
      const detail = `none of the keys in LATCHKEY_SECRET sealed a session in the cookie ${name}: it is left alone. While a secret is changed, every instance needs the old and the new one; where several apps share a host, each needs its own LATCHKEY_SESSION_NAME`;
      log({ event: "unknown-key", keyId, detail });
    },
  };
}
