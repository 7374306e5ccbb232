import { SignOutButton } from "latchkey/react";

import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { Island } from "../../live/island.tsx";

/** How long the person stays signed in. */
export function SessionCard() {
  const { now, site } = usePageFrame();
  return (
    <section className="card" aria-labelledby="session">
      <h2 id="session">
        <Message id="session.title" />
      </h2>
      <Island name="session" />
      <noscript>
        <p className="quiet">
          <Message id="session.loaded" tags={{ now: () => <Moment at={now} style="zone" /> }} />
        </p>
      </noscript>
      <p className="quiet">
        <Message id="session.what" /> <Message id="session.counts" />
      </p>
      <div className="actions">
        <SignOutButton className="button quiet" />
        <a className="button quiet" href={`${site.root}/devices/all`}>
          <Message id="devices.allDo" />
        </a>
      </div>
    </section>
  );
}
