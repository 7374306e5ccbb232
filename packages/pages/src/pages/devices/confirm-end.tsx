import type { ReactNode } from "react";

import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import { LateServices } from "./late-services.tsx";

interface ConfirmEndProps {
  readonly title: MessageKey;
  /** What will end. */
  readonly lead: ReactNode;
  /** Epoch seconds until which other services may still work. */
  readonly lateUntil: number | undefined;
  /** The last part of the address that ends it. */
  readonly path: "all" | "others";
  readonly button: MessageKey;
  /** Whether this browser is signed out, too. */
  readonly leavesHere?: true;
  readonly children?: ReactNode;
}

/** A question before several sign-ins end together. */
export function ConfirmEnd(props: ConfirmEndProps) {
  const { title, lead, lateUntil, path, button, leavesHere, children } = props;
  const { site } = usePageFrame();
  return (
    <SignedInShell current="devices">
      <h1>
        <Message id={title} />
      </h1>
      <p className="lead">{lead}</p>
      {lateUntil !== undefined && (
        <p className="quiet">
          <LateServices until={lateUntil} />
        </p>
      )}
      {children}
      <div className="actions">
        <form
          method="post"
          action={`${site.root}/devices/${path}`}
          data-leaves-here={leavesHere && ""}
        >
          <button type="submit" className="button danger">
            <Message id={button} />
          </button>
        </form>
        <a className="button quiet" href={`${site.root}/devices`} data-back="">
          <Message id="action.back" />
        </a>
      </div>
    </SignedInShell>
  );
}
