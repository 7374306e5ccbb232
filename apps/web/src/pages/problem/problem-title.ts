import type { PageTitle } from "../../rendering/page.ts";
import type { PageProblem } from "./page-problem.ts";

/** Title of a problem page: message and values. */
export function problemTitle({ kind, organization }: PageProblem): PageTitle {
  if (kind !== "organization") return { id: `problem.${kind}.title` };
  return organization === undefined
    ? { id: "problem.organization.titleHidden" }
    : { id: "problem.organization.title", values: { organization: organization.expected } };
}
