import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { ProviderLink } from "../../components/provider-link.tsx";
import { useDeviceName } from "../../components/device-words.ts";
import type { FlashMessage } from "./devices-view.ts";
import { LateServices } from "./late-services.tsx";
import { nameLimit } from "./list/rename-device.tsx";

/** The fragment of the notice, which also moves the focus there. */
export const flashAnchor = "done";

/** What has just been done. */
export function FlashNotice({ message }: { message: FlashMessage }) {
  const isFault = message.done === "failed" || message.done === "name-too-long";
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
      {message.isUnknown === true && <NextSteps />}
      {message.done === "ended" && message.lateUntil !== undefined && (
        <p className="quiet">
          <LateServices until={message.lateUntil} />
        </p>
      )}
    </div>
  );
}

/** A stranger may come back with the password. */
function NextSteps() {
  const { site } = usePageFrame();
  return (
    <p>
      <Message
        id="devices.wasNotYou"
        tags={{
          to: (content) => <ProviderLink>{content}</ProviderLink>,
          all: (content) => <a href={`${site.root}/devices/all`}>{content}</a>,
        }}
      />
    </p>
  );
}

function FlashWords({ message }: { message: FlashMessage }) {
  const nameOf = useDeviceName();
  switch (message.done) {
    case "ended":
      return message.device === undefined ? (
        <Message id="devices.othersDone" values={{ count: message.count }} />
      ) : (
        <Message id="devices.outDone" values={{ device: nameOf(message.device) }} />
      );
    case "renamed":
      return <Message id="devices.renamed" values={{ device: nameOf(message.device ?? {}) }} />;
    case "name-too-long":
      return <Message id="devices.nameTooLong" values={{ limit: nameLimit }} />;
    case "gone":
      return <Message id="devices.gone" />;
    case "failed":
      return <Message id="devices.fail" />;
  }
}
