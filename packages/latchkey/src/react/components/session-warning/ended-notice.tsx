import { useId, useState, type ReactNode } from "react";
import { NewTabLink } from "./absolute-warning.tsx";
import { Modal } from "./modal.tsx";
import { endedWords } from "../../text/ended-text.ts";
import { stress } from "../../text/phrases.tsx";
import type { EndedReason, Times } from "../../client/session-state.ts";
import { SignInLink } from "../sign-in-link.tsx";
import { useWords } from "../../hooks/use-words.ts";

export interface EndedNoticeProps {
  readonly reason: EndedReason | "signed-out";
  /** The times of the session that has ended. */
  readonly session: Times;
}

/** What happened to the sign-in, over a page that can no longer be read. It stays until somebody signs in. */
export function EndedNotice({ reason, session }: EndedNoticeProps): ReactNode {
  const words = useWords();
  const { text } = words;
  const described = useId();
  const [page] = useState(() => document.title);
  const { title, body } = endedWords(words, reason, session);
  const plain = reason === "elsewhere" || reason === "signed-out" || !page;
  return (
    <Modal title={title} describedBy={described} className="lk-notice">
      <p id={described}>{body}</p>
      {reason === "elsewhere" && <p>{text("elseSafe")}</p>}
      <div className="lk-actions">
        <SignInLink data-lk-first="">
          {plain ? text("signInAgain") : text("back", { page })}
        </SignInLink>
        <NewTabLink />
      </div>
    </Modal>
  );
}

/** Another person is signed in in this browser now; what is on the page belongs to the one before. */
export function OtherPersonNotice({ name }: { name: string }): ReactNode {
  const { text } = useWords();
  const described = useId();
  return (
    <Modal title={text("elseTitle")} describedBy={described} className="lk-notice">
      <p id={described}>{stress(text("otherBody"), { email: name })}</p>
      <div className="lk-actions">
        <button
          type="button"
          className="lk-button lk-primary"
          data-lk-first=""
          onClick={() => location.reload()}
        >
          {text("otherContinue", { email: name })}
        </button>
        <SignInLink chooseAccount className="lk-button">
          {text("otherSwitch")}
        </SignInLink>
      </div>
    </Modal>
  );
}
