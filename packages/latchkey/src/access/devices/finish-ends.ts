import { type Context, nowSeconds } from "../../context.ts";
import type { FoundSession } from "../../session/user-sessions.ts";
import { revokeTokens } from "../ends/revoke-tokens.ts";

const kind = "later ends of devices";

/**
 * Does in the background what the later ends that have come leave to do: the record goes, and its tokens are revoked.
 * Twice is as good as once.
 *
 * @param found - sessions of a user
 */
export function finishEnds(context: Context, found: readonly FoundSession[]): void {
  const now = nowSeconds(context);
  const due = found.filter(({ laterEnd }) => laterEnd !== null && laterEnd.at <= now);
  async function finish(): Promise<void> {
    await context.userSessions?.remove(due);
    for (const { stored } of due) revokeTokens(context, stored);
  }
  context.background.run(kind, finish());
}

/**
 * Finishes the later ends of a user when they have come. The marks alone end the sessions: where this process stops
 * before, whoever looks at the list next does the rest.
 *
 * @param at - epoch seconds
 */
export function finishWhenDue(
  context: Context,
  { subTag, at }: { readonly subTag: string; readonly at: number },
): void {
  const { background, clock, userSessions } = context;
  async function wait(): Promise<void> {
    await background.pause(at * 1000 - clock());
    finishEnds(context, (await userSessions?.list(subTag)) ?? []);
  }
  background.run(kind, wait());
}
