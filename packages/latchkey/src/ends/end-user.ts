import { connectionIDForm, defaultID } from "../config/constants.ts";
import { type Context, knowsIdentities } from "../context.ts";
import { ConfigError } from "../errors/config-error.ts";
import { oneLine } from "../errors/one-line.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import { isName } from "../oidc/tokens/token-claims.ts";
import type { EndedList } from "../session/marks/ended-list.ts";
import { userTag } from "../session/session-handle.ts";
import { identityIndex } from "../session/create-identity.ts";
import type { Sessions } from "../session/sessions.ts";
import type { SessionInStore } from "../session/user-sessions.ts";
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

/** A user by the `id` of an identity. */
interface NamedIdentity {
  readonly id: string;
}

/** See `Auth.endUser`. */
export async function endUser(
  context: Context,
  user: string | NamedIdentity,
  by: Operator | undefined,
  { connection: id }: OfConnection = {},
): Promise<number | null> {
  const operator = by?.operator;
  // A command calls it with what JavaScript has for a missing argument, too.
  if (!isUser(user) || !isName(operator)) {
    throw new TypeError(
      "Name the person, and who ends the sessions: endUser(sub, { operator: name }).",
    );
  }
  const { subTags, event } =
    typeof user === "string"
      ? ofConnection(await connectionOf(context, id), user)
      : await ofIdentity(context, user);
  const found = await endTagged(context, subTags);
  for (const { stored } of found ?? []) revokeTokens(context, stored);
  const cause = oneLine(operator, 100);
  context.log({ event: "sign-out", reason: "operator", ...event, cause });
  return found && found.length;
}

function isUser(user: unknown): user is string | NamedIdentity {
  if (isName(user)) return true;
  if (typeof user !== "object" || user === null || !("id" in user)) return false;
  return typeof user.id === "string" && /^[\w-]{43}$/.test(user.id);
}

/** A user, by the tags of it at each client. */
interface Tagged {
  readonly subTags: readonly string[];
  /** As the log names the user. */
  readonly event: {
    readonly sub?: string;
    readonly identity?: string;
    readonly connection?: string;
  };
}

function ofConnection({ registration, named }: Connection, sub: string): Tagged {
  const event = named === undefined ? { sub } : { sub, connection: named };
  return { subTags: [userTag(registration, sub)], event };
}

type Identities = Parameters<typeof knowsIdentities>[0] & {
  readonly store: {
    readonly members: (index: string) => readonly string[] | Promise<readonly string[]>;
  } | null;
};

/** @throws {TypeError} if the app does not know its users by their identities */
async function ofIdentity(
  { store, ...app }: Identities,
  { id: identity }: NamedIdentity,
): Promise<Tagged> {
  if (!knowsIdentities(app)) {
    throw new TypeError("endUser() by an identity needs the setting identity: issuer+sub.");
  }
  const subTags = (await store?.members(identityIndex(identity))) ?? [];
  return { subTags, event: { identity } };
}

interface Endings {
  readonly ended: EndedList | null;
  readonly sessions: Pick<Sessions, "ofUsers">;
}

/** Returns the ended sessions, `null` if they cannot be found. */
async function endTagged(
  { ended, sessions: { ofUsers } }: Endings,
  subTags: readonly string[],
): Promise<readonly SessionInStore[] | null> {
  if (ended === null) throw storeIsMissing();
  // The marks come first: they also end what is signed in while the lists are read.
  await Promise.all(subTags.map((subTag) => ended.endUser(subTag)));
  if (ofUsers === null) return null;
  const lists = await Promise.all(subTags.map((subTag) => ofUsers.list(subTag)));
  const found = lists.flat();
  await ofUsers.remove(found);
  return found;
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
    `Name the connection of the person: endUser(sub, by, { connection }), one of ${known}. Or end the sessions of an identity: endUser({ id }, by).`,
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
