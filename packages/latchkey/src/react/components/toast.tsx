import { useCallback, useEffect, useState, type ReactNode } from "react";
import type { Clock } from "../client/clock.ts";

export interface ToastInHand {
  readonly said: string;
  /** Says something for five seconds, or until something else is said. */
  readonly say: (text: string, stays?: boolean) => void;
}

export function useToast(clock: Clock): ToastInHand {
  const [{ said, stays }, set] = useState({ said: "", stays: false });
  useEffect(() => {
    if (said && !stays) return clock.after(5_000, () => set({ said: "", stays }));
    return undefined;
  }, [clock, said, stays]);
  return { said, say: useCallback((text, stay = false) => set({ said: text, stays: stay }), []) };
}

/** A line that is shown and politely spoken. It is always there, so that what is said in it is heard. */
export function Toast({ children }: { children: ReactNode }): ReactNode {
  return (
    <div role="status" className="lk-status">
      {children && <p className="lk-toast">{children}</p>}
    </div>
  );
}
