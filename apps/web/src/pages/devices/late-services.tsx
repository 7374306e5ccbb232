import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";

/** A time of day so near, in seconds, needs no day. */
const halfADay = 43_200;

/** What a sign-out here does not reach: services that have been shown the sign-in before. */
export function LateServices({ until }: { until: number }) {
  const { now } = usePageFrame();
  const style = until - now < halfADay ? "clock" : "day";
  return <Message id="devices.late" tags={{ end: () => <Moment at={until} style={style} /> }} />;
}
