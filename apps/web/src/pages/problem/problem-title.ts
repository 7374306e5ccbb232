import type { Problem } from "latchkey";

import type { PageTitle } from "../../rendering/page.ts";

/** Title of a problem page: message and values. */
export function problemTitle({ kind, organization }: Problem): PageTitle {
  if (kind !== "organization") return { id: `problem.${kind}.title`, values: {} };
  return organization === undefined
    ? { id: "problem.organization.titleHidden", values: {} }
    : { id: "problem.organization.title", values: { organization: organization.expected } };
}
