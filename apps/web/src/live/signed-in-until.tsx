import { Message } from "../components/message.tsx";
import { Moment } from "../components/moment.tsx";
import { useLastTimes } from "./use-last-times.ts";

/** Until when the person stays signed in, at the foot of every page. */
export function SignedInUntil() {
  const endsAt = useLastTimes()?.endsAt ?? null;
  if (endsAt === null) return null;
  return (
    <p>
      <Message id="shell.footer.until" tags={{ end: () => <Moment at={endsAt} /> }} />
    </p>
  );
}
