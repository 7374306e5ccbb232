import type { Config } from "../config/config.ts";
import { defaultID, transactionLifetimeSeconds } from "../config/constants.ts";
import {
  isNamed,
  type SealedNames,
  sealingSite,
  type SealingSite,
} from "../config/sealed-names.ts";
import { placeOfSession } from "../context.ts";
import { createChunkedCookie } from "../http/cookies.ts";
import { keyRingInForce } from "../crypto/key-ring.ts";
import { createRecentMap } from "../time/recent-map.ts";
import { deviceAlgorithms } from "../routes/device-proof.ts";
import { createEndWatch } from "../session/marks/end-watch.ts";
import { createEndedList } from "../session/marks/ended-list.ts";
import type { FormerSessionIn } from "../session/former-session.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Engine } from "./engine.ts";
import { type PendingEnds, withPendingEnds } from "../session/marks/pending-ends.ts";
import { createDeviceBinding, type DeviceBinding } from "../session/device-binding.ts";
import { createLastUseCookie } from "../session/last-use.ts";
import { type LifetimeOf, markLife } from "../session/lifetime.ts";
import type { SessionReader } from "../session/read-session.ts";
import type { SessionHeader } from "../session/session.ts";
import { createSessionSeal, type RequiredName } from "../session/seal.ts";
import { createSessionKeys } from "../session/session-keys.ts";
import { createSessionRecords } from "../session/session-records.ts";
import { createSessions } from "../session/sessions.ts";
import { createUserSessions } from "../session/user-sessions.ts";

/** What keeps sessions, whatever the site. */
export function sharedBySessions(
  engine: Engine,
  parts: {
    readonly pendingEnds: PendingEnds;
    readonly formerSessionIn: FormerSessionIn | null;
  },
) {
  const { config, secrets, store, observer, clock, timing } = engine;
  const { clockTolerance } = engine.connections.default;
  const { lifetime } = config.session;
  // A sign-in that was started before a mark may still be finished after it, and be unused from
  // then on.
  const keepSeconds = transactionLifetimeSeconds + markLife(lifetime) + clockTolerance;
  return {
    ...engine,
    ...parts,
    sessionKeys: createSessionKeys({ secrets, lifetime, observer, clock }),
    ended: store && {
      ...createEndedList({ store, keepSeconds, clock }),
      ...createEndWatch(store),
    },
    logged: createRecentMap<true>({ clock, timing, keepMs: logAgainMs, atMost: 100 }),
  };
}

type SharedBySessions = ReturnType<typeof sharedBySessions>;

/** What keeps the sessions of a site. */
export function sessionsAt(config: Config, shared: SharedBySessions) {
  const { secrets, store, observer, clock, randomText, formerSessionIn } = shared;
  const { connections, sessionKeys, ended, pendingEnds, recent } = shared;
  const connection = connections.default;
  const { name, cookie, transient, lifetime, stateful, requireIssuer } = config.session;
  const site = sealingSite(config, shared.config, connection.named !== undefined);
  const lifetimeOf: LifetimeOf = (names) => connections.ofSession(names).lifetime;
  const seal = createSessionSeal({
    keys: sessionKeys,
    registration: () => connections.default.registration,
    required: requiredNames(requireIssuer, site),
  });
  const lastUse = createLastUseCookie({
    keys: keyRingInForce(secrets, "last-use"),
    session: config.session,
    clockTolerance: connection.clockTolerance,
  });
  const device = deviceBinding(config, secrets, lifetimeOf);
  const records = store && createSessionRecords({ store, seal, lifetime });
  return {
    reader: {
      name,
      seal,
      lastUse,
      device,
      store: readableStore(shared),
      stateful,
      site,
      noConnectionOf: noConnectionAmong(connections),
      lifetimeOf,
      formerSessionIn,
      ...createListeners(config, shared),
    },
    sessions: createSessions({
      config,
      site,
      lifetimeOf,
      seal,
      cookie: createChunkedCookie(name, cookie, transient),
      lastUse,
      device: device && device.cookie,
      measure: observer.measure,
      records,
      ended,
      onEnd: recent.rememberEnd,
      pendingEnds,
      ofUsers: stateful === true ? store && createUserSessions({ seal, store }) : null,
      clock,
      randomText,
    }),
  };
}

function requiredNames(requireIssuer: boolean, { namesAll }: SealingSite): readonly RequiredName[] {
  if (!requireIssuer) return [];
  return namesAll ? ["issuer", "client", "connection", "origin"] : ["issuer", "client"];
}

