import type { ReactNode } from "react";

import { CopyButton } from "../../components/copy-button.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import type { MessageKey } from "../../messages/languages.ts";
import type { Claim, ClaimGroup, ClaimGroupName, ClaimValue } from "./account-view.ts";

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

/** Everything that the provider said, in groups, readable. */
export function ClaimGroups({ groups }: { groups: readonly ClaimGroup[] }) {
  return groups.map(({ name, claims }) => (
    <section key={name} className="claims">
      <h3>
        <Message id={titles[name]} />
      </h3>
      <Claims claims={claims.slice(0, shownAtFirst)} />
      <Folded count={claims.length - shownAtFirst}>
        <Claims claims={claims.slice(shownAtFirst)} />
      </Folded>
    </section>
  ));
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
      return shown(value.text);
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
        <li key={item}>{shown(item)}</li>
      ))}
    </ul>
  );
}

function shown(text: string): ReactNode {
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

/** Ends within a sentence and within no character, so that its dots are seen to be ours. */
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
