/** What a refused user requests. */
export interface AccessDetails {
  /** Address of the refused page. */
  readonly page: string;
  /** Which rule has refused it, e.g. `claim groups: admin`, or the error name. */
  readonly rule: string;
  /** The email address of the user, or the user ID; absent if unknown. */
  readonly account?: string | undefined;
  /** As on the page, e.g. `7F3K-92QD`. */
  readonly reference: string;
}
