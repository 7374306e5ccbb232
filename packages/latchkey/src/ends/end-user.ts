import type { Context } from "../context.ts";
import { ConfigError } from "../errors/config-error.ts";
import { oneLine } from "../errors/one-line.ts";
import { isName } from "../oidc/tokens/token-claims.ts";
import { userTag } from "../session/session-handle.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/** The operator who ends the sessions of a user. */
export interface Operator {
  /** A name for the log: an account, a ticket; at most 100 characters of it are kept. */
  readonly operator: string;
}

/** See `Auth.endUser`. */
export async function endUser(
  context: Context,
  sub: string,
  by: Operator | undefined,
): Promise<number | null> {
  const { connections, ended, userSessions, log } = context;
  const operator = by?.operator;
  // A command calls it with what JavaScript has for a missing argument, too.
  if (!isName(sub) || !isName(operator)) {
    throw new TypeError(
      "Name the person, and who ends the sessions: endUser(sub, { operator: name }).",
    );
  }
  if (ended === null) throw storeIsMissing();
  const subTag = userTag(connections.default.registration, sub);
  // The mark comes first: it also ends what is signed in while the list is read.
  await ended.endUser(subTag);
  const found = (await userSessions?.list(subTag)) ?? [];
  await userSessions?.remove(found);
  for (const { stored } of found) revokeTokens(context, stored);
  log({ event: "sign-out", reason: "operator", sub, cause: oneLine(operator, 100) });
  return userSessions === null ? null : found.length;
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
