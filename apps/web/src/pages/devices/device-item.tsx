import { SignOutButton } from "latchkey/react";

import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { useAgo, useDeviceName } from "./device-words.ts";
import type { ListedDevice } from "./devices-view.ts";

/** One sign-in: in which browser, since when, how lately used, and the button that ends it. */
export function DeviceItem({ device }: { device: ListedDevice }) {
  const { id, browser, isCurrent, isActive, startedAt, lastUsedAt } = device;
  const ago = useAgo()(lastUsedAt);
  const name = useDeviceName()(device);
  return (
    <li className="device">
      <h3>
        {browser ?? <Message id="devices.unknown" />}{" "}
        {isCurrent && (
          <span className="badge">
            <Message id="devices.this" />
          </span>
        )}
      </h3>
      <p className="quiet">
        <Message
          id={isActive ? "devices.active" : "devices.facts"}
          values={isActive ? undefined : { ago }}
          tags={{
            b: (content) => <b>{content}</b>,
            start: () => <Moment at={startedAt} />,
          }}
        />
      </p>
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
