import type { PageTitle } from "../../rendering/page.ts";
import type { PageProblem } from "./page-problem.ts";

/** Title of a problem page: message and values. */
export function problemTitle({ kind, organization }: PageProblem): PageTitle {
  if (kind !== "organization") return { id: `problem.${kind}.title`, values: {} };
  return organization === undefined
    ? { id: "problem.organization.titleHidden", values: {} }
    : { id: "problem.organization.title", values: { organization: organization.expected } };
}
