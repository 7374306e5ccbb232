import type { SessionTimes } from "latchkey";

import { useKept } from "../../components/kept.tsx";
import { OnSharedComputer } from "../../components/on-shared-computer.tsx";
import { Message, useText } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SessionTimeline } from "../../components/timeline/session-timeline.tsx";
import { SignOutForm } from "../../components/sign-out-form.tsx";

/** How long the person stays signed in. */
export function SessionCard({ times }: { times: SessionTimes }) {
  const say = useText();
  return (
    <section className="card" aria-labelledby="session">
      <h2 id="session">{say("session.title")}</h2>
      <StaleNote />
      <OnSharedComputer times={times} />
      <SessionTimeline times={times} />
      <WaysOut />
    </section>
  );
}

function WaysOut() {
  const { site } = usePageFrame();
  const ways = useKept("ways-out", () => (
    <>
      <SignOutForm look="button quiet" />
      <a className="button quiet danger" href={`${site.root}/devices/all`}>
        <Message id="devices.allDo" />
      </a>
    </>
  ));
  return <div className="actions" dangerouslySetInnerHTML={ways} />;
}

/** A script shows here since when the server does not respond. */
function StaleNote() {
  const note = useKept("stale", () => (
    <p className="notice warn" data-stale="" hidden>
      <Message id="session.stale" tags={{ time: () => <time data-moment="clock" /> }} />
    </p>
  ));
  return <div role="status" dangerouslySetInnerHTML={note} />;
}
