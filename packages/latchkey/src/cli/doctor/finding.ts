/**
 * What a check has found.
 *
 * - `ok`: as it should be
 * - `note`: unusual, and legitimate
 * - `warning`: works now, and will fail for some users or later
 * - `failure`: users cannot sign in, or sign-in is not safe
 * - `not-known`: the answer proves nothing
 * - `not-asked`: a failure of another check explains whatever it would find
 */
export type Verdict = "ok" | "note" | "warning" | "failure" | "not-known" | "not-asked";

export interface Judgement {
  readonly verdict: Verdict;
  /** What was found, in one sentence; without secrets. */
  readonly what: string;
  /** What to do about it, in one sentence or two; empty if nothing is to do. */
  readonly remedy: string;
}

/** A check: a pure function of what was read before. */
export interface Check<Facts> {
  /** Stable: scripts and the page of the documentation name it. */
  readonly id: string;
  readonly title: string;
  readonly judge: (facts: Facts) => Judgement | readonly Judgement[];
  /** Checks whose failure explains what this one would find. */
  readonly after?: readonly string[];
}

export interface Finding extends Judgement {
  /** Of which connection; absent for that of the flat settings, and for the app as a whole. */
  readonly connection?: string;
  readonly id: string;
  readonly title: string;
  readonly page: string;
}

export const ok: Judgement = { verdict: "ok", what: "", remedy: "" };

/**
 * Nothing was there to judge.
 *
 * @param option - of the command line, with which it is judged
 */
export const notAsked = (what: string, option = ""): Judgement => ({
  verdict: "not-asked",
  what,
  remedy: option,
});

export const notKnown = (what: string, remedy = ""): Judgement => ({
  verdict: "not-known",
  what,
  remedy,
});

export const note = (what: string, remedy = ""): Judgement => ({ verdict: "note", what, remedy });

export const warning = (what: string, remedy: string): Judgement => ({
  verdict: "warning",
  what,
  remedy,
});

export const failure = (what: string, remedy: string): Judgement => ({
  verdict: "failure",
  what,
  remedy,
});

/** Says to set a variable. What a server sends is named only if a shell would read it as it is. */
export const setTo = (variable: string, value: unknown): string =>
  typeof value === "string" && /^[\w.~:/@%+=,-]{1,200}$/.test(value)
    ? `Set ${variable}=${value}`
    : `Set ${variable} to the value of the provider`;

/** What a check has found, or that nothing is wrong. */
export const orOK = (judgements: readonly Judgement[]): readonly Judgement[] =>
  judgements.length > 0 ? judgements : [ok];
