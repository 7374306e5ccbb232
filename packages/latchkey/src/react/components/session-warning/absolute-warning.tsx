import { useId, type ReactNode } from "react";
import { Modal } from "./modal.tsx";
import { leftInWords, lengthInWords, stress, timeOfDay } from "../../text/phrases.tsx";
import { againMark } from "./signed-in-again.ts";
import { SignInLink } from "../sign-in-link.tsx";
import type { Warning } from "../../client/session-times.ts";
import { useWords } from "../../hooks/use-words.ts";

export interface AbsoluteWarningProps {
  readonly warning: Warning;
  /** Seconds. */
  readonly left: number;
  /** How long a sign-in lasts, in seconds; `null` where that is not known. */
  readonly duration: number | null;
  readonly onClose: () => void;
}

/** "You'll need to sign in again soon": done in another tab, this page stays as it is. */
export function AbsoluteWarning(props: AbsoluteWarningProps): ReactNode {
  const { warning, left, duration, onClose } = props;
  const { lang, text } = useWords();
  const described = useId();
  const last = warning.endsAt - warning.from <= 120;
  const length = duration === null ? "" : lengthInWords(lang, duration);
  const body = text(length ? "absBody" : "absBodyShort", {
    length,
    time: timeOfDay(lang, warning.endsAt),
  });
  return (
    <Modal title={text("absTitle")} describedBy={described} onEscape={onClose}>
      <p id={described}>{stress(body, { left: leftInWords(lang, left) })}</p>
      <div className="lk-actions">
        <NewTabLink first />
        <button type="button" className="lk-button" onClick={onClose}>
          {text(last ? "absClose" : "absLater")}
        </button>
      </div>
    </Modal>
  );
}

/** Signs in in a new tab, which then says that it may be closed. */
export function NewTabLink({ first = false }: { first?: boolean }): ReactNode {
  const { client, text } = useWords();
  return (
    <SignInLink
      target="_blank"
      className={first ? "lk-button lk-primary" : "lk-button"}
      returnTo={againMark(client.paths)}
      {...(first && { "data-lk-first": "" })}
    >
      {text("absNow")}
    </SignInLink>
  );
}
