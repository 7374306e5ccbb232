import { reasons } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import type { Log, LogEvent, RefreshOutcome, StoreFault } from "./log-event.ts";
import type { Labels, Place } from "./place.ts";

/** A store of this package. */
export type StoreKind = "memory" | "sqlite" | "redis" | "postgres";

/** Work for which a tracer may create a span. */
export interface Operation extends Pick<Place, "connection" | "host"> {
  /**
   * Its place: a route of ours, the session of a request, a call to the provider or to the store.
   */
  readonly kind: "route" | "session" | "provider" | "store";
  /**
   * The name of the route, of the provider's endpoint, or of the store's operation; for a session
   * `visit` for a read of the store, or `refresh`.
   */
  readonly name: string;
  /** Where the app keeps sessions, for routes and sessions. */
  readonly mode?: "cookie" | "store";
}

/** How an operation ended. Its connection may be known at the end only. */
export interface OperationEnd extends Pick<Place, "connection"> {
  /** Of the HTTP response, if there is one. */
  readonly status?: number | undefined;
  /** Why it failed: a reason of the catalogue. Absent after success. */
  readonly reason?: string | undefined;
  /** What a session was found to be, or how a refresh ended. */
  readonly outcome?: SessionReadResult | RefreshOutcome | undefined;
}

/**
 * The state of a session; `unproved` if it is bound to a device and the request has no proof,
 * `unavailable` if the store did not answer.
 */
export type SessionReadResult = "live" | "none" | "unproved" | "ended" | "unavailable";

/** What became of a proof that a session is used on its device. */
export type DeviceProofOutcome =
  | "registered"
  | "refreshed"
  /** The browser was given a challenge to sign. */
  | "challenged"
  /** The session has ended, and the browser stops. */
  | "ended"
  /** It was no proof of ours. */
  | "refused"
  /** A request came with a bound session and without a proof. */
  | "unproved"
  /** A browser says that it did not wait for its proof before a request. */
  | "skipped";

/** What is counted or timed, and happens too often for a log. */
export type Measurement = Measured & Pick<Place, "connection" | "host">;

type Measured =
  | {
      readonly of: "session-read";
      readonly result: SessionReadResult;
      readonly reason?: string | undefined;
    }
  | {
      readonly of: "key-open";
      /** Id of the key; `none` for a session without one. */
      readonly key: string;
      readonly position: "first" | "other" | "unknown";
    }
  /** A session was sealed with the key of this id. */
  | { readonly of: "key-seal"; readonly key: string }
  | { readonly of: "device-proof"; readonly outcome: DeviceProofOutcome }
  /** The event loop was blocked for more than a second. The process reports it, not the engine. */
  | { readonly of: "event-loop-blocked" }
  | { readonly of: "cookie-size"; readonly cookie: "session" | "pending"; readonly bytes: number }
  | {
      readonly of: "store-operation";
      readonly store: StoreKind | "other";
      readonly operation: string;
      readonly durationMs: number;
      /** Why it failed. Absent after success. */
      readonly fault?: StoreFault;
    }
  | {
      readonly of: "provider-request";
      /** The name of the endpoint. */
      readonly endpoint: string;
      readonly durationMs: number;
      /** Of the response, if one came. */
      readonly status?: number | undefined;
      /** Why it failed: a reason of the catalogue. Absent after success. */
      readonly reason?: string | undefined;
    };

/** A key of sessions. Its id is its name in cookies and logs, and reveals nothing about it. */
export interface SessionKey {
  readonly id: string;
  /** Whether it seals; the others only open. */
  readonly seals: boolean;
  /** Time of its last use here, in epoch seconds; `null` if it was not used since the start. */
  readonly lastOpened: number | null;
  /** How many sessions it has sealed here since the start. */
  readonly sealed: number;
}

/** The state of a provider, as seen in past calls. */
export interface ProviderStatus {
  /** `down` if one of its endpoints or documents fails. */
  readonly state: "up" | "down";
  /** Why it is down: a reason of the catalogue. */
  readonly reason?: string | undefined;
  /** For how many milliseconds it has been down. */
  readonly downMs?: number | undefined;
  /** Milliseconds since the metadata were fetched; `null` before that. */
  readonly metadataAgeMs: number | null;
  readonly keysAgeMs: number | null;
}

/** The state of the provider of one connection. */
export interface ConnectionStatus extends ProviderStatus {
  readonly connection: string;
  readonly issuer: string;
}

/** The state of sign-in, provider and store, as seen in past calls; it makes no call itself. */
export interface Status {
  readonly store: "none" | "up" | "read-only" | "down";
  /** That of the connection `default`. */
  readonly provider: ProviderStatus;
  /**
   * At most 50 connections: those that have been down for longest, then the others as in the
   * settings. Empty if the app has one.
   */
  readonly connections: readonly ConnectionStatus[];
  /** Sign-outs not yet written to the store. */
  readonly pendingSignOuts: number;
  /** Open pages that listen for the end of their session. */
  readonly openStreams: number;
  /**
   * Advice for the operator, one sentence each: found at the start, and about a wrong clock now.
   */
  readonly warnings: readonly string[];
  readonly sessionKeys: readonly SessionKey[];
}

