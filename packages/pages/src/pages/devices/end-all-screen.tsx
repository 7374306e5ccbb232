import type { Session } from "latchkey";

import { Message } from "../../components/message.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import { ConfirmEnd } from "./confirm-end.tsx";
import type { EndAllView } from "./devices-view.ts";

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

function EndAllScreen({ view: { count, lateUntil, leadsToProvider } }: { view: EndAllView }) {
  const lead =
    count === undefined ? (
      <Message id="devices.allConfirmUnknown" />
    ) : (
      <Message id="devices.allConfirm" values={{ count }} />
    );
  return (
    <ConfirmEnd
      title="devices.allTitle"
      lead={lead}
      lateUntil={lateUntil}
      path="all"
      button="devices.allDo"
      leavesHere
    >
      <p>
        <Message id={leadsToProvider ? "devices.allProvider" : "devices.allProviderStays"} />
      </p>
    </ConfirmEnd>
  );
}
