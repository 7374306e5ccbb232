import { SignOutButton } from "latchkey/react";

import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { NetworkFact } from "../../components/network-fact.tsx";
import { betweenFacts, unknownBrowser, useAgo, useDeviceName } from "./device-words.ts";
import type { ListedDevice } from "./devices-view.ts";
import { useFormAddress } from "./list-place.ts";
import { RenameDevice } from "./rename-device.tsx";

/** One sign-in: in which browser, since when, how lately used, and what can be done with it. */
export function DeviceItem({ device }: { device: ListedDevice }) {
  const { given, isCurrent, endingAt } = device;
  return (
    <li className="device" data-ends-at={endingAt}>
      <h3>
        {given === undefined ? <BrowserName device={device} /> : <bdi>{given}</bdi>}{" "}
        {isCurrent && (
          <span className="badge">
            <Message id="devices.this" />
          </span>
        )}
      </h3>
      <p className="quiet">
        <DeviceFacts device={device} />
      </p>
      {endingAt === undefined ? (
        <div className="device-actions">
          <RenameDevice device={device} />
          {isCurrent ? (
            <SignOutButton className="button quiet" />
          ) : (
            <SignOutOther device={device} />
          )}
        </div>
      ) : (
        <p className="quiet">
          <Message id="devices.ending" />
        </p>
      )}
    </li>
  );
}

function BrowserName({ device: { browser, kind } }: { device: ListedDevice }) {
  return browser ?? <Message id={unknownBrowser(kind)} />;
}

function DeviceFacts({ device }: { device: ListedDevice }) {
  const { given, isActive, startedAt, lastUsedAt, network } = device;
  const ago = useAgo()(lastUsedAt);
  return (
    <>
      {given !== undefined && (
        <>
          <BrowserName device={device} />
          {betweenFacts}
        </>
      )}
      <Message
        id={isActive ? "devices.active" : "devices.facts"}
        values={isActive ? undefined : { ago }}
        tags={{
          b: (content) => <b>{content}</b>,
          start: () => <Moment at={startedAt} />,
        }}
      />
      {network != null && (
        <>
          {betweenFacts}
          <NetworkFact network={network} />
        </>
      )}
    </>
  );
}

function SignOutOther({ device }: { device: ListedDevice }) {
  const addressOf = useFormAddress();
  const ago = useAgo()(device.lastUsedAt);
  const name = useDeviceName()(device);
  return (
    <form method="post" action={addressOf(device.id)}>
      <button type="submit" className="button quiet">
        <Message id="action.signOut" />
        <span className="unseen">
          <Message id="devices.outOf" values={{ device: name, ago }} />
        </span>
      </button>
    </form>
  );
}
