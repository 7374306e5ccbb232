import { endOfToken, type HeldToken } from "../session/session.ts";
import type { ExchangeTarget, Subject } from "../oidc/token-exchange.ts";

/** More would make a session too large for cookies. */
const tokensAtMost = 8;

/** Names what a token was exchanged for. */
export function keyOf(form: string, { audience, resource, scopes = [] }: ExchangeTarget): string {
  const sorted = [...new Set(scopes)].toSorted();
  return JSON.stringify([form, audience ?? null, resource ?? null, sorted]);
}

/** Adds a token; expired ones go, and beyond eight those that end first. */
export function withToken(
  held: Subject["held"],
  key: string,
  token: HeldToken,
  nowSeconds: number,
): Subject["held"] {
  const living = Object.entries(held).filter(
    ([name, each]) => name !== key && endOfToken(each) > nowSeconds,
  );
  const latest = living
    .toSorted(([, a], [, b]) => endOfToken(b) - endOfToken(a))
    .slice(0, tokensAtMost - 1);
  return Object.fromEntries([[key, token], ...latest]);
}
