import type { Runtime } from "../../config/runtime.ts";
import { Refusal } from "../../errors/refusal.ts";
import { sessionTags } from "../session-handle.ts";
import type { Store } from "../../stores/store.ts";
import type { SessionConnection, SignInFacts } from "../sessions.ts";
import { markKeys } from "./ended-list.ts";
import { endsSignIn, parseMark } from "./mark.ts";

/** Where marks are, and the time here. */
interface MarkPlace extends Pick<Runtime, "clock" | "timing"> {
  readonly store: Pick<Store, "get"> | null;
}

/** In milliseconds. A clock that is further ahead is for the operator to set. */
const waitAtMost = 10_000;

/**
 * Refuses a sign-in that a sign-out of the future ends: it was made by an instance whose clock is
 * ahead, and the session would end at once. The answer comes when the time of the sign-out has
 * passed here, so the next sign-in begins after it.
 *
 * @throws {Refusal} `code_rejected`
 */
export async function checkNoMarkAhead(
  { store, clock, timing }: MarkPlace,
  { id: connection, registration }: Pick<SessionConnection, "id" | "registration">,
  facts: SignInFacts,
): Promise<void> {
  if (store === null) return;
  const keys = markKeys({ id: "", connection, ...sessionTags(registration, facts) });
  const aheadMs = await msAhead({ store, clock }, keys, facts);
  if (aheadMs <= 0) return;
  await timing.wait(Math.min(aheadMs + 1, waitAtMost));
  const detail = `the user signed out at an instance whose clock is ${aheadMs} ms ahead; check the clocks of all instances`;
  throw new Refusal("code_rejected", { detail });
}

/** By how much the newest mark on a sign-in is ahead of this clock; 0 without one. */
async function msAhead(
  { store, clock }: Pick<MarkPlace, "clock"> & { readonly store: NonNullable<MarkPlace["store"]> },
  keys: readonly string[],
  facts: SignInFacts,
): Promise<number> {
  // Marks that cannot be read now are read with the session.
  const texts = await Promise.resolve(store.get(keys)).catch(() => []);
  const marks = texts.flatMap((text) => parseMark(text ?? "") ?? []);
  const ending = marks.filter((mark) => endsSignIn(mark, facts));
  return Math.max(0, ...ending.map(({ at }) => Math.ceil(at - clock())));
}
