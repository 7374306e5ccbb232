import type { Session } from "latchkey";

import { personName, shortName, textClaim } from "./person-name.ts";
import { Message, useText } from "./message.tsx";
import { Moment } from "./moment.tsx";
import { SignOutForm } from "./sign-out-form.tsx";

/** Who is signed in here, until when, and the way out: on every page of a signed-in person. */
export function IdentityStrip({ session }: { session: Session }) {
  const say = useText();
  const name = personName(session);
  const email = textClaim(session.user.email);
  const { endsAt, rollingEndsAt, absoluteEndsAt, shared } = session.times;
  const isEndless = rollingEndsAt === null && absoluteEndsAt === null;
  return (
    <aside className="strip" aria-label={say("strip.label")}>
      <p className="strip-who">
        <strong dir="auto">{shortName(name)}</strong>
        {email !== undefined && email !== name && <bdi>{shortName(email)}</bdi>}
        {shared === true && <span className="badge warn">{say("strip.shared")}</span>}
      </p>
      {!isEndless && (
        <p className="strip-until">
          <Message id="strip.until" tags={{ end: () => <Moment at={endsAt} end="any" /> }} />
        </p>
      )}
      <SignOutForm look="plain" />
    </aside>
  );
}
