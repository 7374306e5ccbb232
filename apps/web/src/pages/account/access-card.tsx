import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/languages.ts";
import type { AccessState, AccountView } from "./account-view.ts";

const stateWords: Readonly<Record<AccessState, MessageKey>> = {
  renews: "access.renews",
  until: "access.until",
  connected: "access.connected",
  "will-renew": "access.willRenew",
  ended: "access.ended",
};

const scopeWords: ReadonlyMap<string, MessageKey> = new Map([
  ["openid", "access.scope.openid"],
  ["profile", "access.scope.profile"],
  ["email", "access.scope.email"],
  ["phone", "access.scope.phone"],
  ["address", "access.scope.address"],
  ["offline_access", "access.scope.offline_access"],
]);

/** What the app may do elsewhere in the person's name. Never a token, not even shortened. */
export function AccessCard({ access }: { access: AccountView["access"] }) {
  const { site } = usePageFrame();
  if (access === undefined) return null;
  const { state, at, scopes } = access;
  return (
    <section className="card" aria-labelledby="access">
      <h2 id="access">
        <Message id="access.title" />
      </h2>
      <p>
        <Message
          id={stateWords[state]}
          tags={at === undefined ? {} : { end: () => <Moment at={at} /> }}
        />{" "}
        {state === "ended" && (
          <a href={site.loginURL}>
            <Message id="action.signInAgain" />
          </a>
        )}
      </p>
      {scopes.length > 0 && (
        <details>
          <summary>
            <Message id="access.details" />
          </summary>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>
                <Scope scope={scope} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Scope({ scope }: { scope: string }) {
  const known = scopeWords.get(scope);
  return known === undefined ? <code>{scope}</code> : <Message id={known} />;
}
