import type { Problem } from "latchkey";

import { DoorPicture } from "../../components/door-picture.tsx";
import { HelpBlock } from "./help-block.tsx";
import { Message } from "../../components/message.tsx";
import { Shell } from "../../components/shell.tsx";
import { DeveloperNotes } from "./developer-notes.tsx";
import { ProblemActions } from "./problem-actions.tsx";
import { ProblemStory } from "./problem-story.tsx";
import { problemPlans } from "./problem-plans.ts";
import { problemTitle } from "./problem-title.ts";
import { ThreeHops } from "./three-hops.tsx";

/** What a problem page may know beyond the problem. */
export interface ProblemPageFacts {
  /** The signed-in person, where there is one. */
  readonly email?: string;
  /** A form was posted, and its fate is not known. */
  readonly formPosted?: boolean;
}

/** Every problem is told by this one template: what happened, what to do, what to report. */
export function ProblemScreen({ problem, facts }: { problem: Problem; facts: ProblemPageFacts }) {
  const plan = problemPlans[problem.kind];
  const title = problemTitle(problem);
  return (
    <Shell state={plan.mark === "stopped" ? "signed-out" : plan.mark}>
      <DoorPicture openness={plan.mark === "stopped" ? "closed" : "ajar"} state={plan.mark} />
      <h1>
        <Message id={title.id} values={title.values} />
      </h1>
      <ProblemStory problem={problem} facts={facts} />
      {plan.hops === true && <ThreeHops />}
      <ProblemActions problem={problem} plan={plan} />
      {problem.onward !== undefined && (
        <p className="quiet">
          <Message id="help.onward" />
        </p>
      )}
      {plan.error && <HelpBlock problem={problem} copyFirst={plan.action === "copy"} />}
      <DeveloperNotes problem={problem} />
    </Shell>
  );
}
