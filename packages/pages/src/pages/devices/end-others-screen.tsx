import type { Session } from "latchkey";

import { Message } from "../../components/message.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import { ConfirmEnd } from "./confirm-end.tsx";
import type { EndOthersView } from "./devices-view.ts";

/** Confirms before all other sign-ins end together. */
export function endOthersPage({ count, lateUntil }: EndOthersView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    sheet: "devices",
    session,
    title: { id: "devices.othersTitle" },
    content: (
      <ConfirmEnd
        title="devices.othersTitle"
        lead={<Message id="devices.othersConfirm" values={{ count }} />}
        lateUntil={lateUntil}
        path="others"
        button="devices.others"
      />
    ),
  };
}
