import type { Session } from "latchkey";
import type { ReactNode } from "react";

import { CopyButton } from "../../../components/copy-button.tsx";
import { Message, useText } from "../../../components/message.tsx";
import { Moment } from "../../../components/moment.tsx";
import { usePageFrame } from "../../../components/page-frame.tsx";
import { SignedInShell } from "../../../live/signed-in-shell.tsx";
import type { MessageKey } from "../../../messages/catalogue.ts";
import type { SignedInPage } from "../../../rendering/page.ts";
import { FromProvider } from "../from-provider.tsx";
import { claimGroups } from "./details-data.ts";
import type { Claim, ClaimGroupName, ClaimValue } from "./details-data.ts";
import { ScopesCard } from "./scopes-card.tsx";

const titles: Readonly<Record<ClaimGroupName, MessageKey>> = {
  identity: "account.group.identity",
  contact: "account.group.contact",
  membership: "account.group.membership",
  other: "account.group.other",
};

/** So many claims of a group and values of a claim are shown; the others are folded. */
const shownAtFirst = 5;

/** A text longer than this, in characters, is cut. */
const longestShown = 160;

/** All claims of the provider, for account administrators. */
export function detailsPage(session: Session): SignedInPage {
  return {
    access: "signed-in",
    sheet: "details",
    session,
    title: { id: "account.all" },
    content: <DetailsScreen session={session} />,
  };
}

function DetailsScreen({ session }: { session: Session }) {
  const { site } = usePageFrame();
  return (
    <SignedInShell current="account">
      <div className="title-row">
        <a className="way" href={`${site.root}/account`} data-back="">
          <Message id="action.back" />
        </a>
        <h1>
          <Message id="account.all" />
        </h1>
      </div>
      <FromProvider />
      <UserID sub={session.user.sub} />
      {claimGroups(session.user).map(({ name, claims }) => (
        <section key={name} className="card claims" aria-labelledby={name}>
          <h2 id={name}>
            <Message id={titles[name]} />
          </h2>
          <Claims claims={claims.slice(0, shownAtFirst)} />
          <Folded count={claims.length - shownAtFirst}>
            <Claims claims={claims.slice(shownAtFirst)} />
          </Folded>
        </section>
      ))}
      <ScopesCard session={session} />
    </SignedInShell>
  );
}

/** What an account administrator needs most. */
function UserID({ sub }: { sub: string }) {
  const say = useText();
  return (
    <section className="card" aria-labelledby="user-id">
      <dl>
        <div>
          <dt id="user-id">
            {say("account.id")} <CopyButton text={sub} about={say("account.id")} />
          </dt>
          <dd>
            <code className="whole" dir="ltr">
              {sub}
            </code>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Claims({ claims }: { claims: readonly Claim[] }) {
  return (
    <dl>
      {claims.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What is more than can be read at a glance is one click away. */
function Folded({ count, children }: { count: number; children: ReactNode }) {
  if (count <= 0) return null;
  return (
    <details>
      <summary>
        <Message id="account.more" values={{ count }} />
      </summary>
      {children}
    </details>
  );
}

function Value({ value }: { value: ClaimValue }) {
  switch (value.kind) {
    case "text":
      return showText(value.text);
    case "json":
      return <JSONText text={value.text} />;
    case "yes-no":
      return <Message id={value.yes ? "account.yes" : "account.no"} />;
    case "moment":
      return <Moment at={value.at} />;
    case "list":
      return (
        <>
          <Items items={value.items.slice(0, shownAtFirst)} />
          <Folded count={value.items.length - shownAtFirst}>
            <Items items={value.items.slice(shownAtFirst)} />
          </Folded>
        </>
      );
  }
}

function Items({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{showText(item)}</li>
      ))}
    </ul>
  );
}

function showText(text: string): ReactNode {
  return text.length <= longestShown ? text : <LongText text={text} />;
}

function LongText({ text }: { text: string }) {
  return (
    <>
      <span className="beginning">{beginningOf(text)}</span>
      <Whole text={text}>
        <bdi className="whole">{text}</bdi>
      </Whole>
    </>
  );
}

/** Ends within a sentence and within no character, so that its dots are visibly ours. */
function beginningOf(text: string): string {
  return `${text.slice(0, longestShown / 2).replace(/[\p{P}\p{Z}\p{Cs}]+$/u, "")}…`;
}

function JSONText({ text }: { text: string }) {
  const code = (
    <pre dir="ltr">
      <code>{text}</code>
    </pre>
  );
  return text.length <= longestShown ? code : <Whole text={text}>{code}</Whole>;
}

function Whole({ text, children }: { text: string; children: ReactNode }) {
  return (
    <details>
      <summary>
        <Message id="account.whole" />
      </summary>
      <CopyButton text={text} />
      {children}
    </details>
  );
}
