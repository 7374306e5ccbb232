import type { DoorState } from "../../components/door-mark.tsx";
import type { PageProblemKind } from "./page-problem.ts";

/** The one thing that a problem page offers first. */
export type ProblemAction =
  | "back"
  | "clear"
  | "copy"
  | "home"
  | "new-tab"
  | "sign-in"
  | "sign-out"
  | "stay"
  | "switch-account"
  | "try-again";

/** How a kind of problem is shown. */
export interface ProblemPlan {
  readonly action: ProblemAction;
  readonly second?: ProblemAction;
  /** Whether the title says "Error:", and the Help block is there. */
  readonly error: boolean;
  readonly mark: DoorState;
  /** Which hop does not answer, where that is the matter. */
  readonly hops?: true;
}

const pause = { error: false, mark: "signed-out" } as const;
const again = { error: true, mark: "ending" } as const;
const stopped = { error: true, mark: "stopped" } as const;

/** Every kind of problem: what to do, and how serious it looks. */
export const problemPlans: Readonly<Record<PageProblemKind, ProblemPlan>> = {
  "address-too-long": { ...again, action: "home" },
  "callback-failed": { ...stopped, action: "try-again", second: "home" },
  cancelled: { ...pause, action: "sign-in", second: "home" },
  "clock-skew": { ...stopped, action: "try-again", second: "home" },
  "code-used": { ...again, action: "sign-in", second: "home" },
  "confirm-sign-out": { ...pause, action: "sign-out", second: "stay" },
  "cookies-blocked": { ...stopped, action: "try-again", second: "home" },
  forbidden: { ...stopped, action: "back", second: "switch-account" },
  "form-not-sent": { ...again, action: "sign-in" },
  framed: { ...again, action: "new-tab" },
  "headers-too-large": { ...again, action: "home" },
  "link-incomplete": { ...again, action: "sign-in", second: "home" },
  loop: { ...stopped, action: "try-again", second: "home" },
  "no-sign-in-in-progress": { ...pause, action: "sign-in", second: "home" },
  "not-confirmed": { ...stopped, action: "try-again", second: "home" },
  "not-found": { ...again, action: "home" },
  organization: { ...stopped, action: "switch-account" },
  "provider-busy": { ...again, action: "try-again", second: "home", hops: true },
  "provider-refused": { ...stopped, action: "switch-account", second: "home" },
  "provider-trouble": { ...again, action: "try-again", second: "home", hops: true },
  "provider-unreachable-finish": { ...again, action: "try-again", second: "home", hops: true },
  "provider-unreachable-start": { ...again, action: "try-again", second: "home", hops: true },
  "restart-missing": { ...again, action: "sign-in", second: "home" },
  "restart-unreadable": { ...again, action: "sign-in", second: "home" },
  "server-error": { ...stopped, action: "home" },
  "session-too-large": { ...stopped, action: "copy", second: "home" },
  "setup-wrong": { ...stopped, action: "copy", second: "home" },
  "sign-in-needed": { ...pause, action: "sign-in" },
  "state-mismatch": { ...again, action: "sign-in", second: "home" },
  "too-many-cookies": { ...again, action: "clear" },
};
