import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import type { Claim, ClaimValue } from "./account-view.ts";

/** Everything that the provider said, readable. */
export function ClaimList({ claims }: { claims: readonly Claim[] }) {
  return (
    <dl className="claims">
      {claims.map(({ name, value }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: ClaimValue }) {
  switch (value.kind) {
    case "text":
      return <bdi>{value.text}</bdi>;
    case "yes-no":
      return <Message id={value.yes ? "account.yes" : "account.no"} />;
    case "moment":
      return <Moment at={value.at} />;
    case "list":
      return (
        <ul>
          {value.items.map((item) => (
            <li key={item}>
              <bdi>{item}</bdi>
            </li>
          ))}
        </ul>
      );
  }
}
