import { SignOutButton } from "latchkey/react";

import { Icon } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { SignedInShell } from "../../components/signed-in-shell.tsx";

export interface DevicesProps {
  /** When the person signed in, and when that ends without further use. Epoch seconds. */
  readonly startedAt: number;
  readonly endsAt: number;
}

/** Where a person is signed in: without a list of sessions, this browser and an honest word. */
export function DevicesScreen({ startedAt, endsAt }: DevicesProps) {
  return (
    <SignedInShell current="devices">
      <h1>
        <Message id="devices.title" />
      </h1>
      <p className="lead">
        <Message id="devices.stateless" />
      </p>
      <section className="card device" aria-labelledby="here">
        <Icon name="device" size={24} />
        <div>
          <h2 id="here">
            <Message id="devices.here" />{" "}
            <span className="badge">
              <Message id="devices.this" />
            </span>
          </h2>
          <p className="quiet">
            <Message
              id="devices.since"
              tags={{
                start: () => <Moment at={startedAt} />,
                end: () => <Moment at={endsAt} />,
              }}
            />
          </p>
        </div>
        <SignOutButton className="button quiet" />
      </section>
      <p className="quiet">
        <Message id="devices.safe" />
      </p>
    </SignedInShell>
  );
}
