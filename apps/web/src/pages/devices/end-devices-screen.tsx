import type { Session } from "latchkey";

import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import type { EndDevicesView } from "./devices-view.ts";
import { LateServices } from "./late-services.tsx";

/** Asks before many sign-ins end together. */
export function endDevicesPage(view: EndDevicesView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    session,
    title: { id: view.which === "all" ? "devices.allTitle" : "devices.othersTitle" },
    content: <EndDevicesScreen view={view} />,
  };
}

function EndDevicesScreen({ view: { which, count, lateUntil } }: { view: EndDevicesView }) {
  const { site } = usePageFrame();
  const isAll = which === "all";
  return (
    <SignedInShell current="devices">
      <h1>
        <Message id={isAll ? "devices.allTitle" : "devices.othersTitle"} />
      </h1>
      <p className="lead">
        {count === undefined ? (
          <Message id="devices.allConfirmUnknown" />
        ) : (
          <Message id={isAll ? "devices.allConfirm" : "devices.othersConfirm"} values={{ count }} />
        )}
      </p>
      {lateUntil !== undefined && (
        <p className="quiet">
          <LateServices until={lateUntil} />
        </p>
      )}
      <div className="actions">
        <form
          method="post"
          action={`${site.root}/devices/${which}`}
          data-leaves-here={isAll ? "" : undefined}
        >
          <button type="submit" className="button">
            <Message id={isAll ? "devices.allDo" : "devices.others"} />
          </button>
        </form>
        <a className="button quiet" href={`${site.root}/devices`} data-back="">
          <Message id="action.back" />
        </a>
      </div>
    </SignedInShell>
  );
}
