import type { Config } from "./config/config.ts";
import type { Log } from "./config/log-event.ts";
import type { Hooks } from "./config/parts.ts";
import type { Problem } from "./errors/problem.ts";
import type { Provider } from "./oidc/provider.ts";
import type { TokenResponse } from "./oidc/token-request.ts";
import type { EndedList } from "./session/ended-list.ts";
import type { SessionData } from "./session/session.ts";
import type { Sessions } from "./session/sessions.ts";
import type { Visits } from "./session/visits.ts";
import type { RecentStates } from "./transaction/recent-states.ts";
import type { TransactionCookies } from "./transaction/transaction-cookies.ts";

/** What every route is given. Made once by `createAuth`; nothing in it belongs to one request. */
export interface Context {
  readonly config: Config;
  readonly provider: Provider;
  readonly transactions: TransactionCookies;
  readonly sessions: Sessions;
  readonly ended: EndedList | null;
  readonly hooks: Hooks<SessionData>;
  readonly renderProblem: (problem: Problem, request: Request) => string | Promise<string>;
  /** Pending logins that were answered: each is good for one try, also when two answers come at once. */
  readonly answeredStates: RecentStates<true>;
  /** Where pending logins lead, for browsers that come back without their cookie: a destination, no proof. */
  readonly destinations: RecentStates<string>;
  /** Refresh tokens being spent, or spent a short while ago, each with the access token that it replaces. */
  readonly refreshes: Map<string, Promise<RefreshedTokens>>;
  /** The visit of a request: made once, and replaced when a later step of the same request changes the session. */
  readonly visits: Visits;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Random text of so many bytes, base64url. */
  readonly randomText: (bytes: number) => string;
  readonly log: Log;
}

/** What a refresh has brought, and when: a request that shares it later must not think the tokens younger. */
export interface RefreshedTokens extends TokenResponse {
  /** Epoch seconds. */
  readonly receivedAt: number;
}

/** Epoch seconds. */
export function nowSeconds({ clock }: Pick<Context, "clock">): number {
  return Math.floor(clock() / 1000);
}
