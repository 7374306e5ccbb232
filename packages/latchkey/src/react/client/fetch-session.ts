import type { Paths } from "./paths.ts";
import { SignInError, type Claims, type Peek, type SignInOf } from "./session-state.ts";
import { UNKNOWN_TIMES } from "./session-times.ts";
import { isClaims, isPeek } from "./wire.ts";

/** Asks one of the server's addresses for JSON; `null` for a 204. */
export type Ask = (path: keyof Paths) => Promise<unknown>;

export interface Heard {
  /** The fault where only the person could be learned. */
  readonly peek: Peek | SignInError;
  readonly user: Claims | null;
}

/**
 * Who is signed in, and until when. On arrival both are asked for at once, and the person alone will do for a
 * start; to renew, the person first; otherwise the person only where another one is signed in now.
 *
 * @throws {SignInError} When the server could not be asked.
 */
export async function hearServer(
  ask: Ask,
  { status, user: known }: SignInOf<Claims>,
  renew: boolean,
): Promise<Heard> {
  const arriving = status === "loading" || status === "error";
  const who = renew || arriving ? askWho(ask) : Promise.resolve(known);
  const when = renew ? who.then(() => askPeek(ask)) : askPeek(ask);
  const [user, peek] = await Promise.all([who, arriving ? when.catch(faultOf) : when]);
  const another =
    !(peek instanceof SignInError) && peek.state === "signed-in" && peek.sub !== user?.sub;
  return { peek, user: another ? await askWho(ask) : user };
}

async function askWho(ask: Ask): Promise<Claims | null> {
  const claims = await ask("me");
  if (claims === null || isClaims(claims)) return claims;
  throw new SignInError("The answer about the person is none.", 200);
}

async function askPeek(ask: Ask): Promise<Peek> {
  const peek = await ask("session");
  if (isPeek(peek)) return peek;
  throw new SignInError("The answer about the session is none.", 200);
}

function faultOf(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  throw error;
}

/** What can be said of the session when only the person is known. */
export function peekOf(user: Claims | null, now: number): Peek {
  if (user === null) return { state: "signed-out", now };
  return { state: "signed-in", now, sub: user.sub, ...UNKNOWN_TIMES };
}
