/** One sign-in as the page shows it: texts only, secrets masked before they come here. */
export interface SignInEntry {
  /** The reference of its problem page, or a number. */
  id: string;
  /** Epoch milliseconds. */
  readonly began: number;
  result: "waiting" | "signed in" | "failed";
  /** Who has signed in, or the reason of the refusal. */
  summary: string;
  /** With whom and where, if the app has several connections or hosts. */
  place?: string;
  /** The id of its session, by which later events find it. */
  session?: string | undefined;
  readonly steps: Step[];
}

/** One step, in the order of time. */
export interface Step {
  readonly title: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly facts: readonly Fact[];
  readonly checks?: readonly Check[];
  readonly documents?: readonly Document[];
  readonly cookies?: readonly SetCookie[];
}

export type Fact = readonly [name: string, value: string];

export type Verdict = "passed" | "failed" | "not needed" | "not reached";

export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
  readonly expected: string;
  readonly actual: string;
}

/** JSON, indented. */
export interface Document {
  readonly title: string;
  readonly text: string;
}

/** A cookie of a response, without its value. */
export interface SetCookie {
  readonly name: string;
  /** Bytes of the value; 0 if the cookie is cleared. */
  readonly bytes: number;
  readonly flags: string;
}
