import { Message } from "../../components/message.tsx";
import { useDeviceName } from "./device-words.ts";
import type { Said } from "./devices-view.ts";
import { LateServices } from "./late-services.tsx";

/** Part of an address that leads to the notice, so that it is also where the keyboard goes on. */
export const saidPlace = "done";

/** What has just been done. */
export function SaidNotice({ said }: { said: Said }) {
  const isFault = said.done === "failed";
  return (
    <div
      id={saidPlace}
      className={isFault ? "notice warn" : "notice"}
      role={isFault ? "alert" : "status"}
      tabIndex={-1}
    >
      <p>
        <SaidWords said={said} />
      </p>
      {"lateUntil" in said && said.lateUntil !== undefined && (
        <p>
          <LateServices until={said.lateUntil} />
        </p>
      )}
    </div>
  );
}

function SaidWords({ said }: { said: Said }) {
  const nameOf = useDeviceName();
  switch (said.done) {
    case "one":
      return <Message id="devices.outDone" values={{ device: nameOf(said.device) }} />;
    case "others":
      return <Message id="devices.othersDone" />;
    case "gone":
      return <Message id="devices.gone" />;
    case "failed":
      return <Message id="devices.fail" />;
  }
}
