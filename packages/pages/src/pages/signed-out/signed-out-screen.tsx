import type { ProviderSession, SignedOut } from "latchkey";

import { DoorPicture } from "../../components/door/door-picture.tsx";
import { Moment } from "../../components/moment.tsx";
import { Message } from "../../components/message.tsx";
import { SharedComputer } from "../../components/shared-computer.tsx";
import { Shell } from "../../components/shell.tsx";
import { SignInHere } from "../../components/sign-in-here.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { PublicPage } from "../../rendering/page.ts";
import { Receipt } from "./receipt.tsx";

const bodies: Readonly<Record<ProviderSession, Readonly<Record<"this" | "all", MessageKey>>>> = {
  ended: { this: "out.both", all: "out.all" },
  still: { this: "out.body", all: "out.all" },
  unconfirmed: { this: "out.providerFailed", all: "out.providerFailed" },
  unknown: { this: "out.body", all: "out.all" },
};

/** After signing out: what is closed, and what is still open. */
export function signedOutPage(signedOut: SignedOut): PublicPage {
  return {
    access: "public",
    title: { id: "out.title" },
    state: "signed-out",
    passing: ["state", "provider"],
    content: <SignedOutScreen {...signedOut} />,
  };
}

function SignedOutScreen(signedOut: SignedOut) {
  const { provider, otherDevices, copies, copiesEndBy, signInURL } = signedOut;
  const devices = otherDevices === undefined ? "this" : "all";
  const isUnconfirmed = provider === "unconfirmed";
  const { site } = usePageFrame();
  return (
    <Shell state="signed-out" menu={<SignInHere href={signInURL} />}>
      <DoorPicture openness="closed" state="signed-out" />
      <h1>
        <Message id="out.title" />
      </h1>
      <p className="lead">
        <Message id={bodies[provider][devices]} />
      </p>
      <Receipt {...signedOut} />
      {provider === "still" && (
        <p>
          <Message id="out.provider" />{" "}
          {site.providerURL !== undefined && (
            <a href={site.providerURL}>
              <Message id="out.providerLink" />
            </a>
          )}
        </p>
      )}
      {copies === "pending" && copiesEndBy !== undefined && (
        <p>
          <Message
            id="out.pending"
            tags={{ end: () => <Moment at={copiesEndBy} style="zone" /> }}
          />
        </p>
      )}
      <div className="actions">
        {isUnconfirmed && (
          <a className="button" href={site.logoutURL} data-leaves="">
            <Message id="action.tryAgain" />
          </a>
        )}
        <a
          className={isUnconfirmed ? "button quiet" : "button"}
          href={signInURL}
          data-leaves=""
          data-keep-hash=""
        >
          <Message id="out.again" />
        </a>
      </div>
      <SharedComputer signInURL={signInURL} />
    </Shell>
  );
}
