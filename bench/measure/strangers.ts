import { optionsFromEnvironment } from "latchkey";
import { signedInCookies } from "latchkey/testing";
import type { World } from "../world.ts";
import { sessionOf } from "./sample-session.ts";

/** More than a server of ours remembers of the cookies that it has opened lately, in characters. */
const unmemorable = 3_000_000;

/**
 * Cookies of so many people that none is remembered when its turn comes again: each has to be opened.
 *
 * All our servers share secret, issuer and client, so they are good at each.
 *
 * @param bytes - of JSON in each session
 */
export async function strangers(world: World, bytes = 2600): Promise<readonly string[]> {
  const { options } = optionsFromEnvironment(world.environmentOf("latchkey"));
  const session = { ...sessionOf(bytes) };
  const cookies: string[] = [];
  for (let length = 0; length < unmemorable;) {
    // oxlint-disable-next-line no-await-in-loop -- how many there are depends on their length
    const cookie = await signedInCookies({ options, session });
    cookies.push(cookie);
    length += cookie.length;
  }
  return cookies;
}
