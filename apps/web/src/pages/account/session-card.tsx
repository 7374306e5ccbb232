import type { SessionTimes } from "latchkey";

import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SessionTimeline } from "../../components/timeline/session-timeline.tsx";
import { SignOutForm } from "../../components/sign-out-form.tsx";

/** How long the person stays signed in. */
export function SessionCard({ times }: { times: SessionTimes }) {
  const { site } = usePageFrame();
  return (
    <section className="card" aria-labelledby="session">
      <h2 id="session">
        <Message id="session.title" />
      </h2>
      <StaleNote />
      <SessionTimeline times={times} />
      {times.rollingEndsAt !== null && (
        <p className="quiet">
          <Message id="session.keeps" />
        </p>
      )}
      <div className="actions">
        <SignOutForm look="button quiet" />
        <a className="button quiet danger" href={`${site.root}/devices/all`}>
          <Message id="devices.allDo" />
        </a>
      </div>
    </section>
  );
}

/** A script says here since when the server could not be asked. */
function StaleNote() {
  const { now } = usePageFrame();
  return (
    <div role="status">
      <p className="notice warn" data-stale="" hidden>
        <Message id="session.stale" tags={{ time: () => <Moment at={now} style="clock" /> }} />
      </p>
    </div>
  );
}
