import type { Problem } from "latchkey";

import { CopyButton } from "../../components/copy-button.tsx";
import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { reportText } from "../../components/help-block.tsx";
import type { ProblemAction, ProblemPlan } from "./problem-plans.ts";

interface ActionProps {
  readonly problem: Problem;
  readonly action: ProblemAction;
  readonly primary: boolean;
}

/** One primary action, and at most one more. */
export function ProblemActions({ problem, plan }: { problem: Problem; plan: ProblemPlan }) {
  return (
    <div className="actions">
      <Action problem={problem} action={plan.action} primary />
      {plan.second !== undefined && (
        <Action problem={problem} action={plan.second} primary={false} />
      )}
    </div>
  );
}

function Action({ problem, action, primary }: ActionProps) {
  const { site } = usePageFrame();
  const look = primary ? "button" : "button quiet";
  switch (action) {
    case "sign-in":
      return (
        <a className={look} href={problem.signInURL} data-leaves="">
          <Message id="action.signIn" />
        </a>
      );
    case "try-again":
      return (
        <a className={look} href={problem.signInURL} data-leaves="">
          <Message id="action.tryAgain" />
        </a>
      );
    case "switch-account":
      return (
        <a className={look} href={problem.switchAccountURL} data-leaves="">
          <Message id="action.otherAccount" />
        </a>
      );
    case "new-tab":
      return (
        <a className={look} href={problem.signInURL} target="_blank" rel="noopener">
          <Message id="action.newTab" />
        </a>
      );
    case "clear":
      return (
        <form method="post" action={problem.formURL ?? problem.signInURL}>
          <button type="submit" className={look}>
            <Message id="problem.too-many-cookies.clear" />
          </button>
        </form>
      );
    case "sign-out":
      return (
        <form method="post" action={problem.formURL ?? site.logoutURL}>
          <button type="submit" className={look}>
            <Message id="action.signOut" />
          </button>
        </form>
      );
    case "copy":
      return <CopyButton text={reportText(problem)} label="help.copy" primary />;
    case "back":
      return (
        <a className={look} href={problem.homeURL} data-back="">
          <Message id="action.back" />
        </a>
      );
    case "home":
      return (
        <a className={look} href={problem.homeURL}>
          {problem.kind === "confirm-sign-out" ? (
            <Message id="problem.confirm-sign-out.stay" />
          ) : (
            <Message id="action.home" />
          )}
        </a>
      );
  }
}
