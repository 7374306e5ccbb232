import { type Context, nowSeconds } from "../../context.ts";
import type { FoundSession } from "../../session/user-sessions.ts";
import { revokeTokens } from "../revoke-tokens.ts";

/** What the end of a session leaves to do: its record goes, and its tokens are revoked. Twice is as good as once. */
export async function finishEnds(context: Context, found: readonly FoundSession[]): Promise<void> {
  await context.userSessions?.remove(found);
  for (const { stored } of found) revokeTokens(context, stored);
}

/** Of these sessions, those whose later end has come. */
export function dueIn(context: Context, found: readonly FoundSession[]): readonly FoundSession[] {
  const now = nowSeconds(context);
  return found.filter(({ laterEnd }) => laterEnd !== null && laterEnd.at <= now);
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
    const found = (await userSessions?.list(subTag)) ?? [];
    await finishEnds(context, dueIn(context, found));
  }
  background.run("later ends of devices", wait());
}
