import { connectionIDForm, defaultID } from "../config/constants.ts";
import { type Context, withConnection } from "../context.ts";
import { ConfigError } from "../errors/config-error.ts";
import { oneLine } from "../errors/one-line.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import { isName } from "../oidc/tokens/token-claims.ts";
import { userTag } from "../session/session-handle.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/** The operator who ends the sessions of a user. */
export interface Operator {
  /** A name for the log: an account, a ticket; at most 100 characters of it are kept. */
  readonly operator: string;
}

/** Whose user is meant: every provider may give its users any `sub`. */
export interface OfConnection {
  /** The id of the connection; needed once the app has several clients. */
  readonly connection?: string | undefined;
}

/** See `Auth.endUser`. */
export async function endUser(
  context: Context,
  sub: string,
  by: Operator | undefined,
  { connection: id }: OfConnection = {},
): Promise<number | null> {
  const { ended, userSessions } = context;
  const operator = by?.operator;
  // A command calls it with what JavaScript has for a missing argument, too.
  if (!isName(sub) || !isName(operator)) {
    throw new TypeError(
      "Name the person, and who ends the sessions: endUser(sub, { operator: name }).",
    );
  }
  const connection = await connectionOf(context, id);
  if (ended === null) throw storeIsMissing();
  const subTag = userTag(connection.registration, sub);
  // The mark comes first: it also ends what is signed in while the list is read.
  await ended.endUser(subTag);
  const found = (await userSessions?.list(subTag)) ?? [];
  await userSessions?.remove(found);
  for (const { stored } of found) revokeTokens(context, stored);
  const { log } = withConnection(context, connection);
  log({ event: "sign-out", reason: "operator", sub, cause: oneLine(operator, 100) });
  return userSessions === null ? null : found.length;
}

/** @throws {TypeError} for an unknown id, or without one if several clients have users */
async function connectionOf(
  { connections }: { readonly connections: Connections },
  id: string | undefined,
): Promise<Connection> {
  const { all, default: byDefault } = connections;
  if (id === undefined && all.every(({ uses }) => uses === byDefault.id)) return byDefault;
  const connection = id === undefined ? null : await connections.byID(id);
  if (connection !== null) return connection;
  const known = all.map((each) => each.id).join(", ");
  throw new TypeError(
    `Name the connection of the person: endUser(sub, by, { connection }), one of ${known}.`,
  );
}

/**
 * See `Auth.endConnection`. Sessions that are started afterwards count again.
 *
 * @throws {TypeError} for `default`, whose sessions name no connection, and for what is no id
 */
export async function endConnection(
  { ended, log }: Pick<Context, "ended" | "log">,
  id: string,
  by: Operator | undefined,
): Promise<void> {
  const operator = by?.operator;
  if (!connectionIDForm.test(id) || id === defaultID || !isName(operator)) {
    throw new TypeError(
      "Name a connection beside default, and who ends its sessions: endConnection(id, { operator: name }).",
    );
  }
  if (ended === null) throw storeIsMissing();
  await ended.endConnection(id);
  const cause = oneLine(operator, 100);
  log({ event: "sign-out", reason: "operator", connection: id, cause });
}

function storeIsMissing(): ConfigError {
  return new ConfigError([
    {
      option: "store",
      variable: "LATCHKEY_STORE",
      message: "is needed to remember whose sessions have ended",
      remedy: "Give a store (LATCHKEY_STORE=sqlite:<file>).",
    },
  ]);
}
