import { useDeviceName } from "../../../components/device-words.ts";
import type { ListedDevice } from "../devices-view.ts";

/** Returns a function that names a device for screen readers: no two of a list sound the same. */
export function useSpokenName(): (device: ListedDevice) => string {
  const nameOf = useDeviceName();
  return (device) =>
    device.twin === undefined ? nameOf(device) : `${nameOf(device)} (${device.twin})`;
}