/** Sessions belong to the client of their sign-in, whatever its connection is called today. */
function noConnectionAmong(connections: Connections): SessionReader["noConnectionOf"] {
  const judge = (header: SessionHeader, connection: Connection | null) => {
    if (connection === null) return "unknown-connection";
    const { issuer, client } = connection.registration;
    return header.issuer === issuer && header.client === client ? null : "other-client";
  };
  return (header) => {
    const found = connections.inSession(header);
    return found instanceof Promise
      ? found.then((connection) => judge(header, connection))
      : judge(header, found);
  };
}

function deviceBinding(
  config: Config,
  secrets: Engine["secrets"],
  lifetimeOf: LifetimeOf,
): DeviceBinding | null {
  const { session, baseURL, basePath, routes } = config;
  const { deviceBound } = session;
  if (deviceBound === "off") return null;
  return createDeviceBinding({
    session: { ...session, deviceBound },
    baseURL,
    path: basePath + routes.device,
    lifetimeOf,
    algorithms: deviceAlgorithms,
    macKeys: keyRingInForce(secrets, "device-cookie"),
    sealingKeys: keyRingInForce(secrets, "device-offer"),
  });
}

/** The store as sessions read it: with the ends that could not be written yet. */
function readableStore({ store, pendingEnds }: Pick<SharedBySessions, "store" | "pendingEnds">) {
  return store === null ? null : withPendingEnds(store, pendingEnds);
}

const logAgainMs = 60_000;

/**
 * Reports ignored sessions once, or once a minute if others of other browsers may follow, since
 * every request of a browser repeats them. A client invents the ids of unknown keys.
 */
function createListeners(
  { session: { name } }: Config,
  shared: Pick<SharedBySessions, "connections" | "logged" | "observer" | "warnings">,
): Pick<SessionReader, "onForeign" | "onStoreMissing" | "onUnknownKey" | "onUnproved"> {
  const { connections, logged, observer, warnings } = shared;
  const { log, measure } = observer;
  const { once: warnOnce } = warnings;
  return {
    onForeign(why, header) {
      if (why === "other-client" && !isNamed(header))
        return warnOnce("foreign-cookie", foreign(name));
      const message = leftAlone(why, header);
      if (!logged.add(message, true)) return;
      log({ ...placeOfSession({ connections }, header), event: "warning", message });
    },
    onStoreMissing: () =>
      warnOnce(
        "store-missing",
        "A request carried a session that lives in a store, and there is none here: it is left alone. Give every instance the same LATCHKEY_STORE.",
      ),
    onUnproved() {
      measure({ of: "device-proof", outcome: "unproved" });
      warnOnce(
        "device-unproved",
        `A request carried a session that is bound to a device, without a proof of it: a copied cookie, or a request that the browser did not hold back. With session.deviceBound: "enforce" it counts as signed out.`,
      );
    },
    onUnknownKey(keyId) {
      // A client chooses the ids of forged cookies: they are no label.
      measure({ of: "key-open", key: "none", position: "unknown" });
      if (!logged.add("unknown-key", true)) return;
      const detail = `none of the keys in LATCHKEY_SECRET sealed a session in the cookie ${name}: it is left alone. While a secret is changed, every instance needs the old and the new one; if several apps share a host, each needs its own LATCHKEY_SESSION_NAME`;
      log({ event: "unknown-key", keyId, detail });
    },
  };
}

const foreign = (name: string) =>
  `A request carried a cookie ${name} that names another issuer or client: the app ignores it. If several apps share a host, give each app its own LATCHKEY_SESSION_NAME.`;

/** Of what our own keys have sealed only: a client invents no part of it. */
function leftAlone(
  why: Parameters<SessionReader["onForeign"]>[0],
  { connection = defaultID, origin = "the primary base URL" }: SealedNames,
): string {
  const session = `A request carried a session of the connection ${connection} at ${origin}`;
  if (why === "other-site") {
    return `${session} to another host: it is left alone. If the hosts are of one site, each can set cookies for the other: a name such as LATCHKEY_SESSION_NAME=__Host-session keeps them out.`;
  }
  if (why === "other-client") {
    return `${session} that names another issuer or client than the connection has: it is left alone.`;
  }
  return `${session}, and this instance has no such connection: it is left alone. Give every instance the same connections.`;
}
