import { ambient } from "../ambient.ts";
import { randomFraction } from "../time/back-off.ts";
import { createBackground } from "../time/background.ts";
import type { Config } from "../config/config.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import type { Timing } from "../time/deadline.ts";
import { inForce } from "../crypto/in-force.ts";
import { createConnections, type ReplaceableConnections } from "../oidc/connections.ts";
import { type IssuerDeps, placeOfClient } from "../oidc/issuer/issuer.ts";
import { createRecentSessions, type RecentSessions } from "../session/recent-sessions.ts";
import { guardStore } from "../stores/guard/guarded-store.ts";
import type { Store } from "../stores/store.ts";
import type { Log } from "../telemetry/log-event.ts";
import { createLabels } from "../telemetry/place.ts";
import { createObserver } from "../telemetry/telemetry.ts";
import type { Engine } from "./engine.ts";
import type { ReadyOptions } from "./options.ts";

type Connect = (connections: ReplaceableConnections, deps: IssuerDeps) => ReplaceableConnections;

export interface EngineOptions extends ReadyOptions {
  /** Opened. */
  readonly store: Store | null;
  readonly timing?: Timing;
  /** Adds to the connections of the settings. */
  readonly connect?: Connect | undefined;
}

/** Puts together what the engine uses of the process, of the providers and of the store. */
export function createEngine(config: Config, options: EngineOptions): Engine {
  const { clock = ambient.clock, random = ambient.random } = options;
  const { fetch = ambient.fetch, timing = ambient, telemetry = [] } = options;
  const mode = config.session.stateful === true ? "store" : "cookie";
  const labelsOf = createLabels({
    connections: () => connections.all,
    hosts: config.baseURLs.map((baseURL) => new URL(baseURL).host),
  });
  const observer = createObserver(options.log, [telemetry].flat(), { mode, labelsOf });
  const recent = createRecentSessions({ clock, timing });
  const log = rememberingEnds(observer.log, recent);
  const fraction = () => randomFraction(random);
  const randomText = (bytes: number) => encodeBase64url(random(bytes));
  const background = createBackground(options.waitUntil);
  const runtime: Runtime = { clock, timing, fraction, randomText, background, log, observer };
  const forStore = { log, observer, clock: timing.monotonic, fraction };
  const once = createWarnOnce(log);
  const { connect } = options;
  const deps = { ...runtime, fetch, isOneOfSeveral: connect !== undefined, placeOf: placeOfClient };
  const connections: ReplaceableConnections = createConnections(config.connections, deps);
  return {
    ...runtime,
    config,
    connections: connect?.(connections, deps) ?? connections,
    secrets: inForce(config.secrets),
    store: options.store && guardStore(options.store, forStore),
    warnings: { once },
    recent,
    warn: (message) => once(message, message),
    now: () => nowSeconds(runtime),
  };
}

/** What is found of a session later, in a copy of its cookie, is no second end. */
function rememberingEnds(log: Log, recent: RecentSessions): Log {
  return (event) => {
    if (event.event === "sign-out" && event.session !== undefined) {
      recent.rememberLoggedEnd(event.session);
    }
    log(event);
  };
}

function createWarnOnce(log: Log): Engine["warnings"]["once"] {
  const warned = new Set<string>();
  return (kind, message) => {
    if (warned.has(kind)) return;
    warned.add(kind);
    log({ event: "warning", message });
  };
}
