import type { AuthRequest, Session } from "latchkey";

import { textClaim } from "../../components/person-name.ts";
import type { PageProblem } from "./page-problem.ts";

/** What a problem page may know beyond the problem. */
export interface ProblemPageFacts {
  /** The signed-in person, if there is one. */
  readonly email?: string | undefined;
  /** A form was posted, and its fate is not known. */
  readonly formPosted?: boolean;
}

/**
 * If a rule has refused a page, its problem page names the account, so that the person can choose
 * another one.
 */
export function factsOf(
  { code }: Pick<PageProblem, "code">,
  { method }: AuthRequest,
  session: Session | null,
): ProblemPageFacts {
  const formPosted = method === "POST" && !ofSignIn.has(code);
  return { formPosted, email: textClaim(session?.user.email) };
}

/** A sign-in saves nothing of a person: its page can be opened again, and the provider may post. */
const ofSignIn: ReadonlySet<string> = new Set([
  "ERR_CALLBACK_HANDLER_FAILURE",
  "ERR_CONNECTION_UNAVAILABLE",
  "ERR_LOGIN_HANDLER_FAILURE",
]);
