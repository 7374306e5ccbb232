import type { ReactNode } from "react";

import { Notices } from "./notices.tsx";
import { PersonMenu, type PersonMenuProps } from "./person-menu.tsx";

const islands = { menu: PersonMenu, notices: Notices } as const;

/** A part of a page which React hydrates in the browser if it is needed; the rest stays HTML. */
export type IslandName = keyof typeof islands;

/** What the islands of a page need to know of the app. */
export type IslandSettings = PersonMenuProps;

interface IslandProps {
  readonly name: IslandName;
  /**
   * The server's content of an island: the same as `IslandContent`, without two texts side by side,
   * which would become one.
   */
  readonly children?: ReactNode;
}

/** The place of an island in the page. */
export function Island({ name, children }: IslandProps) {
  return (
    <div className="island" data-island={name}>
      {children}
    </div>
  );
}

/** What lives in an island. Notices are about what happens in the browser: the server has none. */
export function IslandContent({ name, settings }: { name: IslandName; settings: IslandSettings }) {
  const Content = islands[name];
  return <Content {...settings} />;
}

export function isIslandName(name: string | undefined): name is IslandName {
  return name !== undefined && Object.hasOwn(islands, name);
}
