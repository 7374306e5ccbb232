import type { ReactNode } from "react";

import { Avatar } from "./avatar.tsx";
import { Message } from "./message.tsx";
import { Moment } from "./moment.tsx";
import { PagesNav, type PageName } from "./pages-nav.tsx";
import { usePageFrame } from "./page-frame.tsx";
import { Shell } from "./shell.tsx";

/** The two ends of a session, as the server sees them. Epoch seconds. */
export interface SessionTimes {
  readonly startedAt: number;
  readonly rollingEndsAt: number | null;
  readonly absoluteEndsAt: number | null;
  readonly endsAt: number;
}

/** What the frame of a page says about the signed-in person. */
export interface SignedInPerson {
  readonly sub: string;
  readonly name: string;
  readonly email?: string;
  readonly times: SessionTimes;
}

interface SignedInShellProps {
  readonly person: SignedInPerson;
  readonly current?: PageName;
  readonly children: ReactNode;
}

/** The frame of every page for signed-in people. */
export function SignedInShell({ person, current, children }: SignedInShellProps) {
  return (
    <Shell
      state="signed-in"
      layout={current === undefined ? "column" : "wide"}
      menu={<Menu person={person} />}
      nav={current !== undefined && <PagesNav current={current} />}
      footnote={
        <Message
          id="shell.footer.until"
          tags={{ end: () => <Moment at={person.times.endsAt} /> }}
        />
      }
    >
      {children}
    </Shell>
  );
}

function Menu({ person }: { person: SignedInPerson }) {
  const { site } = usePageFrame();
  return (
    <a className="me" href={`${site.root}/account`}>
      <Avatar name={person.name} size="small" />
      <span>{person.name}</span>
    </a>
  );
}
