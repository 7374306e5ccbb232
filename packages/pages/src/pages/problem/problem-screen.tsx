import type { Session } from "latchkey";

import { DoorPicture } from "../../components/door/door-picture.tsx";
import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SharedComputer } from "../../components/shared-computer.tsx";
import { Shell } from "../../components/shell.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { Page } from "../../rendering/page.ts";
import { DeveloperNotes } from "./developer-notes.tsx";
import { RetryNote } from "./retry-note.tsx";
import { HelpBlock } from "./help-block.tsx";
import type { PageProblem } from "./page-problem.ts";
import { ProblemActions } from "./problem-actions.tsx";
import type { ProblemPageFacts } from "./problem-facts.ts";
import { planOf, type ProblemPlan } from "./problem-plans.ts";
import { ProblemStory } from "./problem-story.tsx";
import { problemTitle } from "./problem-title.ts";
import { ThreeHops } from "./three-hops.tsx";

/** What a response of the provider leaves in the address. */
const passing = ["code", "state", "session_state", "iss"];

/** The one template of all problems: what happened, what to do, what to report. */
export function problemPage(
  problem: PageProblem,
  session: Session | null,
  facts: ProblemPageFacts = {},
): Page {
  const plan = planOf(problem, facts);
  const page = {
    provider: problem.provider,
    title: { ...problemTitle(problem), isError: plan.error },
    passing,
    content: <ProblemScreen problem={problem} plan={plan} facts={facts} />,
  };
  return session === null
    ? { ...page, access: "public", state: plan.mark }
    : { ...page, access: "signed-in", sheet: "problem", session };
}

interface ProblemScreenProps {
  readonly problem: PageProblem;
  readonly plan: ProblemPlan;
  readonly facts: ProblemPageFacts;
}

function ProblemScreen(props: ProblemScreenProps) {
  const { mark } = props.plan;
  const { session } = usePageFrame();
  const content = <ProblemContent {...props} />;
  if (session !== undefined) return <SignedInShell>{content}</SignedInShell>;
  return <Shell state={mark === "stopped" ? "signed-out" : mark}>{content}</Shell>;
}

function ProblemContent({ problem, plan, facts }: ProblemScreenProps) {
  const title = problemTitle(problem);
  const { session } = usePageFrame();
  return (
    <div className="problem">
      <DoorPicture openness={plan.mark === "stopped" ? "closed" : "ajar"} state={plan.mark} />
      <h1>
        <Message id={title.id} values={title.values} />
      </h1>
      <ProblemStory problem={problem} facts={facts} />
      {plan.fault !== undefined && <ThreeHops fault={plan.fault} />}
      <RetryNote problem={problem} plan={plan} facts={facts} />
      <ProblemActions problem={problem} plan={plan} />
      {plan.action === "sign-in" && session === undefined && (
        <SharedComputer signInURL={problem.signInURL} />
      )}
      {problem.redirectTo !== undefined && (
        <p className="quiet">
          <Message id="help.redirect" />
        </p>
      )}
      {plan.error && <HelpBlock problem={problem} copyFirst={plan.action === "copy"} />}
      <DeveloperNotes problem={problem} />
    </div>
  );
}
