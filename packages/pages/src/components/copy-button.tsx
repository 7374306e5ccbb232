import { useText } from "./message.tsx";
import type { MessageKey } from "../messages/catalogue.ts";

interface CopyButtonProps {
  /** What is copied. */
  readonly text: string;
  readonly label?: MessageKey;
  /** Said after the label to those who do not see what stands beside the button. */
  readonly about?: string;
  readonly primary?: boolean;
}

/**
 * Copies with the script of every page; hidden without scripts. Its labels share one place, which
 * keeps its width.
 */
export function CopyButton({ text, label = "action.copy", about, primary }: CopyButtonProps) {
  const say = useText();
  return (
    <button
      type="button"
      className={primary === true ? "button copy scripted" : "button quiet copy scripted"}
      data-copy={text}
      data-copied={say("action.copied")}
      data-failed={say("action.copyFailed")}
    >
      <span className="label">
        {say(label)}
        {about !== undefined && <span className="unseen"> {about}</span>}
      </span>
      <span className="done" aria-hidden="true">
        {say("action.copied")}
      </span>
    </button>
  );
}
