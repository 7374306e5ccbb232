import { useSession, useSessionTimes } from "latchkey/react";
import { useState } from "react";

import { Message } from "../components/message.tsx";
import { useMoment } from "../components/page-frame.tsx";
import { SessionEnds } from "./session-ends.tsx";
import { useLastTimes } from "./use-last-times.ts";

/** How long the person stays signed in, live. Watching it does not extend it. */
export function SessionFacts() {
  const { now } = useSessionTimes();
  const times = useLastTimes();
  return (
    <>
      <StaleNote />
      {times !== null && <SessionEnds times={times} now={now} />}
    </>
  );
}

/** Says so when the server could not be asked lately, and from when the facts are that are shown. */
function StaleNote() {
  const me = useSession();
  const { now } = useSessionTimes();
  const moment = useMoment();
  const [freshAt, setFreshAt] = useState(now);
  const isStale = me.status === "signed-in" && me.stale;
  if (!isStale && freshAt !== now) setFreshAt(now);
  return (
    <div role="status">
      {isStale && (
        <p className="notice warn">
          <Message id="session.stale" values={{ time: moment(freshAt, "clock") }} />
        </p>
      )}
    </div>
  );
}
