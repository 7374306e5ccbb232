import { attacks } from "./scope-attacks.ts";
import { operations } from "./scope-operations.ts";
import type { Section } from "./scope-section.ts";
import { standards } from "./scope-standards.ts";

export type { Requirement, Section } from "./scope-section.ts";

/** All claims of this project that need a test, in the order of the page. */
export const scope: readonly Section[] = [...standards, ...attacks, ...operations];
