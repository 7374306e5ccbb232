import type { Runtime } from "../config/runtime.ts";
import { createActivityRecorder, type RegistrationOf } from "../activity/record-activity.ts";
import { createPathRules } from "../config/access-rule.ts";
import { hardenedRules, relaxedRulesIn } from "../config/preset.ts";
import type { Config } from "../config/config.ts";
import type { Pages } from "../config/pages.ts";
import { placeOfSite } from "../config/site.ts";
import { observedAt, type Status } from "../telemetry/telemetry.ts";
import { startUpWarnings } from "../config/warnings.ts";
import type { Context } from "../context.ts";
import { keyRingInForce } from "../crypto/key-ring.ts";
import type { Connections } from "../oidc/connections.ts";
import { worstConnections } from "../oidc/worst-connections.ts";
import { createEventStreams } from "../http/event-stream.ts";
import { createBuiltInPages } from "../routes/built-in-pages.ts";
import { createRecentActivity } from "../activity/recent-activity.ts";
import { createPendingEnds } from "../session/marks/pending-ends.ts";
import { createLoopCounter } from "../transaction/loop-counter.ts";
import { createKeptForms } from "../transaction/form-cookie.ts";
import { createLastConnection } from "../transaction/last-connection.ts";
import { createRecentTransactions } from "../transaction/recent-transactions.ts";
import { createRefusalSeal } from "../transaction/refusal-seal.ts";
import { createLoginSeal } from "../transaction/login-seal.ts";
import { createTransactionCookies } from "../transaction/transaction-cookies.ts";
import { createEngine, type EngineOptions } from "./create-engine.ts";
import type { HostContext } from "./host-context.ts";
import type { Engine } from "./engine.ts";
import type { OpenedPart } from "./part.ts";
import { openPaths } from "./route-table.ts";
import { sessionsAt, sharedBySessions } from "./session-parts.ts";
import { ownRedirection } from "../oidc/redirection.ts";

export interface ContextOptions extends EngineOptions {
  readonly opened?: OpenedPart;
}

/** Creates the context of an app with one site. */
export function createContext(
  config: Config,
  options: ContextOptions,
  engine: Engine = createEngine(config, options),
): HostContext {
  return createContexts(engine, options)(config);
}

/**
 * Returns what creates the context of each site. What all of them share is made here. Nothing
 * sends a request, or derives a key before a request needs it.
 */
export function createContexts(
  engine: Engine,
  options: ContextOptions,
): (config: Config) => HostContext {
  const { opened = {} } = options;
  const { recentTransactions, session, ...shared } = sharedBySites(engine, options);
  shared.observer.opened(() => statusOf(shared));
  const keys = {
    plain: keyRingInForce(engine.secrets, "transaction"),
    named: keyRingInForce(engine.secrets, "named-transaction"),
  };
  // Nothing in them belongs to a site.
  const builtIn = createBuiltInPages(engine.config);
  const labelOf = (id: string) => labelIn(engine.connections, id);
  return (config) => {
    const site = { origin: config.origin, isPrimary: config.isPrimary, namesAll: false };
    const sealing = { ...engine, config, site, keys };
    const observed = observedAt(shared, placeOfSite(config));
    const hasSeveralWays = engine.connections.default.named !== undefined;
    const siteOfPages = { ...engine, config, hasSeveralWays, labelOf };
    const pages = pagesOf(builtIn, options, opened.pages?.(siteOfPages));
    return {
      ...shared,
      ...observed,
      config,
      signIns: {
        recent: recentTransactions,
        transactions: createTransactionCookies({
          ...sealing,
          measure: observed.observer.measure,
        }),
        loopCounter: createLoopCounter(sealing),
        lastConnection: createLastConnection({
          ...sealing,
          keys: keyRingInForce(engine.secrets, "last-connection"),
        }),
        loginSeal: createLoginSeal(sealing),
        refusalSeal: createRefusalSeal(sealing),
        redirection: opened.redirection?.(config) ?? ownRedirection(config),
      },
      ...sessionsAt(config, { ...session, observer: observed.observer }),
      pages,
      keptForms: createKeptForms(sealing),
      pathRules: createPathRules(rulesOf(config, options, pages), {
        open: openPaths(sealing, pages),
      }),
    };
  };
}

