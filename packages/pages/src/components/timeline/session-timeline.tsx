import type { SessionTimes } from "latchkey";

import { durationInWords } from "../../messages/durations.ts";
import { Message } from "../message.tsx";
import { Moment } from "../moment.tsx";
import { usePageFrame } from "../page-frame.tsx";
import { type TimelineKind, type TimelineMark, timelineOf } from "./timeline-scale.ts";

/**
 * How long a person stays signed in: now, the end without use, and the next required sign-in. The
 * line shows the true distances; the list below says the same in words.
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
            <What kind={kind} times={times} /> <When kind={kind} times={times} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Line({ marks }: { marks: readonly TimelineMark[] }) {
  const drawing = { __html: drawingOf(marks) };
  return <svg className="line" aria-hidden="true" dangerouslySetInnerHTML={drawing} />;
}

/** Places alone, and no text: React takes longer for these parts than for a card. */
function drawingOf(marks: readonly TimelineMark[]): string {
  const [, next] = marks;
  const ahead =
    next === undefined ? "" : `<line class="next" x2="${next.at}" data-mark="${next.kind}"/>`;
  const circles = marks.map(({ kind, at }) => `<circle cx="${at}" r="6" data-mark="${kind}"/>`);
  return `<line x2="100%"/>${ahead}${circles.toReversed().join("")}`;
}

function What({ kind, times }: { kind: TimelineKind; times: SessionTimes }) {
  const { locale, text } = usePageFrame().words;
  const { rollingEndsAt, updatedAt } = times;
  if (kind === "now") return text("session.now");
  if (kind === "absolute") return text("session.again");
  if (rollingEndsAt === null || updatedAt === undefined) return text("session.unusedPlain");
  return text("session.unused", { length: durationInWords(rollingEndsAt - updatedAt, locale) });
}

function When({ kind, times }: { kind: TimelineKind; times: SessionTimes }) {
  if (kind === "now") return null;
  const at = kind === "rolling" ? times.rollingEndsAt : times.absoluteEndsAt;
  return at === null ? null : <Moment at={at} end={kind} />;
}
