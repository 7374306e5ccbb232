import { type SessionTimes, useSessionTimes } from "latchkey/react";
import { useState } from "react";

/** The times as last known: they stay when the session has ended, so that nothing moves behind the notice. */
export function useLastTimes(): SessionTimes | null {
  const { times } = useSessionTimes();
  const [last, setLast] = useState(times);
  if (times !== null && times !== last) setLast(times);
  return times ?? last;
}
