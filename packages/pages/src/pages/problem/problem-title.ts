import type { PageTitle } from "../../rendering/page.ts";
import type { PageProblem } from "./page-problem.ts";

/** Title of a problem page: message and values. */
export function problemTitle({ kind, organization }: PageProblem): PageTitle {
  const id = `problem.${kind}.title` as const;
  if (organization === undefined || kind !== "organization") return { id };
  return { id, values: { organization: organization.expected } };
}
