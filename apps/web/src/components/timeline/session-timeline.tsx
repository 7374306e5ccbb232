import type { SessionTimes } from "latchkey";

import { durationInWords } from "../../messages/durations.ts";
import { Message } from "../message.tsx";
import { Moment } from "../moment.tsx";
import { usePageFrame } from "../page-frame.tsx";
import { type TimelineKind, type TimelineMark, timelineOf } from "./timeline-scale.ts";

/**
 * How long a person stays signed in, told once: now, signed out where the app is not used, asked to sign in again.
 * The line shows the true distances; the list below says the same in words.
 */
export function SessionTimeline({ times }: { times: SessionTimes }) {
  const { now } = usePageFrame();
  const marks = timelineOf(times, now);
  if (marks.length === 0) {
    return (
      <p>
        <Message id="session.endless" />
      </p>
    );
  }
  return (
    <div className="timeline">
      <Line marks={marks} />
      <ol>
        {marks.map(({ kind }) => (
          <li key={kind} data-kind={kind}>
            <What kind={kind} times={times} />{" "}
            <strong>
              <When kind={kind} times={times} />
            </strong>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Line({ marks }: { marks: readonly TimelineMark[] }) {
  const [, first] = marks;
  return (
    <svg className="line" height="16" overflow="visible" aria-hidden="true">
      <line x1="0" x2="100%" y1="8" y2="8" />
      {first !== undefined && (
        <line className="next" x1="0" x2={first.at} y1="8" y2="8" data-mark={first.kind} />
      )}
      {marks.toReversed().map(({ kind, at }) => (
        <circle key={kind} cx={at} cy="8" r="6" data-mark={kind} />
      ))}
    </svg>
  );
}

function What({ kind, times }: { kind: TimelineKind; times: SessionTimes }) {
  const { words } = usePageFrame();
  const { rollingEndsAt, updatedAt } = times;
  if (kind === "now") return <Message id="session.now" />;
  if (kind === "absolute") return <Message id="session.again" />;
  if (rollingEndsAt === null || updatedAt === undefined)
    return <Message id="session.unusedPlain" />;
  const length = durationInWords(rollingEndsAt - updatedAt, words.locale);
  return <Message id="session.unused" values={{ length }} />;
}

function When({ kind, times }: { kind: TimelineKind; times: SessionTimes }) {
  const { now } = usePageFrame();
  if (kind === "now") return <Moment at={now} style="clock" />;
  const at = kind === "rolling" ? times.rollingEndsAt : times.absoluteEndsAt;
  return at === null ? null : <Moment at={at} end={kind} />;
}
