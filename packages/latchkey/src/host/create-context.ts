import { randomFraction } from "../back-off.ts";
import { createActivityRecorder } from "../activity/record-activity.ts";
import { createBackground } from "../background.ts";
import { createPathRules } from "../config/access-rule.ts";
import { ambient } from "../ambient.ts";
import type { Config } from "../config/config.ts";
import type { Pages, PagesSite } from "../config/pages.ts";
import { transactionLifetimeSeconds } from "../config/constants.ts";
import type { Log } from "../telemetry/log-event.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { createObserver, type Status } from "../telemetry/telemetry.ts";
import { startUpWarnings } from "../config/warnings.ts";
import type { Context } from "../context.ts";
import type { Timing } from "../deadline.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { keyRingInForce } from "../crypto/key-ring.ts";
import { createEventStreams } from "../http/event-stream.ts";
import { createProvider } from "../oidc/provider.ts";
import { createRecentMap } from "../recent-map.ts";
import { createBuiltInPages } from "../routes/built-in-pages.ts";
import { createRecentActivity } from "../activity/recent-activity.ts";
import { createEndWatch } from "../session/marks/end-watch.ts";
import { createPendingEnds } from "../session/marks/pending-ends.ts";
import { createRefreshLimits } from "../oidc/issuer/outages/refresh-limits.ts";
import { registrationOf } from "../session/session-handle.ts";
import { guardStore } from "../stores/guard/guarded-store.ts";
import type { Store } from "../stores/store.ts";
import { createLoopCounter } from "../transaction/loop-counter.ts";
import { createKeptForms } from "../transaction/form-cookie.ts";
import { createRefusalSeal } from "../transaction/refusal-seal.ts";
import { createParamsSeal } from "../transaction/params-seal.ts";
import { createStepUpSeal } from "../transaction/step-up-seal.ts";
import { createTransactionCookies } from "../transaction/transaction-cookies.ts";
import type { HostContext } from "./host-context.ts";
import type { ReadyParts } from "./options.ts";
import { openPaths } from "./route-table.ts";
import { sessionParts } from "./session-parts.ts";

/** The browser of a lost response comes back within this time, or its refresh token is lost. */
const rememberRefreshMs = 86_400_000;

export interface ContextParts extends ReadyParts {
  /** Opened. */
  readonly store: Store | null;
  readonly timing?: Timing;
}

/**
 * Creates the context of the routes. Sends no request and derives no key before a request
 * needs it.
 */
export function createContext(config: Config, parts: ContextParts): HostContext {
  const { hooks = {} } = parts;
  const { clock = ambient.clock, random = ambient.random } = parts;
  const { fetch = ambient.fetch, timing = ambient, telemetry = [] } = parts;
  const mode = config.session.stateful === true ? "store" : "cookie";
  const observer = createObserver(parts.log, [telemetry].flat(), mode);
  const hourly = { clock, timing, keepMs: transactionLifetimeSeconds * 1000 };
  const loggedEnds = createRecentMap<true>({ ...hourly, atMost: 10_000 });
  const log = rememberingEnds(observer.log, loggedEnds);
  const warnOnce = createWarnOnce(log);
  const fraction = () => randomFraction(random);
  const forStore = { log, observer, clock: timing.monotonic, fraction };
  const store = parts.store && guardStore(parts.store, forStore);
  const randomText = (bytes: number) => encodeBase64url(random(bytes));
  const background = createBackground(parts.waitUntil);
  const runtime: Runtime = { clock, timing, fraction, randomText, background, log, observer };
  const pendingEnds = createPendingEnds(runtime);
  const sealing = { ...runtime, config, keys: keyRingInForce(config, "transaction") };
  const site = {
    warn: (message: string) => warnOnce(message, message),
    now: () => nowSeconds(runtime),
  };
  const pages = pagesOf(config, parts, site);
  const formerSessionIn = parts.formerSessions?.open({ config, ...site }) ?? null;
  const context: HostContext = {
    ...runtime,
    config,
    instance: randomText(9),
    provider: createProvider({ ...runtime, config, fetch }),
    signIns: {
      transactions: createTransactionCookies({ ...sealing, measure: observer.measure }),
      loopCounter: createLoopCounter(sealing),
      stepUpSeal: createStepUpSeal(sealing),
      refusalSeal: createRefusalSeal(sealing),
      paramsSeal: createParamsSeal(sealing),
      keptForms: createKeptForms(sealing),
      answers: createRecentMap({ ...hourly, atMost: 10_000 }),
      destinations: createRecentMap({ ...hourly, atMost: 2000 }),
    },
    store,
    ...sessionParts(config, { ...runtime, store, formerSessionIn, pendingEnds, warnOnce }),
    ends: { pending: pendingEnds, watch: store && createEndWatch(store), logged: loggedEnds },
    refreshes: {
      inCookies: createRecentMap({ clock, timing, keepMs: rememberRefreshMs, atMost: 2000 }),
      limits: createRefreshLimits(runtime),
    },
    streams: createEventStreams(config.streams),
    tokenExchange: parts.tokenExchange ?? null,
    hooks,
    pages,
    pathRules: createPathRules(parts.accessRules, openPaths(config, pages)),
    ...activityParts(config, { ...runtime, store }),
    warnings: { once: warnOnce, atStart: logWarnings(config, parts, runtime) },
  };
  observer.opened(() => statusOf(context));
  return context;
}

