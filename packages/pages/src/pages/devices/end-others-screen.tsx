import type { Session } from "latchkey";

import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import type { EndOthersView } from "./devices-view.ts";
import { LateServices } from "./late-services.tsx";

/** Confirms before all other sign-ins end together. */
export function endOthersPage(view: EndOthersView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    sheet: "devices",
    session,
    title: { id: "devices.othersTitle" },
    content: <EndOthersScreen view={view} />,
  };
}

function EndOthersScreen({ view: { count, lateUntil } }: { view: EndOthersView }) {
  const { site } = usePageFrame();
  return (
    <SignedInShell current="devices">
      <h1>
        <Message id="devices.othersTitle" />
      </h1>
      <p className="lead">
        <Message id="devices.othersConfirm" values={{ count }} />
      </p>
      {lateUntil !== undefined && (
        <p className="quiet">
          <LateServices until={lateUntil} />
        </p>
      )}
      <div className="actions">
        <form method="post" action={`${site.root}/devices/others`}>
          <button type="submit" className="button danger">
            <Message id="devices.others" />
          </button>
        </form>
        <a className="button quiet" href={`${site.root}/devices`} data-back="">
          <Message id="action.back" />
        </a>
      </div>
    </SignedInShell>
  );
}
