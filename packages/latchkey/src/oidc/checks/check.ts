import { oneLine } from "../../errors/one-line.ts";
import { type Fault, isTokenReason, type Reason } from "../../errors/reasons.ts";
import { Refusal, type RefusalDetail } from "../../errors/refusal.ts";
import type { TokenFault, TokenKind } from "../../errors/token-reasons.ts";

/**
 * One check, as data: sign-in refuses by it, the inspector shows it, and the page of all checks
 * lists it with its comment.
 */
export interface Check<Facts> {
  /** Mostly that of the claim. Checks in a row with one name are one for the reader. */
  readonly name: string;
  /** The reason of its refusal. */
  readonly reason: Reason;
  /** Chooses another reason, for a check with several. */
  readonly reasonOf?: (facts: Facts) => Reason;
  /** Whether there is anything to check; by default there is. */
  readonly applies?: (facts: Facts) => boolean;
  readonly holds: (facts: Facts) => boolean;
  readonly expected: (facts: Facts) => string;
  readonly actual: (facts: Facts) => unknown;
  /** Whether both values are secrets: they are in no refusal, and the inspector masks them. */
  readonly isSecret?: true;
  /** More for the refusal than the expected and the actual value. */
  readonly refusal?: (facts: Facts) => RefusalDetail;
}

/** Checks in their order. */
export interface CheckList<Facts> {
  /** E.g. `ID token`. */
  readonly title: string;
  /** The kind of token that they are about, if it is one. */
  readonly kind?: TokenKind;
  readonly checks: readonly Check<Facts>[];
}

const titles: Readonly<Record<TokenKind, string>> = {
  id_token: "ID token",
  logout_token: "Logout token",
  userinfo_token: "Userinfo token",
};

/** Returns the same checks for each kind of token. */
export function forEachKind<Facts>(
  checksOf: (title: string) => readonly Check<Facts>[],
): Readonly<Record<TokenKind, CheckList<Facts>>> {
  const listOf = (kind: TokenKind): CheckList<Facts> => {
    const title = titles[kind];
    return { title, kind, checks: checksOf(title) };
  };
  return {
    id_token: listOf("id_token"),
    logout_token: listOf("logout_token"),
    userinfo_token: listOf("userinfo_token"),
  };
}

/**
 * Runs checks in their order.
 *
 * @throws {Refusal} of the first one that does not hold
 */
export type RunChecks = <Facts>(list: CheckList<Facts>, facts: Facts) => void;

/** See {@link RunChecks}. Nothing is made while all of them hold. */
export const runChecks: RunChecks = (list, facts) => {
  for (const check of list.checks) {
    if (!isMet(check, facts)) throw refusalOf(list, check, facts);
  }
};

function isMet<Facts>({ applies, holds }: Check<Facts>, facts: Facts): boolean {
  return applies?.(facts) === false || holds(facts);
}

function refusalOf<Facts>(list: CheckList<Facts>, check: Check<Facts>, facts: Facts): Refusal {
  const detail = check.isSecret ? undefined : detailOf(check.expected(facts), check.actual(facts));
  return new Refusal(faultOf(list, check, facts), { detail, ...check.refusal?.(facts) });
}

function faultOf<Facts>({ kind }: CheckList<Facts>, check: Check<Facts>, facts: Facts): Fault {
  const reason = check.reasonOf?.(facts) ?? check.reason;
  // A test compares all lists with the kinds of their reasons.
  return isTokenReason(reason) ? ({ reason, kind } as TokenFault) : reason;
}

/** The expected and the received value, on one line. */
export function detailOf(expected: string, found: unknown): string {
  const shown = found === undefined ? "nothing" : oneLine(JSON.stringify(found), 300);
  return `expected ${expected}, got ${shown}`;
}

/** What became of a check, for a reader. */
export interface CheckResult {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "not needed" | "not reached";
  /** Of a check that has passed or failed. */
  readonly values?: { readonly expected: string; readonly actual: unknown };
  readonly isSecret?: true | undefined;
}

/** Returns what has become of each check of a list; those after a failed one were not reached. */
export function judgeChecks<Facts>(
  { checks }: CheckList<Facts>,
  facts: Facts,
): readonly CheckResult[] {
  const failed = checks.findIndex((check) => !isMet(check, facts));
  return checks.map((check, place) => {
    const { name, isSecret, applies, expected, actual } = check;
    if (failed >= 0 && place > failed) return { name, verdict: "not reached" };
    if (applies?.(facts) === false) return { name, verdict: "not needed" };
    const verdict = place === failed ? "failed" : "passed";
    return {
      name,
      verdict,
      isSecret,
      values: { expected: expected(facts), actual: actual(facts) },
    };
  });
}
