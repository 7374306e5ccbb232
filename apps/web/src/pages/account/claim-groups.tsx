import type { ReactNode } from "react";

import { CopyButton } from "../../components/copy-button.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import type { MessageKey } from "../../messages/languages.ts";
import type { ClaimGroup, ClaimGroupName, ClaimValue } from "./account-view.ts";

const titles: Readonly<Record<ClaimGroupName, MessageKey>> = {
  identity: "account.group.identity",
  contact: "account.group.contact",
  membership: "account.group.membership",
  other: "account.group.other",
};

/** So many values of a claim are shown; the others are folded. */
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
      <dl>
        {claims.map((claim) => (
          <div key={claim.name}>
            <dt>{claim.name}</dt>
            <dd>
              <Value value={claim.value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ));
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
      return <List items={value.items} />;
  }
}

/** What is more than can be read at a glance is one click away. */
function List({ items }: { items: readonly string[] }) {
  const folded = items.slice(shownAtFirst);
  return (
    <>
      <Items items={items.slice(0, shownAtFirst)} />
      {folded.length > 0 && (
        <details>
          <summary>
            <Message id="account.more" values={{ count: folded.length }} />
          </summary>
          <Items items={folded} />
        </details>
      )}
    </>
  );
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
      {`${text.slice(0, longestShown / 2).trimEnd()}…`}
      <Whole text={text}>
        <bdi className="whole">{text}</bdi>
      </Whole>
    </>
  );
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
