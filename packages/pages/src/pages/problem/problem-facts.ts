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
  // The provider may post its response: no form of a person.
  const formPosted = method === "POST" && code !== "ERR_CALLBACK_HANDLER_FAILURE";
  return { formPosted, email: textClaim(session?.user.email) };
}
