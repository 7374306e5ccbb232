import { Icon } from "../../../components/icon.tsx";
import { Message, useText } from "../../../components/message.tsx";
import { Moment } from "../../../components/moment.tsx";
import { NetworkFact } from "../../../components/network-fact.tsx";
import { SignOutForm } from "../../../components/sign-out-form.tsx";
import { useAgo, useDeviceName } from "../../../components/device-words.ts";
import type { ListedDevice } from "../devices-view.ts";
import { Facts } from "../facts.tsx";
import { useFormAddress } from "./list-place.ts";
import { RenameDevice } from "./rename-device.tsx";
import { useSpokenName } from "./spoken-name.ts";
import { ThisDevice } from "../this-device.tsx";

/** One sign-in: in which browser, since when, how lately used, and what can be done with it. */
export function DeviceItem({ device }: { device: ListedDevice }) {
  const { given, isCurrent, isDeviceBound = false, kind } = device;
  const nameOf = useDeviceName();
  return (
    <li className="device">
      <div className="device-name">
        <h2>
          <Icon name={kind} size={20} />
          {given === undefined ? nameOf(device) : <bdi>{given}</bdi>} {isCurrent && <ThisDevice />}
        </h2>
        <RenameDevice device={device} />
      </div>
      {isCurrent ? <SignOutForm look="button quiet" /> : <SignOutOther device={device} />}
      <p className="facts quiet">
        <DeviceFacts device={device} />
      </p>
      {isCurrent && isDeviceBound && (
        <p className="facts quiet">
          <Icon name="shield" />
          <Message id="devices.boundHere" />
        </p>
      )}
    </li>
  );
}

function DeviceFacts({ device }: { device: ListedDevice }) {
  const { given, isActive, isCurrent, isDeviceBound = false, startedAt, lastUsedAt } = device;
  const { label, network } = device;
  const say = useText();
  const ago = useAgo();
  const nameOf = useDeviceName();
  return (
    <Facts>
      {given !== undefined && nameOf({ ...device, given: undefined })}
      {isActive ? <b>{say("devices.active")}</b> : say("devices.used", { ago: ago(lastUsedAt) })}
      {network != null && <NetworkFact network={network} />}
      <Message id="devices.since" tags={{ start: () => <Moment at={startedAt} style="short" /> }} />
      {label !== undefined && <Message id="devices.with" values={{ label }} />}
      {isDeviceBound && !isCurrent && (
        <>
          <Icon name="shield" />
          {say("devices.bound")}
        </>
      )}
    </Facts>
  );
}

function SignOutOther({ device }: { device: ListedDevice }) {
  const addressOf = useFormAddress();
  const ago = useAgo()(device.lastUsedAt);
  const name = useSpokenName()(device);
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
