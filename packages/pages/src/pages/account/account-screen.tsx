import type { Session, SessionTimes } from "latchkey";
import { Avatar } from "latchkey/react";

import { Icon } from "../../components/icon.tsx";
import { useKept } from "../../components/kept.tsx";
import { Message, useText } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { OnSharedComputer } from "../../components/on-shared-computer.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { textClaim } from "../../components/person-name.ts";
import { SignOutForm } from "../../components/sign-out-form.tsx";
import { SessionTimeline } from "../../components/timeline/session-timeline.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { SignedInPage } from "../../rendering/page.ts";
import type { AccessState, AccountView } from "./account-data.ts";
import { FromProvider } from "./from-provider.tsx";

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

/** How long the person stays signed in. */
function SessionCard({ times }: { times: SessionTimes }) {
  const say = useText();
  return (
    <section className="card" aria-labelledby="session">
      <h2 id="session">{say("session.title")}</h2>
      <StaleNote />
      <OnSharedComputer times={times} />
      <SessionTimeline times={times} />
      <WaysOut />
    </section>
  );
}

function WaysOut() {
  const { site } = usePageFrame();
  const ways = useKept("ways-out", () => (
    <>
      <SignOutForm look="button quiet" />
      <a className="button quiet danger" href={`${site.root}/devices/all`}>
        <Message id="devices.allDo" />
      </a>
    </>
  ));
  return <div className="actions" dangerouslySetInnerHTML={ways} />;
}

/** A script shows here since when the server does not respond. */
function StaleNote() {
  const note = useKept("stale", () => (
    <p className="notice warn" data-stale="" hidden>
      <Message id="session.stale" tags={{ time: () => <time data-moment="clock" /> }} />
    </p>
  ));
  return <div role="status" dangerouslySetInnerHTML={note} />;
}

const stateWords: Readonly<Record<AccessState, MessageKey>> = {
  renews: "access.renews",
  until: "access.until",
  connected: "access.connected",
  "will-renew": "access.willRenew",
  ended: "access.ended",
};

/** What the app may do elsewhere in the person's name. Never a token, not even shortened. */
function AccessCard({ access }: { access: AccountView["access"] }) {
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
