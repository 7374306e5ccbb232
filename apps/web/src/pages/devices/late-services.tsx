import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";

/** What a sign-out here does not reach: services that have been shown the sign-in before. */
export function LateServices({ until }: { until: number }) {
  return <Message id="devices.late" tags={{ end: () => <Moment at={until} /> }} />;
}
