import { useId, useState, type ReactNode } from "react";
import { Modal } from "./modal.tsx";
import { leftInWords, stress } from "../../text/phrases.tsx";
import { SignOutButton } from "../sign-out-button.tsx";
import { useWords } from "../../hooks/use-words.ts";

export interface IdleWarningProps {
  /** Seconds. */
  readonly left: number;
  readonly unsaved: boolean;
  readonly onExtended: () => void;
}

/** At these many seconds the time that is left is spoken again. */
const spokenAt = [20, 40, 60];

/** "Still there?" Escape means stay. */
export function IdleWarning({ left, unsaved, onExtended }: IdleWarningProps): ReactNode {
  const { client, lang, text } = useWords();
  const [phase, setPhase] = useState<"asking" | "extending" | "failed">("asking");
  const [first] = useState(left);
  const spoken = useId();
  const stay = async (): Promise<void> => {
    if (phase === "extending") return;
    setPhase("extending");
    if (!(await client.extend())) setPhase("failed");
    else if (client.getSnapshot().status === "signed-in") onExtended();
  };
  const mark = spokenAt.find((seconds) => left <= seconds && seconds < first);
  const failed = phase === "failed" || left <= 0;
  return (
    <Modal title={text("warnTitle")} describedBy={spoken} onEscape={() => void stay()}>
      {left > 0 && (
        <p aria-hidden="true">{stress(text("warnBody"), { left: leftInWords(lang, left) })}</p>
      )}
      <p id={spoken} className="lk-hidden" aria-live="polite">
        {mark
          ? text("warnSpoken", { left: leftInWords(lang, mark) })
          : text("warnBody", { left: leftInWords(lang, first) })}
      </p>
      <p>{text(unsaved ? "warnData" : "warnDataSafe")}</p>
      <p role="alert" className="lk-fault">
        {failed && text("warnFail")}
      </p>
      <div className="lk-actions">
        <button
          type="button"
          className="lk-button lk-primary"
          data-lk-first=""
          aria-disabled={phase === "extending"}
          onClick={() => void stay()}
        >
          {text(phase === "extending" ? "warnExtending" : failed ? "tryAgain" : "warnStay")}
        </button>
        <SignOutButton>{text("warnOut")}</SignOutButton>
      </div>
    </Modal>
  );
}
