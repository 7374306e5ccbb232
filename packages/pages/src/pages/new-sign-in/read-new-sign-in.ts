import { Refusal, type RequestAuth, type Session } from "latchkey";

import { describeDevice } from "../../components/device-name.ts";
import type { NewSignIn } from "../../components/page-frame.tsx";
import type { PageContext } from "../page-deps.ts";
import { mayHaveNewSignIn, newSignIns } from "./new-sign-ins.ts";
import { readRecognized } from "./recognized-cookie.ts";

/** What the question about a new sign-in is made of. */
export type SignIns = Pick<RequestAuth, "activity" | "devices">;

/**
 * Returns a new sign-in on another device, for the question whether it was the user; `undefined`
 * without one, or if the store does not respond.
 */
export async function readNewSignIn(
  context: PageContext,
  { times }: Session,
  signIns: SignIns,
): Promise<NewSignIn | undefined> {
  const { config } = context.env.deps;
  // Without a list of devices none can be signed out alone.
  if (config.session.stateful !== true) return undefined;
  try {
    const activity = await signIns.activity();
    if (activity === null) return undefined;
    const known = {
      activity,
      startedAt: times.startedAt,
      recognized: readRecognized({ config }, context),
    };
    if (!mayHaveNewSignIn(known)) return undefined;
    const [newest, ...others] = newSignIns(known, (await signIns.devices()) ?? []);
    if (newest === undefined) return undefined;
    const { id, startedAt: at } = newest;
    const { path: from } = context.req;
    return { id, at, device: describeDevice(newest), more: others.length, from };
  } catch (error) {
    // The page does not need the store.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
