import type { EndReason } from "latchkey";

import { Message } from "../../components/message.tsx";
import { DoorPicture } from "../../components/door/door-picture.tsx";
import { Shell } from "../../components/shell.tsx";
import { SharedComputer } from "../../components/shared-computer.tsx";
import { SignInHere } from "../../components/sign-in-here.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { durationInWords } from "../../messages/durations.ts";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { PublicPage } from "../../rendering/page.ts";

export interface EndedProps {
  readonly reason: EndReason;
  /** Length of the session until the reached end, in seconds. */
  readonly afterSeconds?: number | null | undefined;
  readonly signInURL: string;
}

/** Title of the page for each reason. */
const titles: Readonly<Record<EndReason, MessageKey>> = {
  idle: "ended.idle.title",
  "max-age": "ended.maxAge.title",
  elsewhere: "ended.elsewhere.title",
  unreadable: "ended.unreadable.title",
  unproved: "ended.unproved.title",
};

const bodies: Readonly<Record<EndReason, { timed?: MessageKey; plain: MessageKey }>> = {
  idle: { timed: "ended.idle.body", plain: "ended.idle.bodyPlain" },
  "max-age": { timed: "ended.maxAge.body", plain: "ended.maxAge.bodyPlain" },
  elsewhere: { plain: "ended.elsewhere.body" },
  unreadable: { plain: "ended.unreadable.body" },
  unproved: { plain: "ended.unproved.body" },
};

/** The page after an end of the session: the reason, and the way back in. */
export function endedPage(props: EndedProps): PublicPage {
  return {
    access: "public",
    title: { id: titles[props.reason] },
    state: "signed-out",
    content: <EndedScreen {...props} />,
  };
}

function EndedScreen({ reason, afterSeconds, signInURL }: EndedProps) {
  const { words } = usePageFrame();
  const { timed, plain } = bodies[reason];
  const length = afterSeconds == null ? undefined : durationInWords(afterSeconds, words.locale);
  return (
    <Shell state="signed-out" menu={<SignInHere href={signInURL} />}>
      <DoorPicture openness="closed" state="signed-out" />
      <h1>
        <Message id={titles[reason]} />
      </h1>
      <p className="lead">
        <Message id={length === undefined ? plain : (timed ?? plain)} values={{ length }} />
      </p>
      {reason === "elsewhere" && (
        <p>
          <Message id="ended.elsewhere.safe" />
        </p>
      )}
      <div className="actions">
        <a className="button" href={signInURL} data-leaves="" data-keep-hash="">
          <Message id="action.signInAgain" />
        </a>
      </div>
      <SharedComputer signInURL={signInURL} />
    </Shell>
  );
}
