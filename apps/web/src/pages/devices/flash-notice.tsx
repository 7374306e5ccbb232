import { Message } from "../../components/message.tsx";
import { useDeviceName } from "./device-words.ts";
import type { FlashMessage } from "./devices-view.ts";
import { LateServices } from "./late-services.tsx";

/** Part of an address that leads to the notice, so that it is also where the keyboard goes on. */
export const flashAnchor = "done";

/** What has just been done. */
export function FlashNotice({ message }: { message: FlashMessage }) {
  const isFault = message.done === "failed";
  return (
    <div
      id={flashAnchor}
      className={isFault ? "notice warn" : "notice"}
      role={isFault ? "alert" : "status"}
      tabIndex={-1}
    >
      <p>
        <FlashWords message={message} />
      </p>
      {"lateUntil" in message && message.lateUntil !== undefined && (
        <p>
          <LateServices until={message.lateUntil} />
        </p>
      )}
    </div>
  );
}

function FlashWords({ message }: { message: FlashMessage }) {
  const nameOf = useDeviceName();
  switch (message.done) {
    case "one":
      return <Message id="devices.outDone" values={{ device: nameOf(message.device) }} />;
    case "others":
      return <Message id="devices.othersDone" />;
    case "gone":
      return <Message id="devices.gone" />;
    case "failed":
      return <Message id="devices.fail" />;
  }
}
