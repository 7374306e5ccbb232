import type { ReactNode } from "react";

import { Island } from "./island.tsx";
import { PagesNav, type PageName } from "../components/pages-nav.tsx";
import { Shell } from "../components/shell.tsx";

interface SignedInShellProps {
  readonly current?: PageName;
  readonly children: ReactNode;
}

/** The frame of every page for signed-in people: the account menu, the way around, and until when. */
export function SignedInShell({ current, children }: SignedInShellProps) {
  return (
    <Shell
      state="signed-in"
      layout={current === undefined ? "column" : "wide"}
      menu={<Island name="menu" />}
      nav={current !== undefined && <PagesNav current={current} />}
      footnote={<Island name="until" />}
    >
      {children}
      <Island name="notices" />
    </Shell>
  );
}
