import type { Session } from "latchkey";

import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import type { EndAllView } from "./devices-view.ts";
import { LateServices } from "./late-services.tsx";

/** Confirms before all sign-ins end together, including this one. */
export function endAllPage(view: EndAllView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    sheet: "devices",
    session,
    title: { id: "devices.allTitle" },
    content: <EndAllScreen view={view} />,
  };
}

function EndAllScreen({ view }: { view: EndAllView }) {
  const { count, lateUntil, leadsToProvider } = view;
  const { site } = usePageFrame();
  return (
    <SignedInShell current="devices">
      <h1>
        <Message id="devices.allTitle" />
      </h1>
      <p className="lead">
        {count === undefined ? (
          <Message id="devices.allConfirmUnknown" />
        ) : (
          <Message id="devices.allConfirm" values={{ count }} />
        )}
      </p>
      {lateUntil !== undefined && (
        <p className="quiet">
          <LateServices until={lateUntil} />
        </p>
      )}
      <p>
        <Message id={leadsToProvider ? "devices.allProvider" : "devices.allProviderStays"} />
      </p>
      <div className="actions">
        <form method="post" action={`${site.root}/devices/all`} data-leaves-here="">
          <button type="submit" className="button danger">
            <Message id="devices.allDo" />
          </button>
        </form>
        <a className="button quiet" href={`${site.root}/devices`} data-back="">
          <Message id="action.back" />
        </a>
      </div>
    </SignedInShell>
  );
}
