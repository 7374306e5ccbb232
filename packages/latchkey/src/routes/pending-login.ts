import { homeURL, loginURL } from "../access/addresses.ts";
import { peekAtSession } from "../access/visit-request.ts";
import type { Context } from "../context.ts";
import { type Aftermath, HandlerError } from "../errors/handler-error.ts";
import type { Reason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import { parseCookies } from "../http/cookies.ts";
import { isNoNavigation } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import type { PendingLogin } from "../transaction/transaction-cookies.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { isRestart } from "./restart.ts";

export interface FoundLogin {
  readonly pending: PendingLogin;
  readonly transaction: Transaction;
}

/**
 * The pending login that an authorization response answers: the one with the same `state`.
 *
 * @throws {HandlerError} `state_cookie_missing`, `state_cookie_malformed`, `state_missing`, `state_mismatch`
 */
export async function findPendingLogin(
  context: Context,
  request: Request,
  parameters: Parameters,
): Promise<FoundLogin> {
  const logins = await context.transactions.read(parseCookies(request));
  const state = parameters.get("state");
  const found = logins.find(({ transaction }) => hasState(transaction, state));
  if (found !== undefined) {
    return { pending: found, transaction: found.transaction as Transaction };
  }
  const reason = whyNotFound(logins, parameters);
  const unreadable = logins.filter(({ transaction }) => transaction === null);
  throw new HandlerError("callback", new Refusal(reason), {
    ...(await onwardFrom(context, request, parameters, reason)),
    setCookies:
      reason === "state_cookie_malformed"
        ? unreadable.map((each) => context.transactions.remove(each))
        : [],
  });
}

function hasState(transaction: PendingLogin["transaction"], state: string | undefined): boolean {
  return (
    transaction !== null &&
    transaction !== "expired" &&
    state !== undefined &&
    sameText(transaction.state, state)
  );
}

/** Compares without telling by its duration how much was right. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

function whyNotFound(logins: readonly PendingLogin[], parameters: Parameters): Reason {
  const state = parameters.get("state");
  const readable = logins.filter(({ transaction }) => transaction !== null);
  const current = readable.filter(({ transaction }) => transaction !== "expired");
  if (current.length > 0) return (state ?? "") === "" ? "state_missing" : "state_mismatch";
  if (readable.length === 0 && logins.length > 0) return "state_cookie_malformed";
  if (parameters.size === 0) return "no_pending_login";
  return isRestart(state) ? "state_cookie_blocked" : "state_cookie_missing";
}

/**
 * Where a browser that came without its own pending login may go by itself: never further into this sign-in, but
 * to where it led, if that is known, or to a new one, once.
 */
async function onwardFrom(
  context: Context,
  request: Request,
  parameters: Parameters,
  reason: Reason,
): Promise<Aftermath> {
  const { config, destinations } = context;
  const state = parameters.get("state") ?? "";
  const returnTo = destinations.get(state);
  const known = returnTo === undefined ? {} : { returnTo };
  if (isNoNavigation(request) || request.method !== "GET") return known;
  if (await isSignedIn(context, request)) {
    return { ...known, onward: returnTo ?? homeURL(config) };
  }
  const isAnswer = parameters.has("code") || parameters.has("error");
  const wasLost = lostReasons.includes(reason) || returnTo !== undefined;
  return isAnswer && wasLost && !isRestart(state)
    ? { ...known, onward: loginURL(config, { returnTo, restart: "1" }) }
    : known;
}

const lostReasons: readonly Reason[] = ["state_cookie_missing", "state_cookie_malformed"];

/** What a sign-in that failed after its pending login was found leaves to be done. */
export async function aftermathOf(
  context: Context,
  request: Request,
  { returnTo, state }: Transaction,
  cause: unknown,
): Promise<Aftermath> {
  if (!(cause instanceof Refusal) || isNoNavigation(request)) return { returnTo };
  const { config } = context;
  if (cause.reason === "sign_in_cancelled") {
    return { returnTo, onward: `${homeURL(config)}?notice=cancelled` };
  }
  if (cause.reason === "code_rejected" && (await isSignedIn(context, request))) {
    return { returnTo, onward: returnTo };
  }
  const isPassing =
    cause.reason === "provider_trouble" ||
    (cause.reason === "provider_interaction_required" &&
      config.authorizationParams["prompt"] === "none");
  return isPassing && !isRestart(state)
    ? { returnTo, onward: loginURL(config, { returnTo, restart: "1" }) }
    : { returnTo };
}

async function isSignedIn(context: Context, request: Request): Promise<boolean> {
  try {
    return (await peekAtSession(context, request)).state === "live";
  } catch {
    return false;
  }
}
