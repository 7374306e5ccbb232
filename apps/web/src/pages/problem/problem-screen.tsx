import { DoorPicture } from "../../components/door-picture.tsx";
import { HelpBlock } from "./help-block.tsx";
import { Message } from "../../components/message.tsx";
import { Shell } from "../../components/shell.tsx";
import type { PublicPage } from "../../rendering/page.ts";
import { DeveloperNotes } from "./developer-notes.tsx";
import { ProblemActions } from "./problem-actions.tsx";
import type { ProblemPageFacts } from "./problem-facts.ts";
import { ProblemStory } from "./problem-story.tsx";
import { problemPlans } from "./problem-plans.ts";
import { problemTitle } from "./problem-title.ts";
import { ThreeHops } from "./three-hops.tsx";
import type { PageProblem } from "./page-problem.ts";

/** Every problem is told by this one template: what happened, what to do, what to report. */
export function problemPage(problem: PageProblem, facts: ProblemPageFacts = {}): PublicPage {
  const { error: isError, mark } = problemPlans[problem.kind];
  return {
    access: "public",
    title: { ...problemTitle(problem), isError },
    state: mark,
    tidyAddress: true,
    content: <ProblemScreen problem={problem} facts={facts} />,
  };
}

function ProblemScreen({ problem, facts }: { problem: PageProblem; facts: ProblemPageFacts }) {
  const plan = problemPlans[problem.kind];
  const title = problemTitle(problem);
  return (
    <Shell state={plan.mark === "stopped" ? "signed-out" : plan.mark}>
      <DoorPicture openness={plan.mark === "stopped" ? "closed" : "ajar"} state={plan.mark} />
      <h1>
        <Message {...title} />
      </h1>
      <ProblemStory problem={problem} facts={facts} />
      {plan.hops === true && <ThreeHops />}
      <ProblemActions problem={problem} plan={plan} />
      {problem.redirectTo !== undefined && (
        <p className="quiet">
          <Message id="help.redirect" />
        </p>
      )}
      {plan.error && <HelpBlock problem={problem} copyFirst={plan.action === "copy"} />}
      <DeveloperNotes problem={problem} />
    </Shell>
  );
}
