import type { PathRule } from "./config/access-rule.ts";
import type { Config } from "./config/config.ts";
import type { Hooks } from "./config/parts.ts";
import type { FormToSend, SignedOut } from "./config/pages.ts";
import type { Runtime } from "./config/runtime.ts";
import type { Problem } from "./errors/problem.ts";
import type { AuthRequest } from "./http/auth-request.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import type { Provider } from "./oidc/provider.ts";
import type { RecentMap } from "./recent-map.ts";
import type { EventStreams } from "./http/event-stream.ts";
import type { RecentActivity } from "./session/activity/recent-activity.ts";
import type { EndWatch } from "./session/ends/end-watch.ts";
import type { EndedList } from "./session/ends/ended-list.ts";
import type { PendingEnds } from "./session/ends/pending-ends.ts";
import type { SessionReader } from "./session/read-session.ts";
import type { Session, SessionData } from "./session/session.ts";
import type { SessionKeys } from "./session/session-keys.ts";
import type { SessionEnding, Sessions } from "./session/sessions.ts";
import type { RefreshLimits } from "./session/tickets/refresh-limits.ts";
import type { RefreshTickets } from "./session/tickets/refresh-tickets.ts";
import type { UserSessions } from "./session/user-sessions.ts";
import type { GuardedStore } from "./stores/guard/guarded-store.ts";
import type { KeptForms } from "./transaction/form-cookie.ts";
import type { StepUpSeal } from "./transaction/step-up-seal.ts";
import type { TransactionCookies } from "./transaction/transaction-cookies.ts";
import type { LoopCounter } from "./transaction/loop-counter.ts";

/** What every route is given. Made once; nothing in it belongs to one request. */
export interface Context extends Runtime {
  readonly config: Config;
  /** Random; names this process, whose clock is told from that of others by it. */
  readonly instance: string;
  readonly provider: Provider;
  readonly transactions: TransactionCookies;
  readonly loopCounter: LoopCounter;
  readonly sessionKeys: SessionKeys;
  /** Guarded; `null` where there is none. */
  readonly store: GuardedStore | null;
  readonly reader: SessionReader;
  readonly sessions: Sessions;
  /** `null` where there is no store. */
  readonly ended: EndedList | null;
  /** Sign-outs that the store could not be told. */
  readonly pendingEnds: PendingEnds;
  /** Finds the sessions of one user; `null` where they live in cookies and cannot be found. */
  readonly userSessions: UserSessions | null;
  /** What has happened to the sign-ins of each person lately; `null` where there is no store. */
  readonly activity: RecentActivity | null;
  /** Tells what is open of the ends of its sessions; `null` where there is no store. It asks only while somebody watches. */
  readonly endWatch: EndWatch | null;
  /** The streams to open pages. */
  readonly streams: EventStreams;
  readonly hooks: Hooks<SessionData>;
  readonly renderProblem: (
    problem: Problem,
    request: AuthRequest,
    session: Session | null,
  ) => MaybePromise<string>;
  readonly renderSignedOut: (signedOut: SignedOut, request: AuthRequest) => MaybePromise<string>;
  readonly renderKeptForm: (form: FormToSend, request: AuthRequest) => MaybePromise<string>;
  readonly stepUpSeal: StepUpSeal;
  readonly keptForms: KeptForms;
  /** What the app demands of people for its paths. */
  readonly pathRules: readonly PathRule<SessionData>[];
  /** States of transactions that were answered: each is good for one try, also when two answers come together. */
  readonly answeredStates: RecentMap<true>;
  /** Sessions whose end was found and told lately. */
  readonly loggedEnds: RecentMap<true>;
  /** What this process has lately done to sessions, by session: when it changed the data, in epoch milliseconds, or its end. */
  readonly recentChanges: RecentMap<number | SessionEnding>;
  /** Where transactions lead, for browsers that come back without their cookie: a destination, no proof. */
  readonly destinations: RecentMap<string>;
  /** Sees to it that each refresh token is spent once. */
  readonly tickets: RefreshTickets;
  readonly refreshLimits: RefreshLimits;
  /** Logs a warning of one kind the first time only. */
  readonly warnOnce: (kind: string, message: string) => void;
  /** What was warned of at the start; the store may still be asked. */
  readonly warnings: readonly string[];
}

/**
 * A sign-in whose session could not be kept is not begun, and its code is not spent.
 *
 * @throws {Refusal} `store_unavailable`
 */
export async function checkStore({ config, store }: Context): Promise<void> {
  if (config.session.stateful) await store?.check();
}

/** Epoch seconds. */
export function nowSeconds({ clock }: Pick<Context, "clock">): number {
  return Math.floor(clock() / 1000);
}
