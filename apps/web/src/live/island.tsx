import { useSyncExternalStore } from "react";

import { Notices } from "./notices.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { SignedInUntil } from "./signed-in-until.tsx";

const islands = {
  menu: PersonMenu,
  notices: Notices,
  session: SessionFacts,
  until: SignedInUntil,
} as const;

/** A part of a page that React hydrates in the browser; the rest stays the HTML that it is. */
export type IslandName = keyof typeof islands;

/** Marks the place of an island in the page. */
export function Island({ name }: { name: IslandName }) {
  return (
    <div className="island" data-island={name}>
      <IslandContent name={name} />
    </div>
  );
}

/** What lives in an island. Notices are about what happens in the browser: the server has none. */
export function IslandContent({ name }: { name: IslandName }) {
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const Content = islands[name];
  return name === "notices" && !isAlive ? null : <Content />;
}

/** Whether a name found in the page is that of an island. */
export function isIslandName(name: string | undefined): name is IslandName {
  return name !== undefined && Object.hasOwn(islands, name);
}

function never(): () => void {
  return () => undefined;
}
