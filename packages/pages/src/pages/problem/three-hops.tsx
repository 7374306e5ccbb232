import type { ReactNode } from "react";

import { Icon, type IconName } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { ProblemPlan } from "./problem-plans.ts";

type HopState = "ok" | "blind" | "down" | "unusable" | "not-asked";

const looks: Readonly<Record<HopState, { icon: IconName; words: MessageKey }>> = {
  ok: { icon: "check", words: "hop.working" },
  blind: { icon: "cross", words: "hop.blind" },
  down: { icon: "cross", words: "hop.down" },
  unusable: { icon: "cross", words: "hop.unusable" },
  "not-asked": { icon: "dash", words: "hop.notAsked" },
};

const providerStates = {
  provider: "down",
  "provider-answer": "unusable",
  store: "not-asked",
} as const satisfies Record<NonNullable<ProblemPlan["fault"]>, HopState>;

/** The hops of a sign-in, with the broken one. */
export function ThreeHops({ fault }: { fault: NonNullable<ProblemPlan["fault"]> }) {
  const { site, words } = usePageFrame();
  return (
    <ol className="hops">
      <Hop state="ok" name={<Message id="hop.you" />} />
      <Hop state={fault === "store" ? "blind" : "ok"} name={site.app} />
      <Hop state={providerStates[fault]} name={capitalize(words.names.provider)} />
    </ol>
  );
}

/** A name on its own starts with a capital, as a sentence does. */
function capitalize(name: string): string {
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

function Hop({ state, name }: { state: HopState; name: ReactNode }) {
  const { icon, words } = looks[state];
  return (
    <li className={state}>
      <Icon name={icon} />
      <span>
        <span className="who">{name}</span>
        <span className="unseen">: </span>
        <span className="what">
          <Message id={words} />
        </span>
      </span>
    </li>
  );
}
