import { failureOf } from "../telemetry/telemetry.ts";
import { defaultID } from "../config/constants.ts";
import type { Context } from "../context.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { LatchkeyError } from "../errors/latchkey-error.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { type Cookies, parseCookies } from "../http/cookies.ts";
import { cookieHeaders, type HeaderList, sessionCacheHeaders } from "../http/headers.ts";
import type { Connections } from "../oidc/connections.ts";
import { formerIn, withFormerRemoved } from "../session/former-session.ts";
import {
  foundSession,
  readFormer,
  readSession,
  type SessionResult,
} from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { Changed } from "../session/sessions.ts";
import { type Carried, commitOutcome, type Outcome } from "./commit-session.ts";

/**
 * One request and what its response must carry. The cookies are parsed once and the session is read
 * once, however many steps need it; each step sees the changes of the one before.
 */
export interface Exchange {
  readonly request: HostRequest;
  readonly cookies: Cookies;
  /**
   * The session, without an effect on the response.
   *
   * @throws {Refusal} `store_unavailable`: only the store knows whether a session is active
   */
  read(): Promise<SessionResult>;
  /**
   * The session, for a response that depends on it: it is renewed when due, and no cache may keep
   * it.
   */
  use(): Promise<SessionResult>;
  /** Whether {@link read} or {@link use} was called: the response may depend on the session. */
  hasRead(): boolean;
  /** What {@link use} has returned, and counts as it; throws the same. `null` before a read. */
  current(): SessionResult | null;
  /**
   * What becomes of the session from now on. Without cookies: it was found to be so, and is renewed
   * as before.
   */
  keep(changed: NonNullable<Changed>): void;
  /**
   * There is no session any more; the browser's cookies are cleared.
   *
   * @param setCookies - go with the response, too
   * @param ended - the session, if the response is to say which one has ended
   */
  clear(setCookies?: readonly string[], ended?: StoredSession): void;
  /**
   * There is no session any more, as another request has ended it since this one began. The
   * cookies stay: the browser may have a newer session by now; else its next request finds this one
   * ended.
   */
  endedMeanwhile(): void;
  /** Whether the head of the response has not left. */
  isOpen(): boolean;
  /**
   * @throws {LatchkeyError} `ERR_HEADERS_SENT` after {@link commit}: what is changed now would be
   *   lost
   */
  checkOpen(): void;
  /**
   * The headers of the response, from the newest state. Call it when the head leaves; never throws.
   */
  commit(): HeaderList;
}

const noSession: SessionResult = { state: "none" };

function endedAs(stored: StoredSession | undefined): SessionResult {
  return stored === undefined ? noSession : { state: "ended", reason: "elsewhere", stored };
}

export function createExchange(context: Context, request: HostRequest): Exchange {
  return exchangeWith(context, request, parseCookies(request));
}

/** The exchange of a request whose cookies do not count: it has no session. */
export function createCookielessExchange(context: Context, request: HostRequest): Exchange {
  return exchangeWith(context, request, {});
}

function exchangeWith(context: Context, request: HostRequest, cookies: Cookies): Exchange {
  const carried = { cookies, former: formerIn(cookies, context.reader.formerSessionIn) };
  let reading: Promise<SessionResult> | null = null;
  let outcome: Outcome | null = null;
  let failure: unknown;
  let isUsed = false;
  let isCommitted = false;

  async function readOnce(): Promise<SessionResult> {
    const found = await measuredRead(context, request, carried).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    outcome ??= found;
    return outcome.result;
  }

  const read: Exchange["read"] = () =>
    outcome === null ? (reading ??= readOnce()) : Promise.resolve(outcome.result);

  function write(result: SessionResult, setCookies: readonly string[] | null): void {
    isUsed = true;
    const written = setCookies && withFormerRemoved(carried.former, setCookies);
    announce(context, request, { result, written });
    outcome = { result, written };
  }

  return {
    request,
    cookies,
    read,
    use() {
      isUsed = true;
      return read();
    },
    hasRead: () => reading !== null,
    current() {
      isUsed = true;
      if (outcome === null && failure !== undefined) throw failure;
      return outcome?.result ?? null;
    },
    keep: ({ stored, setCookies }) => write({ state: "active", stored }, setCookies),
    clear: (setCookies = [], ended) =>
      write(endedAs(ended), [...context.sessions.clear(cookies), ...setCookies]),
    endedMeanwhile() {
      if (outcome?.result.state !== "none") write(noSession, null);
    },
    isOpen: () => !isCommitted,
    checkOpen: () => checkOpen(context, request, isCommitted),
    commit() {
      isCommitted = true;
      if (!isUsed) return [];
      if (outcome === null || (outcome.written === null && request.changes?.isRenewed === true))
        return sessionCacheHeaders;
      const written = commitOutcome(context, carried, outcome);
      const offer = context.reader.device?.offerTo(request, written, nowSeconds(context)) ?? [];
      return [...sessionCacheHeaders, ...cookieHeaders(written.setCookies), ...offer];
    },
  };
}

