import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SessionEnds } from "../../components/session-ends.tsx";
import { SignOutLink } from "../../components/sign-out-link.tsx";
import type { AccountView } from "./account-view.ts";

/** How long the person stays signed in. */
export function SessionCard({ view }: { view: AccountView }) {
  const { now } = usePageFrame();
  return (
    <section className="card" aria-labelledby="session">
      <h2 id="session">
        <Message id="session.title" />
      </h2>
      <SessionEnds times={view.times} now={now} renewedAt={view.renewedAt} />
      <noscript>
        <p className="quiet">
          <Message id="session.loaded" tags={{ now: () => <Moment at={now} style="zone" /> }} />
        </p>
      </noscript>
      <p className="quiet">
        <Message id="session.what" /> <Message id="session.counts" />
      </p>
      <div className="actions">
        <SignOutLink />
      </div>
    </section>
  );
}
