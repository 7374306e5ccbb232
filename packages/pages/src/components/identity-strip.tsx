import type { Session } from "latchkey";

import { Message, useText } from "./message.tsx";
import { Moment } from "./moment.tsx";
import { usePageFrame } from "./page-frame.tsx";
import { personName, shortName, textClaim } from "./person-name.ts";
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
        <PlaceBadge session={session} />
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

/** Of which organization the user is, else with what they signed in, if there are several. */
function PlaceBadge({ session }: { session: Session }) {
  const { way } = usePageFrame();
  if (way === undefined) return null;
  const organization = textClaim(session.user.org_name);
  return (
    <span className="badge place">
      <Message
        id={organization === undefined ? "strip.way" : "strip.organization"}
        values={{ organization, label: way.label }}
        tags={{ hint: (content) => <span className="unseen">{content}</span> }}
      />
    </span>
  );
}