function labelIn(connections: Connections, id: string): string | undefined {
  try {
    return connections.ofSession({ connection: id }).label;
  } catch {
    // Its sessions are still in the activity of users.
    return undefined;
  }
}

/** What belongs to the process, whatever the site. */
function sharedBySites(engine: Engine, options: ContextOptions) {
  const { secrets: _secrets, warn: _warn, now: _now, ...members } = engine;
  const { config, clock, timing, randomText } = members;
  const { hooks = {}, opened = {} } = options;
  const { tokenExchange = null, formerSessionIn = null } = opened;
  const pendingEnds = createPendingEnds(engine);
  const session = sharedBySessions(engine, { formerSessionIn, pendingEnds });
  return {
    ...members,
    recentTransactions: createRecentTransactions({ clock, timing, instance: randomText(9) }),
    session,
    sessionKeys: session.sessionKeys,
    ended: session.ended,
    pendingEnds,
    streams: createEventStreams(config.streams),
    tokenExchange,
    hooks,
    ...activityParts(config, engine),
    startWarnings: logWarnings(config, options, engine),
  };
}

/** The rules of the app, and those of its preset for pages that are there. */
function rulesOf(
  { preset, pagesPrefix }: Config,
  { accessRules }: ContextOptions,
  { respond, root = pagesPrefix }: Context["pages"],
): ContextOptions["accessRules"] {
  if (respond === undefined || preset === undefined) return accessRules;
  return { ...hardenedRules(preset, root), ...accessRules };
}

/** Every page on its own: by the app, by a package, or built in. */
function pagesOf(
  builtIn: ReturnType<typeof createBuiltInPages>,
  { renderProblem, renderSignedOut, renderKeptForm }: ContextOptions,
  ofPart: ReturnType<NonNullable<OpenedPart["pages"]>> | undefined,
): Context["pages"] {
  // What they know of a session and its request is theirs.
  const own = (ofPart ?? builtIn) as Pages;
  return {
    problem: renderProblem ?? own.problem,
    signedOut: renderSignedOut ?? own.signedOut,
    keptForm: renderKeptForm ?? own.keptForm,
    signIn: own.signIn ?? builtIn.signIn,
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
  {
    connections,
    secrets,
    store,
    background,
    clock,
    log,
  }: Pick<Engine, "background" | "clock" | "connections" | "log" | "secrets" | "store">,
): Pick<HostContext, "activity" | "log" | "onUserEvent"> {
  if (!config.activity || store === null) {
    return { activity: null, log, onUserEvent: () => undefined };
  }
  const keys = keyRingInForce(secrets, "activity");
  const activity = createRecentActivity({ store, keys, background, clock });
  const recorder = createActivityRecorder(activity, registrationsOf(connections));
  return {
    activity,
    log(event) {
      log(event);
      recorder.log(event);
    },
    onUserEvent: recorder.onUserEvent,
  };
}

function registrationsOf(connections: Connections): RegistrationOf {
  return (connection) => {
    try {
      return connections.ofSession({ connection }).registration;
    } catch {
      return null;
    }
  };
}

/** How everything is now. */
export function statusOf({
  store,
  connections,
  pendingEnds,
  sessionKeys,
  streams,
  startWarnings,
}: Pick<
  HostContext,
  "store" | "connections" | "pendingEnds" | "sessionKeys" | "streams" | "startWarnings"
>): Status {
  const { issuer } = connections.default;
  const clockFault = issuer.clockFault();
  return {
    store: store === null ? "none" : store.state(),
    provider: issuer.health(),
    connections: worstConnections(connections),
    pendingSignOuts: pendingEnds.size(),
    openStreams: streams.size(),
    sessionKeys: sessionKeys.list(),
    warnings: [...startWarnings, ...(clockFault === null ? [] : [clockFault])],
  };
}

/** All that was warned of; what the store has to say of itself comes later. */
function logWarnings(
  config: Config,
  { accessRules, store, warnings: givenWarnings = [] }: ContextOptions,
  { log, background }: Pick<Runtime, "background" | "log">,
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
  relaxedRulesIn(config, accessRules).forEach(warn);
  background.run("warnings of the store", warnOfStore());
  return warnings;
}
