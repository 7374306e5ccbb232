import { nameErrors } from "./name-errors.ts";
import { Refusal } from "./refusal.ts";

/**
 * Refuses a sign-in, thrown by the hook `afterCallback`. There is no session then. The user gets a
 * page with status 403, this sentence and the way to another account.
 */
export class SignInRefused extends Refusal {
  /**
   * @param text - plain text for the user: one or two sentences, of which at most 300 characters
   *   are shown
   * @param options.detail - why, for the log; by default the text
   */
  constructor(text: string, { detail = text }: { readonly detail?: string } = {}) {
    // JavaScript lets an app pass anything.
    super("sign_in_refused", { appText: typeof text === "string" ? text : "", detail });
  }
}

nameErrors({ SignInRefused });
