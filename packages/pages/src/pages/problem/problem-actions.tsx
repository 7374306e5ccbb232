import { CopyButton } from "../../components/copy-button.tsx";
import { reportText } from "./help-block.tsx";
import { Message } from "../../components/message.tsx";
import { SignOutForm } from "../../components/sign-out-form.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { ProblemAction, ProblemPlan } from "./problem-plans.ts";
import type { PageProblem } from "./page-problem.ts";

interface ActionProps {
  readonly problem: PageProblem;
  readonly action: ProblemAction;
  readonly primary: boolean;
}

/** One primary action, and at most one more. */
export function ProblemActions({ problem, plan }: { problem: PageProblem; plan: ProblemPlan }) {
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
  const look = primary ? "button" : "button quiet";
  switch (action) {
    case "copy":
      return <CopyButton text={reportText(problem)} label="help.copy" primary />;
    case "sign-out":
      return <SignOutForm look={look} action={problem.formURL} />;
    case "reload":
      return (
        // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the address of this page
        <a className={look} href="">
          <Message id="action.tryAgain" />
        </a>
      );
    default:
      return <ActionLink problem={problem} look={look} plan={linkPlans[action]} />;
  }
}

interface LinkPlan {
  readonly label: MessageKey;
  readonly goal: "homeURL" | "otherWaysURL" | "signInURL" | "switchAccountURL";
  /** What the page's script makes of a click: start a sign-in once, or go back in the history. */
  readonly manner?: "leaves" | "back";
}

const linkPlans: Readonly<
  Record<Exclude<ProblemAction, "copy" | "reload" | "sign-out">, LinkPlan>
> = {
  back: { label: "action.back", goal: "homeURL", manner: "back" },
  clear: { label: "problem.too-many-cookies.clear", goal: "signInURL", manner: "leaves" },
  home: { label: "action.home", goal: "homeURL" },
  return: { label: "action.back", goal: "homeURL" },
  "other-way": { label: "action.otherWay", goal: "otherWaysURL" },
  "sign-in": { label: "action.signIn", goal: "signInURL", manner: "leaves" },
  stay: { label: "problem.confirm-sign-out.stay", goal: "homeURL" },
  "switch-account": { label: "action.otherAccount", goal: "switchAccountURL", manner: "leaves" },
  "try-again": { label: "action.tryAgain", goal: "signInURL", manner: "leaves" },
};

interface ActionLinkProps {
  readonly problem: PageProblem;
  readonly look: string;
  readonly plan: LinkPlan;
}

function ActionLink({ problem, look, plan: { label, goal, manner } }: ActionLinkProps) {
  return (
    <a
      className={look}
      href={problem[goal]}
      {...(manner === "leaves" && { "data-leaves": "", "data-keep-hash": "" })}
      {...(manner === "back" && { "data-back": "" })}
    >
      <Message id={label} />
    </a>
  );
}
