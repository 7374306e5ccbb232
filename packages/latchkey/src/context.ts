import { type Config, wantsOfflineAccess } from "./config/config.ts";
import { defaultID } from "./config/constants.ts";
import type { Hooks } from "./config/code-options.ts";
import type { Pages } from "./config/pages.ts";
import type { Runtime } from "./config/runtime.ts";
import type { Connection } from "./oidc/connection.ts";
import type { Connections, ConnectionNames } from "./oidc/connections.ts";
import type { EndWatch } from "./session/marks/end-watch.ts";
import type { EndedList } from "./session/marks/ended-list.ts";
import type { SessionReader } from "./session/read-session.ts";
import type { Redirection } from "./oidc/redirection.ts";
import type { TokenExchange } from "./oidc/token-exchange.ts";
import type { RecentSessions } from "./session/recent-sessions.ts";
import type { SessionData } from "./session/session.ts";
import type { Sessions } from "./session/sessions.ts";
import type { UserEvent } from "./session/user-event.ts";
import type { GuardedStore } from "./stores/guard/guarded-store.ts";
import type { Log } from "./telemetry/log-event.ts";
import type { Place } from "./telemetry/place.ts";
import type { RecentTransactions } from "./transaction/recent-transactions.ts";
import type { RefusalSeal } from "./transaction/refusal-seal.ts";
import type { LastConnection } from "./transaction/last-connection.ts";
import type { LoginSeal } from "./transaction/login-seal.ts";
import type { TransactionCookies } from "./transaction/transaction-cookies.ts";
import type { LoopCounter } from "./transaction/loop-counter.ts";

/** What every route is given. Made once; nothing in it belongs to one request. */
export interface Context extends Runtime {
  readonly config: Config;
  readonly connections: Connections;
  readonly signIns: SignIns;
  /** Guarded; `null` without a store. */
  readonly store: GuardedStore | null;
  readonly reader: SessionReader;
  readonly sessions: Sessions;
  /** The list of ended sessions, which open pages watch; `null` without a store. */
  readonly ended: (EndedList & EndWatch) | null;
  readonly recent: RecentSessions;
  /** Receives what happens to the sign-ins of each user. */
  readonly onUserEvent: (event: UserEvent) => void;
  /** `null` unless the app imports it. */
  readonly tokenExchange: TokenExchange | null;
  readonly hooks: Hooks<SessionData>;
  readonly pages: Pages & Required<Pick<Pages, "signIn">>;
  readonly warnings: Warnings;
}

/** Sign-ins that are under way. */
export interface SignIns {
  readonly transactions: TransactionCookies;
  readonly loopCounter: LoopCounter;
  readonly lastConnection: LastConnection;
  readonly refusalSeal: RefusalSeal;
  readonly loginSeal: LoginSeal;
  readonly redirection: Redirection;
  readonly recent: RecentTransactions;
}

/** What an operator should change. */
export interface Warnings {
  /** Logs a warning of one kind the first time only. */
  readonly once: (kind: string, message: string) => void;
}

/** The same, but its events name the connection, if there are several. */
export function withConnection<Runs extends Pick<Runtime, "log">>(
  runtime: Runs,
  connection: Pick<Connection, "named" | "registration">,
): Runs {
  if (connection.named === undefined) return runtime;
  const place = placeOf(connection);
  return { ...runtime, log: (event) => runtime.log({ ...place, ...event }) };
}

/** The connection as events name it, if there are several. */
export function placeOf({
  named: connection,
  registration: { issuer, client },
}: Pick<Connection, "named" | "registration">): Place {
  return connection === undefined ? {} : { connection, issuer, clientID: client };
}

/** The connection of a session as events name it: by the names in its header. */
export function placeOfSession(
  { connections }: { readonly connections: Pick<Connections, "all" | "default"> },
  { connection = defaultID, issuer, client }: ConnectionNames,
): Place {
  if (connections.default.named === undefined) return {};
  if (issuer !== undefined) return { connection, issuer, clientID: client };
  const known = connections.all.find(({ id }) => id === connection);
  return known === undefined ? { connection } : placeOf(known);
}

/** The log for events of a session, which name its connection if there are several. */
export function logOf(
  context: {
    readonly connections: Pick<Connections, "all" | "default">;
    readonly log: Log;
  },
  header: ConnectionNames,
): Log {
  const { log } = context;
  if (context.connections.default.named === undefined) return log;
  const place = placeOfSession(context, header);
  return (event) => log({ ...place, ...event });
}

/** Whether the app knows its users by their identities: it says so, or has several connections. */
export function knowsIdentities({
  config,
  connections,
}: {
  readonly config: Pick<Config, "identity">;
  readonly connections: Pick<Connections, "default">;
}): boolean {
  return config.identity !== undefined || connections.default.named !== undefined;
}

/**
 * A sign-in whose session could not be kept is not begun, and its code is not spent.
 *
 * @throws {Refusal} `store_unavailable`
 */
export async function checkStore(
  { config, store }: Context,
  connection: Pick<Connection, "scope">,
): Promise<void> {
  if (config.session.stateful ?? wantsOfflineAccess(connection)) await store?.check();
}
