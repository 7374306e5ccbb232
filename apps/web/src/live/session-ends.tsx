import type { SessionTimes } from "latchkey/react";

import { durationInWords } from "../messages/durations.ts";
import { Message } from "../components/message.tsx";
import { Moment } from "../components/moment.tsx";
import { usePageFrame } from "../components/page-frame.tsx";

interface SessionEndsProps {
  readonly times: SessionTimes;
  /** The server's clock, epoch seconds. */
  readonly now: number;
}

/** Both ends of a session: one sentence, then a bar for each. */
export function SessionEnds({ times, now }: SessionEndsProps) {
  const { rollingEndsAt, absoluteEndsAt, rollingDuration, absoluteDuration } = times;
  const isMerged =
    rollingEndsAt === null || (absoluteEndsAt !== null && rollingEndsAt >= absoluteEndsAt);
  return (
    <>
      <p className="ends">
        <Sentence times={times} isMerged={isMerged} />
      </p>
      <div className="bars">
        {!isMerged && (
          <EndBar kind="rolling" endsAt={rollingEndsAt} length={rollingDuration} now={now} />
        )}
        {absoluteEndsAt !== null && (
          <EndBar kind="absolute" endsAt={absoluteEndsAt} length={absoluteDuration} now={now} />
        )}
      </div>
    </>
  );
}

function Sentence({ times, isMerged }: { times: SessionTimes; isMerged: boolean }) {
  const { endsAt, absoluteEndsAt } = times;
  if (endsAt === null) return <Message id="session.endless" />;
  const end = strongly(endsAt);
  if (isMerged) return <Message id="session.merged" tags={{ end }} />;
  if (absoluteEndsAt === null) return <Message id="session.untilUse" tags={{ end }} />;
  return <Message id="session.until" tags={{ end, last: strongly(absoluteEndsAt) }} />;
}

function strongly(at: number) {
  return () => (
    <strong>
      <Moment at={at} />
    </strong>
  );
}

interface EndBarProps {
  readonly kind: "rolling" | "absolute";
  readonly endsAt: number;
  /** Seconds from the start of this limit to its end; `null` where that is not known. */
  readonly length: number | null;
  readonly now: number;
}

/** Below a minute the seconds count; above, the minutes are enough. */
function coarsely(left: number): number {
  return left > 60 ? Math.ceil(left / 60) * 60 : left;
}

function EndBar({ kind, endsAt, length, now }: EndBarProps) {
  const { words } = usePageFrame();
  const left = Math.max(0, endsAt - now);
  const id = `${kind}-end`;
  return (
    <div className="end">
      <span id={id}>
        <Message id={kind === "rolling" ? "session.rolling" : "session.absolute"} />
      </span>
      <span className="left" suppressHydrationWarning>
        {left > 0 ? (
          <Message
            id="session.left"
            values={{ duration: durationInWords(coarsely(left), words.locale) }}
          />
        ) : (
          <Message id="session.over" />
        )}
      </span>
      <meter
        aria-labelledby={id}
        min={0}
        max={Math.max(1, length ?? left)}
        value={left}
        data-low={left < 300 ? "" : undefined}
      />
    </div>
  );
}
