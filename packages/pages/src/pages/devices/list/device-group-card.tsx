import { Icon } from "../../../components/icon.tsx";
import { isThing } from "../../../components/device-name.ts";
import { Message } from "../../../components/message.tsx";
import { DeviceItem } from "./device-item.tsx";
import type { DeviceGroup } from "../devices-view.ts";

/** Devices of one kind and system, e.g. all computers with Windows. */
export function DeviceGroupCard({ group: { kind, system, devices } }: { group: DeviceGroup }) {
  const heading = `group-${devices[0]?.id}`;
  const kindName = <Message id={`devices.kind.${kind}`} />;
  return (
    <section className="card device-group" aria-labelledby={heading}>
      <h2 id={heading}>
        <Icon name={kind} size={24} />
        {system === undefined ? (
          kindName
        ) : (
          <>
            {system} {!isThing(system) && <span className="quiet">{kindName}</span>}
          </>
        )}
      </h2>
      <ul className="devices">
        {devices.map((device) => (
          <DeviceItem key={device.id} device={device} />
        ))}
      </ul>
    </section>
  );
}