/**
 * The exchange of an internal sub-request, with the same cookies as the outer request. Both
 * have one session, and what becomes of it reaches the browser with the response of the other one.
 */
export function innerExchange(outer: Exchange, request: HostRequest): Exchange {
  let isUsed = false;
  return {
    ...outer,
    request,
    use() {
      isUsed = true;
      return outer.use();
    },
    current() {
      isUsed = true;
      return outer.current();
    },
    commit: () => (isUsed ? sessionCacheHeaders : []),
  };
}

/** Reads the session, and reports its state to telemetry. */
async function measuredRead(
  context: Context,
  { headers }: Pick<HostRequest, "headers">,
  { cookies, former }: Carried,
): Promise<Outcome> {
  const { reader, observer } = context;
  const { measure, run } = observer;
  if (reader.device !== null && headers.get("secure-session-skipped") !== null) {
    measure({ of: "device-proof", outcome: "skipped" });
  }
  const now = nowSeconds(context);
  const read = () => readSession(reader, cookies, now);
  try {
    const own = await (readsStore(context, cookies)
      ? run(operation, read, endsIn(context))
      : read());
    const result = reader.formerSessionIn ? await readFormer(reader, former, own, now) : own;
    const reason = "reason" in result ? result.reason : undefined;
    const { connection } = placeOfResult(context, result);
    measure({ connection, of: "session-read", result: readResults[result.state], reason });
    return { result, written: null, isMoving: result !== own };
  } catch (error) {
    measure({ of: "session-read", result: "unavailable" });
    throw error;
  }
}

function readsStore({ store, reader }: Context, cookies: Cookies): boolean {
  const { name } = reader;
  return store !== null && (cookies[name] !== undefined || cookies[`${name}.0`] !== undefined);
}

/** As telemetry calls such a read, and what a session was found to be. */
const operation = { kind: "session", name: "visit" } as const;
const readResults = { active: "live", none: "none", unproved: "unproved", ended: "ended" } as const;

interface KnownConnections {
  readonly connections: Pick<Connections, "default">;
}

function endsIn(context: KnownConnections) {
  return {
    well: (found: SessionResult) => ({
      ...placeOfResult(context, found),
      outcome: readResults[found.state],
    }),
    badly: (error: unknown) => ({ ...failureOf(error), outcome: "unavailable" as const }),
  };
}

/** The connection of what was found, if there are several. */
function placeOfResult(
  { connections }: KnownConnections,
  result: SessionResult,
): { readonly connection?: string } {
  const stored = foundSession(result);
  if (stored === null || connections.default.named === undefined) return {};
  return { connection: stored.header.connection ?? defaultID };
}

function checkOpen(context: Context, { changes }: HostRequest, isCommitted: boolean): void {
  const fault = changes?.fault?.() ?? (isCommitted ? headersSent(context) : null);
  if (fault !== null) throw fault;
}

function headersSent({ log }: Pick<Runtime, "log">): LatchkeyError {
  const message =
    "The head of the response has left: a change of the session could not reach the browser. Await the change before you send the response.";
  log({ event: "warning", message });
  return new LatchkeyError("ERR_HEADERS_SENT", message);
}

/**
 * Reports what was written before the head is committed, since there may be no head to commit. It
 * may fail, and comes first: a failed request must not send its new session.
 */
function announce(context: Context, { changes }: HostRequest, { result, written }: Outcome): void {
  if (written === null) return;
  if (result.state === "active") {
    if (context.recent.endingOf(result.stored.header.id) !== null) return;
    context.recent.rememberUpdate(result.stored);
  }
  changes?.write?.(written);
}
