/** What a problem page may know beyond the problem. */
export interface ProblemPageFacts {
  /** The signed-in person, if there is one. */
  readonly email?: string | undefined;
  /** A form was posted, and its fate is not known. */
  readonly formPosted?: boolean;
}
