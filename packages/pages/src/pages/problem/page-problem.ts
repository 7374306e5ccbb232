import type { Problem, ProblemKind } from "latchkey";

/** Which problem page a person sees: those of the engine, and those of the server around it. */
export type PageProblemKind = ProblemKind | "address-too-long" | "headers-too-large";

/** A problem as the pages show it. */
export type PageProblem = Omit<Problem, "code" | "kind"> & {
  readonly code: string;
  readonly kind: PageProblemKind;
};
