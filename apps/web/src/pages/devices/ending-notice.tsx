import { Message, useText } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { inSecondsInWords } from "../../messages/durations.ts";
import { useDeviceName } from "./device-words.ts";
import type { Ending } from "./devices-view.ts";
import { useFormAddress } from "./list/list-place.ts";

/** For so many seconds the end of a device may be taken back. */
export const undoSeconds = 10;

interface EndingNoticeProps {
  readonly ending: Ending;
  /** Where the keyboard goes on. */
  readonly id: string | undefined;
}

/**
 * Which devices are about to be signed out, and the way back. A script counts the seconds down, says how many are left
 * half-way, and what was done at the end.
 */
export function EndingNotice({ ending: { at, devices, lateUntil }, id }: EndingNoticeProps) {
  const { now, words } = usePageFrame();
  const addressOf = useFormAddress();
  const say = useText();
  const nameOf = useDeviceName();
  const [first] = devices;
  const isOne = devices.length === 1 && first !== undefined;
  const device = isOne ? nameOf(first) : "";
  const left = inSecondsInWords(Math.min(undoSeconds, at - now), words.locale);
  const count = devices.length;
  const done = isOne ? say("devices.outDone", { device }) : say("devices.othersDone", { count });
  return (
    <div id={id} className="notice" tabIndex={-1} data-ends-in={at - now} data-ends-at={at}>
      <div className="ending">
        <p>
          <Message
            id={isOne ? "devices.endingOne" : "devices.endingSeveral"}
            values={isOne ? { device } : { count }}
            tags={{ left: () => <span data-left={undoSeconds}>{left}</span> }}
          />
        </p>
        <form method="post" action={addressOf("undo")}>
          {devices.map((each) => (
            <input key={each.id} type="hidden" name="id" value={each.id} />
          ))}
          <button type="submit" className="button quiet">
            <Message id="action.undo" />
          </button>
        </form>
      </div>
      <p className="unseen" role="status" data-ended={done} />
      {lateUntil !== undefined && (
        <p className="quiet">
          <LateServices until={lateUntil} />
        </p>
      )}
    </div>
  );
}

/** A time of day so near, in seconds, needs no day. */
const halfADay = 43_200;

/** What a sign-out here does not reach: services that have been shown the sign-in before. */
export function LateServices({ until }: { until: number }) {
  const { now } = usePageFrame();
  const style = until - now < halfADay ? "clock" : "day";
  return <Message id="devices.late" tags={{ end: () => <Moment at={until} style={style} /> }} />;
}
