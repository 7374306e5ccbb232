import type { SignInChoice } from "latchkey";

import { HiddenFields } from "../../components/hidden-fields.tsx";
import { Message } from "../../components/message.tsx";
import { Shell } from "../../components/shell.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { PublicPage } from "../../rendering/page.ts";
import { EmailQuestion } from "./email-question.tsx";
import { Ways } from "./ways.tsx";

/** Where the user chooses how to sign in: one form, which needs no script. */
export function choosePage(choice: SignInChoice): PublicPage {
  return {
    access: "public",
    title: { id: "home.title", isError: choice.email?.fault !== undefined },
    state: "signed-out",
    passing: ["notice"],
    content: <ChooseScreen {...choice} />,
  };
}

type SignInNotice = NonNullable<SignInChoice["notice"]>;

/** More than these are no choice: the email address finds the way. */
const waysAtMost = 12;

function ChooseScreen(choice: SignInChoice) {
  const { ways, email, notice, isAsked, isShared, action, fields, homeURL } = choice;
  const isByEmail = email !== undefined && ways.length > waysAtMost;
  const shown = isByEmail ? [] : ways;
  const isElsewhere = notice?.kind === "elsewhere";
  return (
    <Shell state="signed-out">
      {notice !== undefined && <Notice {...notice} />}
      <h1>
        <Message id="home.title" />
      </h1>
      {shown.length > 1 && (
        <p className="lead">
          <Message id={isAsked ? "choose.leadReturn" : "choose.lead"} />
        </p>
      )}
      <form className="choice" method="post" action={action}>
        <HiddenFields fields={fields} />
        {email === undefined ? (
          <Ways ways={shown} />
        ) : (
          <EmailQuestion field={email} isOnly={shown.length === 0}>
            <Ways ways={shown} />
          </EmailQuestion>
        )}
        <SharedOption isShared={isShared} />
      </form>
      {isElsewhere && (
        <p>
          <a href={homeURL}>
            <Message id="choose.notNow" />
          </a>
        </p>
      )}
    </Shell>
  );
}

const notices: Readonly<Record<SignInNotice["kind"], { named: MessageKey; plain: MessageKey }>> = {
  cancelled: { named: "home.cancelled", plain: "home.cancelled" },
  down: { named: "choose.allDown", plain: "choose.allDown" },
  elsewhere: { named: "choose.elsewhere", plain: "choose.elsewherePlain" },
  ended: { named: "choose.ended", plain: "ended.idle.title" },
  refused: { named: "choose.refused", plain: "choose.refusedPlain" },
  removed: { named: "choose.removed", plain: "choose.removedPlain" },
};

function Notice({ kind, label }: SignInNotice) {
  const { named, plain } = notices[kind];
  const isWarning = kind === "down" || kind === "refused" || kind === "removed";
  return (
    <p className={isWarning ? "notice warn" : "notice"} role="status">
      {label === undefined ? <Message id={plain} /> : <Message id={named} values={{ label }} />}
    </p>
  );
}

function SharedOption({ isShared }: { isShared: boolean }) {
  return (
    <div className="option">
      <input
        id="shared"
        type="checkbox"
        name="shared"
        value="1"
        defaultChecked={isShared}
        aria-describedby="shared-hint"
      />
      <label htmlFor="shared">
        <Message id="choose.shared" />
      </label>
      <p id="shared-hint" className="quiet">
        <Message id="choose.sharedHint" />
      </p>
    </div>
  );
}
