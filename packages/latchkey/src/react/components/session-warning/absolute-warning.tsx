import { useId, type ReactNode } from "react";
import type { Warning } from "../../client/session-times.ts";
import { useWords } from "../../hooks/use-words.ts";
import { durationInWords, fillStrong, remainingInWords, timeOfDay } from "../../text/phrases.tsx";
import { LoginLink } from "../sign-in-link.tsx";
import { Modal } from "./modal.tsx";
import { signedInAgainReturnTo } from "./sign-in-tab.ts";

export interface AbsoluteWarningProps {
  readonly warning: Warning;
  /** Seconds to the end of the session. */
  readonly left: number;
  /** The absolute duration of a session in seconds; `null` if unknown. */
  readonly duration: number | null;
  readonly onClose: () => void;
}

/** "You'll need to sign in again soon": the user does so in another tab, and this page stays. */
export function AbsoluteWarning(props: AbsoluteWarningProps): ReactNode {
  const { warning, left, duration, onClose } = props;
  const { lang, text } = useWords();
  const bodyId = useId();
  const isLast = warning.endsAt - warning.from <= 120;
  const length = duration === null ? "" : durationInWords(lang, duration);
  const body = text(length ? "absoluteWarningBody" : "absoluteWarningBodyShort", {
    length,
    time: timeOfDay(lang, warning.endsAt),
  });
  return (
    <Modal title={text("absoluteWarningTitle")} describedBy={bodyId} onEscape={onClose}>
      <p id={bodyId}>{fillStrong(body, { left: remainingInWords(lang, left) })}</p>
      <div className="lk-actions">
        <NewTabLink first />
        <button type="button" className="lk-button" onClick={onClose}>
          {text(isLast ? "closeMessage" : "remindLater")}
        </button>
      </div>
    </Modal>
  );
}

/** Signs in in a new tab, which may be closed afterwards. */
export function NewTabLink({ first = false }: { first?: boolean }): ReactNode {
  const { client, text } = useWords();
  return (
    <LoginLink
      target="_blank"
      look={first ? "lk-button lk-primary" : "lk-button"}
      returnTo={signedInAgainReturnTo(client.paths)}
      {...(first && { "data-lk-first": "" })}
    >
      {text("signInInNewTab")}
    </LoginLink>
  );
}
