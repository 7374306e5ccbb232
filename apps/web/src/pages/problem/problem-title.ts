import type { Problem } from "latchkey";

import type { MessageKey } from "../../messages/languages.ts";
import type { Values } from "../../messages/words.ts";

/** Title of a problem page: message and values. */
export function problemTitle({ kind, organization }: Problem): { id: MessageKey; values: Values } {
  if (kind !== "organization") return { id: `problem.${kind}.title`, values: {} };
  return organization === undefined
    ? { id: "problem.organization.titleHidden", values: {} }
    : { id: "problem.organization.title", values: { organization: organization.expected } };
}
