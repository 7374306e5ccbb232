import { Message } from "../../components/message.tsx";

/** Marks the device in use. */
export function ThisDevice() {
  return (
    <span className="badge">
      <Message id="devices.this" />
    </span>
  );
}
