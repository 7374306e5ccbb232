/**
 * What the pages of the local provider say, in one language. `{app}` and `{organization}` are
 * filled in.
 */
export interface Words {
  readonly direction: "ltr" | "rtl";
  /** Above every page. */
  readonly notice: string;
  readonly signInTo: string;
  readonly choosePerson: string;
  readonly asksForOrganization: string;
  /** The person of the login hint. */
  readonly suggested: string;
  /** The person who has a session here. */
  readonly signedInHere: string;
  readonly cancel: string;
  readonly backTo: string;
  readonly notFoundTitle: string;
  readonly notFoundBody: string;
  /** For a sign-in after its end. */
  readonly endedTitle: string;
  readonly endedBody: string;
  readonly startAgain: string;
  /** Used if the app is unknown. */
  readonly startAgainSomewhere: string;
  readonly errorTitle: string;
  readonly errorBody: string;
  readonly error: string;
  readonly reason: string;
  /** Of this provider. */
  readonly name: string;
  readonly frontBody: string;
  readonly app: string;
  readonly issuer: string;
  readonly metadata: string;
  readonly signOutHere: string;
  readonly signedOutTitle: string;
  readonly signedOutBody: string;
  /** Shown while frames sign out of apps. */
  readonly signingOutTitle: string;
  readonly signingOutBody: string;
  readonly continueLabel: string;
  /** What is special about a sample person. */
  readonly remarks: Readonly<Record<RemarkName, string>>;
}

/** What is special about a sample person, by name. */
export type RemarkName = "noOrganization" | "unconfirmed" | "rightToLeft" | "longName";

/** Words, and the tag of their language for `lang`. */
export interface Speech {
  readonly language: string;
  /** The name of the customer that speaks, if the provider plays several. */
  readonly customer: string | undefined;
  readonly words: Words;
}
