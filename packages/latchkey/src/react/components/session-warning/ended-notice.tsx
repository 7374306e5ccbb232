import { useId, useState, type ReactNode } from "react";
import type { SessionTimes } from "../../client/session-state.ts";
import type { EndReason } from "../../client/wire.ts";
import { useWords } from "../../hooks/use-words.ts";
import { fillStrong } from "../../text/phrases.tsx";
import { endedText } from "../ended-text.ts";
import { LoginLink, SignInLink } from "../sign-in-link.tsx";
import { NewTabLink } from "./absolute-warning.tsx";
import { Modal } from "./modal.tsx";

export interface EndedNoticeProps {
  readonly reason: EndReason | "signed-out";
  /** The times of the ended session. */
  readonly times: SessionTimes;
}

/** Shows why the session has ended, over an unreadable page, until a user signs in. */
export function EndedNotice({ reason, times }: EndedNoticeProps): ReactNode {
  const words = useWords();
  const { text } = words;
  const bodyId = useId();
  const [page] = useState(() => pageName(document.title, text("app")));
  const { title, body } = endedText(words, reason, times);
  const isNameless = reason === "elsewhere" || reason === "signed-out" || !page;
  return (
    <Modal title={title} describedBy={bodyId} className="lk-notice">
      <p id={bodyId}>{body}</p>
      {reason === "elsewhere" && <p>{text("elsewhereAdvice")}</p>}
      <div className="lk-actions">
        <SignInLink data-lk-first="">
          {isNameless ? text("signInAgain") : text("signInAndReturn", { page })}
        </SignInLink>
        <NewTabLink />
      </div>
    </Modal>
  );
}

/**
 * Returns the title of a page without the name of the app at its end: of "Letters · Post",
 * "Letters".
 */
function pageName(title: string, app: string): string {
  return title.endsWith(app) ? title.slice(0, -app.length).replace(/[\s·|:–—-]+$/u, "") : title;
}

/** Another user is signed in in this browser now; the page belongs to the previous user. */
export function OtherPersonNotice({ name }: { name: string }): ReactNode {
  const { text } = useWords();
  const bodyId = useId();
  return (
    <Modal title={text("elsewhereTitle")} describedBy={bodyId} className="lk-notice">
      <p id={bodyId}>{fillStrong(text("otherPersonBody"), { email: name })}</p>
      <div className="lk-actions">
        <button
          type="button"
          className="lk-button lk-primary"
          data-lk-first=""
          onClick={() => location.reload()}
        >
          {text("continueAs", { email: name })}
        </button>
        <LoginLink chooseAccount look="lk-button">
          {text("useOtherAccount")}
        </LoginLink>
      </div>
    </Modal>
  );
}