/**
 * Observes sign-in: `latchkey/metrics` and `latchkey/opentelemetry` create one, and an app may. No
 * function of it may throw. None gets a token, an address with a query, or more about a user than
 * the log.
 */
export interface Telemetry {
  /**
   * Called when sign-in is open, with a function that returns its state.
   *
   * @param labelsOf - returns the bounded names of a connection or host: see `Labels`
   */
  readonly onOpen?: (status: () => Status, labelsOf?: (place: Labels) => Labels) => void;
  /**
   * Called with every event of the log, whatever its level.
   *
   * @param labels - names of its connection and host that are bounded: see `Labels`
   */
  readonly onEvent?: (event: LogEvent, labels?: Labels) => void;
  /** Called for what happens too often for the log. */
  readonly onMeasurement?: (measurement: Measurement, labels?: Labels) => void;
  /** Called around operations; must call `run` once and return what it returns. */
  readonly around?: (
    operation: Operation,
    run: () => Promise<OperationEnd>,
  ) => Promise<OperationEnd>;
}

/** Returns all telemetry of an app as one; without any it costs nothing. */
export interface Observer {
  readonly log: Log;
  readonly opened: (status: () => Status) => void;
  readonly measure: (measurement: Measurement) => void;
  /** Runs work as an operation; {@link unobserved} runs it alone. */
  readonly run: <T>(operation: Operation, work: () => Promise<T>, ends?: Ends<T>) => Promise<T>;
}

/** The attributes at the end of an operation. */
export interface Ends<T> {
  readonly well?: (value: T) => OperationEnd;
  readonly badly?: (error: unknown) => OperationEnd;
}

type Around = NonNullable<Telemetry["around"]>;
type Mode = NonNullable<Operation["mode"]>;

/** @param labelsOf - see `createLabels` */
export function createObserver(
  log: Log,
  all: readonly Telemetry[],
  { mode, labelsOf }: { readonly mode: Mode; readonly labelsOf: (place: Place) => Labels },
): Observer {
  const labelled = <Happening extends Place>(
    listeners: readonly ((happening: Happening, labels: Labels) => void)[],
  ) => listeners.map((listener) => (each: Happening) => listener(each, labelsOf(each)));
  return {
    log: joinListeners([log, ...labelled(all.flatMap(({ onEvent }) => onEvent ?? []))]),
    opened: (status) => all.forEach(({ onOpen }) => onOpen?.(status, labelsOf)),
    measure: joinListeners(labelled(all.flatMap(({ onMeasurement }) => onMeasurement ?? []))),
    run: createRun(
      all.flatMap(({ around }) => around ?? []),
      mode,
    ),
  };
}

type Listener<Arguments extends unknown[]> = (...given: Arguments) => void;

function joinListeners<Arguments extends unknown[]>(
  listeners: readonly Listener<Arguments>[],
): Listener<Arguments> {
  const [one = () => undefined, ...others] = listeners;
  if (others.length === 0) return one;
  return (...given) => listeners.forEach((listener) => listener(...given));
}

/** The same observer and log for what happens at one place. */
export function observedAt<Observed extends { readonly log: Log; readonly observer: Observer }>(
  { log, observer }: Observed,
  place: Place,
): Pick<Observed, "log" | "observer"> {
  if (Object.keys(place).length === 0) return { log, observer };
  const { measure, run, ...others } = observer;
  return {
    log: (event) => log({ ...place, ...event }),
    observer: {
      ...others,
      log: (event) => observer.log({ ...place, ...event }),
      measure: (measurement) => measure({ ...place, ...measurement }),
      run: (operation, ...work) => run({ ...place, ...operation }, ...work),
    },
  };
}

/** Without telemetry. */
export const unobserved: Pick<Observer, "measure" | "run"> = {
  measure: () => undefined,
  run: (_operation, work) => work(),
};

const endedWell = () => ({});

function createRun(arounds: readonly Around[], mode: Mode): Observer["run"] {
  if (arounds.length === 0) return unobserved.run;
  return async (named, work, { well = endedWell, badly = failureOf } = {}) => {
    const isOurs = named.kind === "route" || named.kind === "session";
    const operation = isOurs ? { ...named, mode } : named;
    let settled: PromiseSettledResult<Awaited<ReturnType<typeof work>>> | undefined;
    async function innermost(): Promise<OperationEnd> {
      [settled] = await Promise.allSettled([work()]);
      return settled.status === "fulfilled" ? well(settled.value) : badly(settled.reason);
    }
    let run = innermost;
    for (const around of arounds) {
      const inner = run;
      run = () => around(operation, inner);
    }
    await run();
    if (settled === undefined) throw new TypeError("Telemetry has not run an operation.");
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  };
}

/** The error of a route is the cause of its handler's error. */
export function failureOf(error: unknown): OperationEnd {
  const refusal = error instanceof Error && error.cause instanceof Refusal ? error.cause : error;
  if (!(refusal instanceof Refusal)) return { status: 500, reason: "internal" };
  const { reason } = refusal;
  return { status: reasons[reason].status, reason };
}
