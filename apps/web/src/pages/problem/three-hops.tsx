import type { ReactNode } from "react";

import { Icon, type IconName } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/languages.ts";
import type { ProblemPlan } from "./problem-plans.ts";

type HopState = "ok" | "down" | "not-asked";

const looks: Readonly<Record<HopState, { icon: IconName; words: MessageKey }>> = {
  ok: { icon: "check", words: "hop.working" },
  down: { icon: "cross", words: "hop.down" },
  "not-asked": { icon: "dash", words: "hop.notAsked" },
};

/** The way of a sign-in, with the hop that does not answer. */
export function ThreeHops({ fault }: { fault: NonNullable<ProblemPlan["fault"]> }) {
  const { site, words } = usePageFrame();
  const isStore = fault === "store";
  return (
    <ol className="hops">
      <Hop state="ok" name={<Message id="hop.you" />} />
      <Hop state={isStore ? "down" : "ok"} name={site.app} />
      <Hop state={isStore ? "not-asked" : "down"} name={capitalised(words.names.provider)} />
    </ol>
  );
}

/** A name that stands alone starts as a sentence does. */
function capitalised(name: string): string {
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
