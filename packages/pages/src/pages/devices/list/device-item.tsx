import { Message, useText } from "../../../components/message.tsx";
import { Moment } from "../../../components/moment.tsx";
import { NetworkFact } from "../../../components/network-fact.tsx";
import { SignOutForm } from "../../../components/sign-out-form.tsx";
import { unknownBrowser, useAgo, useDeviceName } from "../../../components/device-words.ts";
import type { ListedDevice } from "../devices-view.ts";
import { Facts } from "../facts.tsx";
import { useFormAddress } from "./list-place.ts";
import { RenameDevice } from "./rename-device.tsx";
import { ThisDevice } from "../this-device.tsx";

/** One sign-in: in which browser, since when, how lately used, and what can be done with it. */
export function DeviceItem({ device }: { device: ListedDevice }) {
  const { given, isCurrent } = device;
  return (
    <li className="device">
      <div className="device-name">
        <h3>
          {given === undefined ? <BrowserName device={device} /> : <bdi>{given}</bdi>}{" "}
          {isCurrent && <ThisDevice />}
        </h3>
        <RenameDevice device={device} />
      </div>
      {isCurrent ? <SignOutForm look="button quiet" /> : <SignOutOther device={device} />}
      <p className="facts quiet">
        <DeviceFacts device={device} />
      </p>
    </li>
  );
}

function BrowserName({ device: { browser, kind } }: { device: ListedDevice }) {
  return browser ?? <Message id={unknownBrowser(kind)} />;
}

function DeviceFacts({ device }: { device: ListedDevice }) {
  const { given, isActive, startedAt, lastUsedAt, network } = device;
  const say = useText();
  const ago = useAgo();
  return (
    <Facts>
      {given !== undefined && <BrowserName device={device} />}
      {isActive ? <b>{say("devices.active")}</b> : say("devices.used", { ago: ago(lastUsedAt) })}
      {network != null && <NetworkFact network={network} />}
      <Message id="devices.since" tags={{ start: () => <Moment at={startedAt} style="short" /> }} />
    </Facts>
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
