import type { Session } from "latchkey";
import { Avatar } from "latchkey/react";

import { CopyButton } from "../../components/copy-button.tsx";
import { Message, useText } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import { AccessCard } from "./access-card.tsx";
import type { AccountView } from "./account-data.ts";
import { FromProvider } from "./from-provider.tsx";
import { SessionCard } from "./session-card.tsx";

/**
 * The page about the person: who you are here, how long you stay signed in, what the app may do.
 */
export function accountPage(view: AccountView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    session,
    title: { id: "account.title" },
    content: <AccountScreen view={view} session={session} />,
  };
}

function AccountScreen({ view, session }: { view: AccountView; session: Session }) {
  const say = useText();
  return (
    <SignedInShell current="account">
      <h1>{say("account.title")}</h1>
      <PersonCard view={view} user={session.user} />
      <SessionCard times={session.times} />
      <AccessCard access={view.access} />
    </SignedInShell>
  );
}

function PersonCard({ view, user }: { view: AccountView; user: Session["user"] }) {
  const { site } = usePageFrame();
  const say = useText();
  return (
    <section className="card" aria-labelledby="you">
      <h2 id="you">{say("account.you")}</h2>
      <div className="person">
        <Avatar user={user} picture={site.pictureSources} />
        <PersonFacts view={view} />
      </div>
      {view.limitedTo !== undefined && (
        <p>
          <Message id="account.organizationLimited" values={{ organization: view.limitedTo }} />
        </p>
      )}
      <FromProvider />
      <p>
        <a href={`${site.root}/account/details`}>{say("account.all")}</a>
      </p>
    </section>
  );
}

function PersonFacts({ view: { person, emailConfirmed, organization } }: { view: AccountView }) {
  const { sub, name, email } = person;
  const say = useText();
  return (
    <dl>
      {name !== email && name !== sub && (
        <div>
          <dt>{say("account.name")}</dt>
          <dd>
            <bdi>{name}</bdi>
          </dd>
        </div>
      )}
      {email !== undefined && (
        <div>
          <dt>{say("account.email")}</dt>
          <dd>
            <bdi>{email}</bdi>
            <Confirmation confirmed={emailConfirmed} />
          </dd>
        </div>
      )}
      {organization !== undefined && (
        <div>
          <dt>{say("account.organization")}</dt>
          <dd>
            <bdi>{organization}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>
          {say("account.id")}
          <CopyButton text={sub} about={say("account.id")} />
        </dt>
        <dd>
          <code className="whole" dir="ltr">
            {sub}
          </code>
        </dd>
      </div>
    </dl>
  );
}

function Confirmation({ confirmed }: { confirmed: boolean | undefined }) {
  const say = useText();
  if (confirmed === undefined) return null;
  return (
    <span className={confirmed ? "badge" : "badge warn"}>
      {say(confirmed ? "account.confirmed" : "account.unconfirmed")}
    </span>
  );
}
