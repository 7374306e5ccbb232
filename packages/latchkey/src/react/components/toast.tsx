import { useCallback, useEffect, useState, type ReactNode } from "react";
import type { Clock } from "../client/browser/clock.ts";
import { useVisible } from "../hooks/use-browser.ts";

export interface UseToastResult {
  /** The message to show; empty for none. */
  readonly message: string;
  /**
   * Shows a message until the tab was visible for five seconds, or until the next message; with
   * `stays`, for good.
   */
  readonly showMessage: (text: string, stays?: boolean) => void;
}

export function useToast(clock: Clock): UseToastResult {
  const [{ message, stays }, setToast] = useState({ message: "", stays: false });
  const visible = useVisible();
  useEffect(() => {
    if (message && !stays && visible)
      return clock.after(5_000, () => setToast({ message: "", stays }));
    return undefined;
  }, [clock, message, stays, visible]);
  const showMessage = useCallback(
    (text: string, stay = false) => setToast({ message: text, stays: stay }),
    [],
  );
  return { message, showMessage };
}

/** A live region, rendered also while empty: screen readers announce what appears in it. */
export function Toast({ children }: { children: ReactNode }): ReactNode {
  return (
    <div role="status" className="lk-status">
      {children && <p className="lk-toast">{children}</p>}
    </div>
  );
}
