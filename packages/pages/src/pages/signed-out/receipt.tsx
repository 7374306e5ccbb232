import type { ProviderSession, SignedOut } from "latchkey";
import type { ReactNode } from "react";

import { Icon, type IconName } from "../../components/icon.tsx";
import { Message, useText } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";

/** What is known of the provider's own session, and the icon for it. */
const atProvider: Readonly<
  Record<Exclude<ProviderSession, "unknown">, readonly [IconName, MessageKey]>
> = {
  ended: ["check", "out.done"],
  still: ["dash", "out.notThere"],
  unconfirmed: ["alert", "out.noAnswer"],
};

/** Everything that the server knows to be signed out, line by line; nothing without such facts. */
export function Receipt({ provider, copies, copiesEndBy, otherDevices }: SignedOut) {
  const say = useText();
  if (provider === "unknown" && copies === undefined) return null;
  const [icon, fact] = provider === "unknown" ? [] : atProvider[provider];
  return (
    <ul className="receipt" aria-label={say("out.receipt")} aria-live="polite">
      <Line icon="check" what={say("devices.here")} fact={say("out.done")} />
      <Line icon="check" what={say("out.tabs")} fact={say("out.done")} isForTabs />
      {otherDevices !== undefined && otherDevices !== 0 && (
        <Line
          icon="check"
          what={say("out.devices")}
          fact={
            otherDevices === "all"
              ? say("out.done")
              : say("out.devicesDone", { count: otherDevices })
          }
        />
      )}
      {icon !== undefined && fact !== undefined && (
        <Line icon={icon} what={say("out.atProvider")} fact={say(fact)} />
      )}
      {copies === "ended" && (
        <Line icon="check" what={say("out.copies")} fact={say("out.copiesOver")} />
      )}
      {copiesEndBy !== undefined && (
        <Line
          icon="dash"
          what={say("out.copies")}
          fact={
            <Message
              id="out.copiesEnd"
              tags={{ end: () => <Moment at={copiesEndBy} style="zone" /> }}
            />
          }
        />
      )}
    </ul>
  );
}

interface LineProps {
  readonly icon: IconName;
  readonly what: string;
  readonly fact: ReactNode;
  /** Whether a script shows it when another tab has confirmed. */
  readonly isForTabs?: boolean;
}

function Line({ icon, what, fact, isForTabs = false }: LineProps) {
  return (
    <li hidden={isForTabs} data-tabs={isForTabs ? "" : undefined}>
      <Icon name={icon} />
      <span>{what}</span>
      <span className="fact">{fact}</span>
    </li>
  );
}
