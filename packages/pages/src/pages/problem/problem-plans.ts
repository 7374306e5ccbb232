import type { DoorState } from "../../components/door/door-mark.tsx";
import type { PageProblem, PageProblemKind } from "./page-problem.ts";
import type { ProblemPageFacts } from "./problem-facts.ts";

/** The first action of a problem page. */
export type ProblemAction =
  | "back"
  | "clear"
  | "copy"
  | "home"
  | "other-way"
  | "reload"
  | "return"
  | "sign-in"
  | "sign-out"
  | "stay"
  | "switch-account"
  | "try-again";

/** How a kind of problem is shown. */
export interface ProblemPlan {
  readonly action: ProblemAction;
  readonly second?: ProblemAction | undefined;
  /** Whether the title says "Error:", and the Help block is there. */
  readonly error: boolean;
  readonly mark: DoorState;
  /**
   * Which of the three parties does not respond, or the provider's answer, if either is the cause.
   */
  readonly fault?: "provider" | "provider-answer" | "store";
  /**
   * The condition that the page probes: a sign-in can begin, the page can be shown, cookies are
   * kept.
   */
  readonly retries?: "sign-in" | "page" | "cookies";
}

/** How serious a problem looks: no problem at all, one that a try helps, one that needs more. */
const pause = { error: false, mark: "signed-out" } as const;
const again = { error: true, mark: "ending" } as const;
const stopped = { error: true, mark: "stopped" } as const;

/** What the provider does: it does not respond, or it responds that it cannot. */
const silent = { fault: "provider", retries: "sign-in" } as const;
const refusing = { fault: "provider-answer", retries: "sign-in" } as const;

/** What differs for a reason of `server-error`. */
const plansOfReasons: Readonly<Record<string, Partial<ProblemPlan>>> = {
  connection_unavailable: { retries: "page" },
  store_unavailable: { fault: "store", retries: "page" },
  device_proof_missing: { second: "sign-in", retries: "page" },
};

/** How a problem is shown. */
export function planOf(problem: PageProblem, facts: ProblemPageFacts): ProblemPlan {
  const { kind, reason, code, otherWaysURL, organization } = problem;
  const isOurs = kind === "server-error";
  const isOfOneWay = ofOneWay.has(kind) || (isOurs && reason === "connection_unavailable");
  const hasOtherWay = otherWaysURL !== undefined && isOfOneWay;
  const plan: ProblemPlan = {
    ...problemPlans[kind],
    ...(isOurs && plansOfReasons[reason]),
    ...(hasOtherWay && { second: "other-way" }),
    ...(kind === "email-domain" && facts.email !== undefined && { second: "return" }),
    ...(organization?.isUnconfirmed === true && { action: "try-again" }),
  };
  if (plan.action !== "reload") return plan;
  // What was posted is never sent again from here, and a code is good for one request.
  if (facts.formPosted === true) return { ...plan, action: "home", second: undefined };
  return code === "ERR_CALLBACK_HANDLER_FAILURE" ? { ...plan, action: "try-again" } : plan;
}

/** Problems of one way to sign in. */
const ofOneWay: ReadonlySet<PageProblemKind> = new Set([
  "email-domain",
  "not-confirmed",
  "organization",
  "provider-busy",
  "provider-refused",
  "provider-trouble",
  "provider-unreachable-finish",
  "provider-unreachable-start",
  "sign-in-refused",
]);

/** Whether the user was refused, so that others have to grant access. */
export function isRefusal({ kind, organization }: PageProblem): boolean {
  return refusals.has(kind) && organization?.isUnconfirmed !== true;
}

const refusals: ReadonlySet<PageProblemKind> = new Set([
  "email-domain",
  "forbidden",
  "organization",
  "provider-refused",
  "sign-in-refused",
]);

/** Every kind of problem: what to do, and how serious it looks. */
export const problemPlans: Readonly<Record<PageProblemKind, ProblemPlan>> = {
  "address-too-long": { ...again, action: "home" },
  "callback-failed": { ...stopped, action: "try-again", second: "home" },
  cancelled: { ...pause, action: "sign-in", second: "home" },
  "clock-skew": { ...stopped, action: "try-again", second: "home" },
  "code-used": { ...again, action: "sign-in", second: "home" },
  "confirm-sign-out": { ...pause, action: "sign-out", second: "stay" },
  "cookies-blocked": { ...stopped, action: "try-again", second: "home", retries: "cookies" },
  "email-domain": { ...stopped, action: "switch-account" },
  forbidden: { ...stopped, action: "back", second: "switch-account" },
  "form-not-sent": { ...again, action: "sign-in" },
  "headers-too-large": { ...again, action: "home" },
  "link-incomplete": { ...again, action: "sign-in", second: "home" },
  loop: { ...stopped, action: "try-again", second: "home" },
  "no-sign-in-in-progress": { ...pause, action: "sign-in", second: "home" },
  "no-way": { ...again, action: "try-again", second: "home" },
  "not-confirmed": { ...stopped, action: "try-again", second: "home" },
  "not-found": { ...again, action: "home" },
  organization: { ...stopped, action: "switch-account" },
  "provider-busy": { ...again, action: "try-again", second: "home", ...refusing },
  "provider-refused": { ...stopped, action: "switch-account", second: "home" },
  "provider-trouble": { ...again, action: "try-again", second: "home", ...refusing },
  "provider-unreachable-finish": { ...again, action: "try-again", second: "home", ...silent },
  "provider-unreachable-start": { ...again, action: "try-again", second: "home", ...silent },
  "restart-missing": { ...again, action: "sign-in", second: "home" },
  "restart-unreadable": { ...again, action: "sign-in", second: "home" },
  "server-error": { ...stopped, action: "reload", second: "home" },
  "session-too-large": { ...stopped, action: "copy", second: "home" },
  "setup-wrong": { ...stopped, action: "copy", second: "home" },
  "sign-in-refused": { ...stopped, action: "switch-account", second: "home" },
  "state-mismatch": { ...again, action: "sign-in", second: "home" },
  "too-many-cookies": { ...again, action: "clear" },
};