/** Every page on its own: by the app, by a package, or built in. */
function pagesOf(
  config: Config,
  { pages, renderProblem, renderSignedOut, renderKeptForm }: ContextParts,
  site: Omit<PagesSite, "config">,
): Context["pages"] {
  // What they know of a session and its request is theirs.
  const builtIn = createBuiltInPages(config);
  const own = (pages?.create({ config, ...site }) ?? builtIn) as Pages;
  return {
    problem: renderProblem ?? own.problem,
    signedOut: renderSignedOut ?? own.signedOut,
    keptForm: renderKeptForm ?? own.keptForm,
    stepUp: own.stepUp,
    files: own.files,
    root: own.root,
    brand: own.brand ?? builtIn.brand,
    respond: own.respond,
  };
}

/** Events are recorded for their user, if the setting is on. */
function activityParts(
  config: Config,
  { store, background, clock, log }: Pick<Context, "background" | "clock" | "log" | "store">,
): Pick<HostContext, "activity" | "log" | "onUserEvent"> {
  if (!config.activity || store === null) {
    return { activity: null, log, onUserEvent: () => undefined };
  }
  const keys = keyRingInForce(config, "activity");
  const activity = createRecentActivity({ store, keys, background, clock });
  const recorder = createActivityRecorder(activity, registrationOf(config));
  return {
    activity,
    log(event) {
      log(event);
      recorder.log(event);
    },
    onUserEvent: recorder.onUserEvent,
  };
}

/** How everything is now. */
export function statusOf(context: Context): Status {
  const { store, provider, ends, sessionKeys, streams } = context;
  const clockFault = provider.clockFault();
  return {
    store: store === null ? "none" : store.state(),
    provider: provider.health(),
    pendingSignOuts: ends.pending.size(),
    openStreams: streams.size(),
    sessionKeys: sessionKeys.list(),
    warnings: [...context.warnings.atStart, ...(clockFault === null ? [] : [clockFault])],
  };
}

/** What is found of a session later, in a copy of its cookie, is no second end. */
function rememberingEnds(log: Log, loggedEnds: Context["ends"]["logged"]): Log {
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
  // A store that does not answer has more urgent faults.
  async function warnOfStore(): Promise<void> {
    for (const message of (await store?.warnings?.()) ?? []) warn(message);
  }
  startUpWarnings(config, store).forEach(warn);
  background.run("warnings of the store", warnOfStore());
  return warnings;
}

function createWarnOnce(log: Log): Context["warnings"]["once"] {
  const warned = new Set<string>();
  return (kind, message) => {
    if (warned.has(kind)) return;
    warned.add(kind);
    log({ event: "warning", message });
  };
}
