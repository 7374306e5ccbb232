import { randomFraction } from "../back-off.ts";
import { activityLog } from "../access/activity/record-activity.ts";
import { createBackground } from "../background.ts";
import { createPathRules } from "../config/access-rule.ts";
import { ambient } from "../config/ambient.ts";
import type { Config } from "../config/config.ts";
import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { Log } from "../config/telemetry/log-event.ts";
import type { Runtime } from "../config/runtime.ts";
import { createObserver, type Status } from "../config/telemetry/telemetry.ts";
import { startUpWarnings } from "../config/warnings.ts";
import type { Context } from "../context.ts";
import type { Timing } from "../deadline.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { keyRingInForce } from "../crypto/key-ring.ts";
import { createEventStreams } from "../http/event-stream.ts";
import { createProvider } from "../oidc/provider.ts";
import { createRecentMap } from "../recent-map.ts";
import { keptFormPage, problemPage, signedOutPage } from "../routes/built-in-pages.ts";
import { createRecentActivity } from "../session/activity/recent-activity.ts";
import { createEndWatch } from "../session/ends/end-watch.ts";
import { createPendingEnds } from "../session/ends/pending-ends.ts";
import { createRefreshLimits } from "../session/tickets/refresh-limits.ts";
import { guardStore } from "../stores/guard/guarded-store.ts";
import type { Store } from "../stores/store.ts";
import { createLoopCounter } from "../transaction/loop-counter.ts";
import { createKeptForms } from "../transaction/form-cookie.ts";
import { createStepUpSeal } from "../transaction/step-up-seal.ts";
import { createTransactionCookies } from "../transaction/transaction-cookies.ts";
import { createInstanceClock } from "./instance-clock.ts";
import type { ReadyParts } from "./options.ts";
import { sessionParts } from "./session-parts.ts";

export interface ContextParts extends ReadyParts {
  /** Opened. */
  readonly store: Store | null;
  readonly timing?: Timing;
}

/** Puts everything together that routes are given. Calls nobody and derives no key before a request needs it. */
export function createContext(config: Config, parts: ContextParts): Context {
  const { hooks = {}, renderProblem = problemPage, renderSignedOut = signedOutPage } = parts;
  const { renderKeptForm = keptFormPage } = parts;
  const { clock: machineClock = ambient.clock, random = ambient.random } = parts;
  const { fetch = ambient.fetch, timing = ambient, telemetry = [] } = parts;
  const mode = config.session.stateful ? "store" : "cookie";
  const observer = createObserver(parts.log, [telemetry].flat(), mode);
  const hourly = { clock: machineClock, keepMs: transactionLifetimeSeconds * 1000 };
  const loggedEnds = createRecentMap<true>({ ...hourly, atMost: 10_000 });
  const log = rememberingEnds(observer.log, loggedEnds);
  const warnOnce = createWarnOnce(log);
  const fraction = () => randomFraction(random);
  const correctionMs = () => instanceClock.correctionMs();
  const forStore = { log, observer, clock: timing.monotonic, fraction, correctionMs };
  const store = parts.store && guardStore(parts.store, forStore);
  const forClock = { monotonic: timing.monotonic, store, clockTolerance: config.clockTolerance };
  const instanceClock = createInstanceClock({ clock: machineClock, ...forClock, warn: warnOnce });
  const { now: clock, shared: sharedClock, compare: onTime } = instanceClock;
  const randomText = (bytes: number) => encodeBase64url(random(bytes));
  const background = createBackground(parts.waitUntil);
  const runtime: Runtime = { clock, timing, fraction, randomText, background, log, observer };
  const pendingEnds = createPendingEnds(runtime);
  const sealing = { ...runtime, config, keys: keyRingInForce(config, "transaction") };
  const context: Context = {
    ...runtime,
    config,
    instance: randomText(9),
    // It measures only how long something takes: that must not jump.
    provider: createProvider({ ...runtime, config, fetch, clock: machineClock, onTime }),
    transactions: createTransactionCookies({ ...sealing, measure: observer.measure }),
    loopCounter: createLoopCounter(sealing),
    store,
    pendingEnds,
    ...sessionParts(config, { ...runtime, store, pendingEnds, sharedClock, warnOnce }),
    endWatch: store && createEndWatch(store, clock),
    streams: createEventStreams(config.streams),
    hooks,
    renderProblem,
    renderSignedOut,
    renderKeptForm,
    stepUpSeal: createStepUpSeal(sealing),
    keptForms: createKeptForms(sealing),
    pathRules: createPathRules(parts.accessRules),
    answeredStates: createRecentMap({ ...hourly, atMost: 10_000 }),
    loggedEnds,
    destinations: createRecentMap({ ...hourly, atMost: 2000 }),
    refreshLimits: createRefreshLimits(runtime),
    ...activityParts(config, { ...runtime, store }),
    warnOnce,
    warnings: logWarnings(config, parts, runtime),
  };
  observer.opened(() => statusOf(context));
  return context;
}

/** Events of the log are also told to the person whom they are about. */
function activityParts(
  config: Config,
  { store, background, clock, log }: Pick<Context, "background" | "clock" | "log" | "store">,
): Pick<Context, "activity" | "log"> {
  const keys = keyRingInForce(config, "activity");
  const activity = store && createRecentActivity({ store, keys, background, clock });
  const recordForPerson = activityLog({ config, activity });
  return {
    activity,
    log(event) {
      log(event);
      recordForPerson(event);
    },
  };
}

/** How everything is now. */
export function statusOf(context: Context): Status {
  const { store, provider, pendingEnds, sessionKeys, streams, warnings } = context;
  return {
    store: store === null ? "none" : store.state(),
    provider: provider.health(),
    pendingSignOuts: pendingEnds.size(),
    openStreams: streams.size(),
    sessionKeys: sessionKeys.list(),
    warnings,
  };
}

/** What is found of a session later, in a copy of its cookie, is no second end. */
function rememberingEnds(log: Log, loggedEnds: Context["loggedEnds"]): Log {
  return (event) => {
    if (event.event === "sign-out" && event.session !== undefined)
      loggedEnds.add(event.session, true);
    log(event);
  };
}

/** All that was warned of; what the store has to say of itself comes later. */
function logWarnings(
  config: Config,
  { store, warnings: givenWarnings = [] }: ContextParts,
  { log, background }: Pick<Context, "log" | "background">,
): readonly string[] {
  const warnings = [...givenWarnings];
  function warn(message: string): void {
    warnings.push(message);
    log({ event: "warning", message });
  }
  // One that cannot be asked now has more urgent faults to tell.
  async function askStore(): Promise<void> {
    for (const message of (await store?.warnings?.()) ?? []) warn(message);
  }
  startUpWarnings(config, store !== null).forEach(warn);
  background.run("warnings of the store", askStore());
  return warnings;
}

function createWarnOnce(log: Log): Context["warnOnce"] {
  const warned = new Set<string>();
  return (kind, message) => {
    if (warned.has(kind)) return;
    warned.add(kind);
    log({ event: "warning", message });
  };
}
