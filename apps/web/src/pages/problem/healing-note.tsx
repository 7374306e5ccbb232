import { useText } from "../../components/message.tsx";
import type { PageProblem } from "./page-problem.ts";
import type { ProblemPageFacts } from "./problem-facts.ts";
import type { ProblemPlan } from "./problem-plans.ts";

interface HealingNoteProps {
  readonly problem: PageProblem;
  readonly plan: ProblemPlan;
  readonly facts: ProblemPageFacts;
}

/** The place of a script that tries again by itself; a form that was posted is never sent again. */
export function HealingNote({ problem, plan: { heals }, facts }: HealingNoteProps) {
  const say = useText();
  if (heals === undefined || facts.formPosted === true) return null;
  return (
    <p
      className="quiet"
      role="status"
      data-heal={heals}
      data-heal-to={heals === "page" ? undefined : problem.signInURL}
      data-healing={say(heals === "cookies" ? "heal.cookies" : "heal.trying")}
      data-healed={say("heal.done")}
    />
  );
}
