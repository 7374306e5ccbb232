import { Message } from "../../components/message.tsx";

/** Marks the device that the person is using. */
export function ThisDevice() {
  return (
    <span className="badge">
      <Message id="devices.this" />
    </span>
  );
}
