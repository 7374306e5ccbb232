import { durationInWords } from "../messages/durations.ts";
import { Message } from "./message.tsx";
import { Moment } from "./moment.tsx";
import { usePageFrame } from "./page-frame.tsx";
import type { SessionTimes } from "./signed-in-shell.tsx";

interface SessionEndsProps {
  readonly times: SessionTimes;
  /** Server's clock, epoch seconds. */
  readonly now: number;
  /** Server's clock when the session was last renewed: where the rolling bar is full. */
  readonly renewedAt: number;
}

/** Both ends of a session: one sentence, then a bar for each. */
export function SessionEnds({ times, now, renewedAt }: SessionEndsProps) {
  const { startedAt, rollingEndsAt, absoluteEndsAt, endsAt } = times;
  const merged =
    rollingEndsAt === null || (absoluteEndsAt !== null && rollingEndsAt >= absoluteEndsAt);
  return (
    <>
      <p className="ends">
        <Sentence times={times} merged={merged} />
      </p>
      <div className="bars">
        {!merged && rollingEndsAt !== null && (
          <EndBar kind="rolling" from={renewedAt} to={rollingEndsAt} now={now} />
        )}
        {(merged || absoluteEndsAt !== null) && (
          <EndBar kind="absolute" from={startedAt} to={absoluteEndsAt ?? endsAt} now={now} />
        )}
      </div>
    </>
  );
}

function Sentence({ times, merged }: { times: SessionTimes; merged: boolean }) {
  const strongly = (at: number) => () => (
    <strong>
      <Moment at={at} />
    </strong>
  );
  const end = strongly(times.endsAt);
  if (merged) return <Message id="session.merged" tags={{ end }} />;
  if (times.absoluteEndsAt === null) return <Message id="session.untilUse" tags={{ end }} />;
  return <Message id="session.until" tags={{ end, last: strongly(times.absoluteEndsAt) }} />;
}

interface EndBarProps {
  readonly kind: "rolling" | "absolute";
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

function EndBar({ kind, from, to, now }: EndBarProps) {
  const { words } = usePageFrame();
  const left = Math.max(0, to - now);
  const id = `${kind}-end`;
  return (
    <div className="end">
      <span id={id}>
        <Message id={kind === "rolling" ? "session.rolling" : "session.absolute"} />
      </span>
      <span className="left">
        {left > 0 ? (
          <Message id="session.left" values={{ duration: durationInWords(left, words.locale) }} />
        ) : (
          <Message id="session.over" />
        )}
      </span>
      <meter
        aria-labelledby={id}
        min={0}
        max={Math.max(1, to - from)}
        value={left}
        data-low={left < 300 ? "" : undefined}
      />
    </div>
  );
}
