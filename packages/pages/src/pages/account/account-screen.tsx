import type { Session } from "latchkey";
import { Avatar } from "latchkey/react";

import { Icon } from "../../components/icon.tsx";
import { Message, useText } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { textClaim } from "../../components/person-name.ts";
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
    sheet: "account",
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
    <section className="card" aria-label={say("account.you")}>
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
        <a className="way" href={`${site.root}/account/details`}>
          {say("account.all")}
        </a>
      </p>
    </section>
  );
}

/** The name, or what stands in for it; then email and organization. */
function PersonFacts({ view: { person, emailConfirmed, organization } }: { view: AccountView }) {
  const { name, email } = person;
  return (
    <div className="person-facts">
      <h2>
        <bdi>{name}</bdi>
        {name === email && <Confirmation confirmed={emailConfirmed} />}
      </h2>
      {email !== undefined && name !== email && (
        <p>
          <bdi>{email}</bdi>
          <Confirmation confirmed={emailConfirmed} />
        </p>
      )}
      <Place organization={organization} />
    </div>
  );
}

/** The organization of the user; of several ways to sign in also the chosen one. */
function Place({ organization }: Pick<AccountView, "organization">) {
  const { way } = usePageFrame();
  if (way !== undefined) return <ChosenWay label={way.label} />;
  if (organization === undefined) return null;
  return (
    <p className="quiet">
      <bdi>{organization}</bdi>
    </p>
  );
}

/** With what the user signed in, and the way to sign in for another organization. */
function ChosenWay({ label }: { label: string }) {
  const { site, session } = usePageFrame();
  // The id of an organization says nothing beside the name of a way.
  const organization = textClaim(session?.user.org_name);
  if (organization === undefined) {
    return (
      <p className="quiet">
        <Message id="account.way" values={{ label }} />
      </p>
    );
  }
  const back = new URLSearchParams({ returnTo: `${site.root}/account` });
  return (
    <p className="quiet">
      <Message id="account.wayOf" values={{ organization, label }} />{" "}
      <a href={`${site.loginURL}?${back.toString()}`}>
        <Message id="account.otherOrganization" />
      </a>
    </p>
  );
}

/** A mark for the eyes, words for screen readers. What is not confirmed is said in words. */
function Confirmation({ confirmed }: { confirmed: boolean | undefined }) {
  const say = useText();
  if (confirmed === undefined) return null;
  if (!confirmed) return <span className="badge warn">{say("account.unconfirmed")}</span>;
  return (
    <span className="confirmed" title={say("account.confirmed")}>
      <Icon name="check" />
      <span className="unseen">{say("account.confirmed")}</span>
    </span>
  );
}
