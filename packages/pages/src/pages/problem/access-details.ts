import type { Session } from "latchkey";

import type { AccessDetails } from "../../components/access-details.ts";
import { textClaim } from "../../components/person-name.ts";
import type { PageProblem } from "./page-problem.ts";

/** What a refused user requests: the page, the rule, the account and the reference. */
export function accessDetails(
  { signInURL, homeURL, unmet = [], reason, reference, organization }: PageProblem,
  session: Session | undefined,
  baseURL: string,
): AccessDetails {
  // The address of the request may be that of the callback, with a code.
  const returnTo = new URL(signInURL, baseURL).searchParams.get("returnTo") ?? homeURL;
  const page = URL.canParse(returnTo, baseURL) ? new URL(returnTo, baseURL).href : baseURL;
  const rules = unmet
    .filter(({ part }) => part !== "rule")
    .map(({ part, name = "", required }) => `${part} ${name}`.trim() + `: ${required.join(", ")}`);
  return {
    page,
    rule: rules.length === 0 ? reason : rules.join("; "),
    account: textClaim(session?.user.email) ?? session?.user.sub ?? organization?.email,
    reference,
  };
}
