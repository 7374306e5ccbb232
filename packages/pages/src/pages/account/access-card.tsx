import { useKept } from "../../components/kept.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { AccessState, AccountView } from "./account-data.ts";

const stateWords: Readonly<Record<AccessState, MessageKey>> = {
  renews: "access.renews",
  until: "access.until",
  connected: "access.connected",
  "will-renew": "access.willRenew",
  ended: "access.ended",
};

/** What the app may do elsewhere in the person's name. Never a token, not even shortened. */
export function AccessCard({ access }: { access: AccountView["access"] }) {
  if (access === undefined) return null;
  if (access.at === undefined) return <CardWithoutMoment state={access.state} />;
  return (
    <section className="card" aria-labelledby="access">
      <AccessFacts {...access} />
    </section>
  );
}

/** It is the same for everybody. */
function CardWithoutMoment({ state }: { state: AccessState }) {
  const facts = useKept(`access ${state}`, () => <AccessFacts state={state} />);
  return <section className="card" aria-labelledby="access" dangerouslySetInnerHTML={facts} />;
}

function AccessFacts({ state, at }: NonNullable<AccountView["access"]>) {
  const { site } = usePageFrame();
  return (
    <>
      <h2 id="access">
        <Message id="access.title" />
      </h2>
      <p>
        <Message
          id={stateWords[state]}
          tags={at === undefined ? undefined : { end: () => <Moment at={at} /> }}
        />{" "}
        {state === "ended" && (
          <a href={site.loginURL}>
            <Message id="action.signInAgain" />
          </a>
        )}
      </p>
    </>
  );
}
