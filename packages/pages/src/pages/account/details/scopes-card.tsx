import type { Session } from "latchkey";

import { Message } from "../../../components/message.tsx";
import type { MessageKey } from "../../../messages/catalogue.ts";

const scopeWords: ReadonlyMap<string, MessageKey> = new Map([
  ["openid", "access.scope.openid"],
  ["profile", "access.scope.profile"],
  ["email", "access.scope.email"],
  ["phone", "access.scope.phone"],
  ["address", "access.scope.address"],
  ["offline_access", "access.scope.offline_access"],
]);

/** What the person has allowed the app to see. */
export function ScopesCard({ session: { accessTokenScope = "" } }: { session: Session }) {
  const scopes = accessTokenScope.split(" ").filter((scope) => scope !== "");
  if (scopes.length === 0) return null;
  return (
    <section className="card" aria-labelledby="scopes">
      <h2 id="scopes">
        <Message id="access.details" />
      </h2>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            <Scope scope={scope} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Scope({ scope }: { scope: string }) {
  const known = scopeWords.get(scope);
  return known === undefined ? <code>{scope}</code> : <Message id={known} />;
}
