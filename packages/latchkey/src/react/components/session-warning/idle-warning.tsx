import { useId, useState, type ReactNode } from "react";
import { useWords } from "../../hooks/use-words.ts";
import { fillStrong, remainingInWords } from "../../text/phrases.tsx";
import { SignOutButton } from "../sign-out-button.tsx";
import { Modal } from "./modal.tsx";

export interface IdleWarningProps {
  /** Seconds to the end of the session. */
  readonly left: number;
  readonly unsaved: boolean;
  readonly onExtended: () => void;
}

/** Screen readers announce the remaining time again at so many seconds. */
const announcedAt = [20, 40, 60];

/** "Still there?" Escape means to stay signed in. */
export function IdleWarning({ left, unsaved, onExtended }: IdleWarningProps): ReactNode {
  const { client, lang, text } = useWords();
  const [phase, setPhase] = useState<"asking" | "extending" | "failed">("asking");
  const [first] = useState(left);
  const [typed] = useState(hasTyped);
  const announcementId = useId();
  const stay = async (): Promise<void> => {
    if (phase === "extending") return;
    setPhase("extending");
    if (!(await client.extend())) setPhase("failed");
    else if (client.getSnapshot().status === "signed-in") onExtended();
  };
  const announced = announcedAt.find((seconds) => left <= seconds && seconds < first);
  const failed = phase === "failed" || left <= 0;
  return (
    <Modal
      title={text("idleWarningTitle")}
      describedBy={announcementId}
      onEscape={() => void stay()}
    >
      {left > 0 && (
        <p aria-hidden="true">
          {fillStrong(text("idleWarningBody"), { left: remainingInWords(lang, left) })}
        </p>
      )}
      <p id={announcementId} ref={hideFromEyes} aria-live="polite">
        {announced
          ? text("idleWarningSpoken", { left: remainingInWords(lang, announced) })
          : text("idleWarningBody", { left: remainingInWords(lang, first) })}
      </p>
      {(unsaved || typed) && <p>{text(unsaved ? "idleWarningUnsaved" : "idleWarningSafe")}</p>}
      <p role="alert" className="lk-fault">
        {failed && text("extendError")}
      </p>
      <div className="lk-actions">
        <button
          type="button"
          className="lk-button lk-primary"
          data-lk-first=""
          aria-disabled={phase === "extending"}
          onClick={() => void stay()}
        >
          {text(phase === "extending" ? "extending" : failed ? "tryAgain" : "staySignedIn")}
        </button>
        <SignOutButton>{text("signOutNow")}</SignOutButton>
      </div>
    </Modal>
  );
}

/** For screen readers only, without a class, and without an attribute that a policy may refuse. */
function hideFromEyes(element: HTMLElement | null): void {
  if (!element) return;
  element.style.cssText =
    "position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)";
}

/** Returns whether a field of the page contains user input. */
function hasTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "textarea, input:not([type=hidden])",
  );
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}
