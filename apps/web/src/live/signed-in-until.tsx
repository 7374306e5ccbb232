import { useSession } from "latchkey/react";

import { Message } from "../components/message.tsx";
import { Moment } from "../components/moment.tsx";

/** Until when the person stays signed in, at the foot of every page. */
export function SignedInUntil() {
  const { times } = useSession();
  const endsAt = times?.endsAt ?? null;
  if (endsAt === null) return null;
  return (
    <p>
      <Message id="shell.footer.until" tags={{ end: () => <Moment at={endsAt} /> }} />
    </p>
  );
}
