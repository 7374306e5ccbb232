import { SignOutButton } from "latchkey/react";

import { Icon } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { useAgo, useDeviceName } from "./device-words.ts";
import type { ListedDevice } from "./devices-view.ts";

/** One sign-in: which browser, since when and how long, and the button that ends it. */
export function DeviceItem({ device }: { device: ListedDevice }) {
  const { id, isCurrent, startedAt, lastUsedAt, endsAt } = device;
  const ago = useAgo()(lastUsedAt);
  const name = useDeviceName()(device);
  return (
    <li className="card device">
      <Icon name="device" size={24} />
      <div>
        <h2>
          {name}{" "}
          {isCurrent && (
            <span className="badge">
              <Message id="devices.this" />
            </span>
          )}
        </h2>
        <p className="quiet">
          <Message
            id="devices.facts"
            values={{ ago }}
            tags={{
              start: () => <Moment at={startedAt} />,
              end: () => <Moment at={endsAt} />,
            }}
          />
        </p>
      </div>
      {isCurrent ? (
        <SignOutButton className="button quiet" />
      ) : (
        <SignOutOther id={id} name={name} ago={ago} />
      )}
    </li>
  );
}

function SignOutOther({ id, name, ago }: { id: string; name: string; ago: string }) {
  const { site } = usePageFrame();
  return (
    <form method="post" action={`${site.root}/devices/${id}`}>
      <button type="submit" className="button quiet">
        <Message id="action.signOut" />
        <span className="unseen">
          <Message id="devices.outOf" values={{ device: name, ago }} />
        </span>
      </button>
    </form>
  );
}
