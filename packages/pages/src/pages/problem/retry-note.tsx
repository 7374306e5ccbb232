import { useText } from "../../components/message.tsx";
import type { PageProblem } from "./page-problem.ts";
import type { ProblemPageFacts } from "./problem-facts.ts";
import type { ProblemPlan } from "./problem-plans.ts";

interface RetryNoteProps {
  readonly problem: PageProblem;
  readonly plan: ProblemPlan;
  readonly facts: ProblemPageFacts;
}

/** The place of a script that retries; a posted form is never sent again. */
export function RetryNote({ problem, plan: { retries }, facts }: RetryNoteProps) {
  const say = useText();
  if (retries === undefined || facts.formPosted === true) return null;
  return (
    <p
      className="quiet"
      role="status"
      data-retry={retries}
      data-retry-to={retries === "page" ? undefined : problem.signInURL}
      data-retrying={say(retries === "cookies" ? "retry.cookies" : "retry.trying")}
      data-recovered={say("retry.done")}
    />
  );
}
