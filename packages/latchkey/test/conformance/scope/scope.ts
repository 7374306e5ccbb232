import { attacks } from "./scope-attacks.ts";
import { operations } from "./scope-operations.ts";
import type { Section } from "./scope-section.ts";
import { standards } from "./scope-standards.ts";

export type { Requirement, Section } from "./scope-section.ts";

/** Everything that this project sets out to prove, in the order of the page. */
export const scope: readonly Section[] = [...standards, ...attacks, ...operations];
