import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";

/** A time of day within these seconds needs no day. */
const halfADay = 43_200;

/** Says how long other services may still accept an ended sign-in. */
export function LateServices({ until }: { until: number }) {
  const { now } = usePageFrame();
  const style = until - now < halfADay ? "clock" : "day";
  return <Message id="devices.late" tags={{ end: () => <Moment at={until} style={style} /> }} />;
}
