import type { ReactNode } from "react";

import { IdentityStrip } from "../components/identity-strip.tsx";
import { Message, useText } from "../components/message.tsx";
import { NewSignInQuestion } from "../components/new-sign-in.tsx";
import { usePageFrame } from "../components/page-frame.tsx";
import { PagesNav, type PageName } from "../components/pages-nav.tsx";
import { Shell } from "../components/shell.tsx";
import { Island } from "./island.tsx";
import { PersonMenu } from "./person-menu.tsx";

interface SignedInShellProps {
  readonly current?: PageName;
  /** `column`: without navigation, for a page that is itself the navigation. */
  readonly layout?: "column" | "wide";
  readonly children: ReactNode;
}

/**
 * The frame of every page for signed-in people: who they are, the account menu, and the way around.
 */
export function SignedInShell(props: SignedInShellProps) {
  const { current, layout = "wide", children } = props;
  const { site, session, newSignIn, hasSteppedUp = false } = usePageFrame();
  return (
    <Shell
      state="signed-in"
      layout={layout}
      menu={
        <Island name="menu">
          <PersonMenu root={site.root} pictureSources={site.pictureSources} />
        </Island>
      }
      strip={
        <>
          {session !== undefined && <IdentityStrip session={session} />}
          {newSignIn !== undefined && <NewSignInQuestion newSignIn={newSignIn} />}
        </>
      }
      nav={layout === "wide" && <PagesNav current={current} />}
    >
      {hasSteppedUp && (
        <p className="notice" role="status">
          <Message id="form.thanks" />
        </p>
      )}
      {children}
      <Island name="notices" />
      <OfflineNote />
    </Shell>
  );
}

/** A script shows here when the device is offline, because it could load nothing by then. */
function OfflineNote() {
  const say = useText();
  return (
    <div
      className="lk-status"
      role="status"
      data-offline={say("live.offlineNow")}
      data-online={say("live.offlineBack")}
    >
      <p className="lk-toast" hidden />
    </div>
  );
}
